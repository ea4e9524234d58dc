fn main() {
    let plan = ringwork_ntt::Plan::<i16>::new(256, 3329).unwrap();
    plan.forward(&mut [0_i32; 256]);
}
