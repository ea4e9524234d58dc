#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Mine(i64);

impl std::fmt::Display for Mine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl From<Mine> for i64 {
    fn from(mine: Mine) -> Self {
        mine.0
    }
}

impl From<i64> for Mine {
    fn from(x: i64) -> Self {
        Self(x)
    }
}

impl ringwork_ntt::Word for Mine {
    const BITS: u32 = 64;
    const SIGNED: bool = true;
}

fn main() {}
