fn main() {
    let recipe = ringwork_ntt::Request::new(256, 3329).recipe(16).unwrap();
    let word = ringwork_ntt::Interval::word(64);
    let _ = ringwork_ntt::Certificate { word, ..recipe.certificate().clone() };
}
