fn main() {
    let plan = ringwork_ntt::Plan::<i16>::new(256, 3329).unwrap();
    let (a, b) = ([0; 256], [0; 256]);
    let product = plan.pointwise([0_i16; 256], &a, &b);
    let _ = plan.pointwise([0_i16; 256], &product, &b);
}
