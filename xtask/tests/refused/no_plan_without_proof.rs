fn main() {
    let recipe = ringwork_ntt::Request::new(256, 3329).recipe(16).unwrap();
    recipe.with_unproved_schedules(recipe.schedules().clone());
}
