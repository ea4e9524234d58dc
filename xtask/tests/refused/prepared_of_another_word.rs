fn main() {
    let narrow = ringwork_ntt::Plan::<i16>::new(256, 3329).unwrap();
    let wide = ringwork_ntt::Plan::<i32>::new(256, 3329).unwrap();
    let b = narrow.prepare(&[0; 256]);
    wide.multiply_prepared(&mut [0; 256], &[0; 256], &b, &mut [0; 768]);
}
