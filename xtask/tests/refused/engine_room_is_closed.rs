use ringwork_ntt::internals::Transform;
use ringwork_ntt::network::forward;

fn main() {}
