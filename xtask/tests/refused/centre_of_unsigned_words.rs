fn main() {
    let plan = ringwork_ntt::Plan::<u32>::new(256, 3329).unwrap();
    plan.canonical(&mut [0; 256]);
    plan.centre(&mut [0; 256]);
}
