fn main() {
    let mut recipe = ringwork_ntt::Request::new(256, 3329).recipe(16).unwrap();
    recipe.q = 7681;
}
