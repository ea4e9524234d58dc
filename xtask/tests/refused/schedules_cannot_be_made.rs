fn main() {
    let recipe = ringwork_ntt::Request::new(256, 3329).recipe(16).unwrap();
    let _ = ringwork_ntt::Schedules { reduce_slots: false, ..recipe.schedules().clone() };
}
