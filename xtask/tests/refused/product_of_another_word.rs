fn main() {
    let narrow = ringwork_ntt::Plan::<i16>::new(256, 3329).unwrap();
    let wide = ringwork_ntt::Plan::<i32>::new(256, 3329).unwrap();
    let (a, b) = ([0; 256], [0; 256]);
    let product = narrow.pointwise([0_i16; 256], &a, &b);
    wide.inverse_product(product);
}
