//! The integers of `dashu-int`.

use super::bigints::sealed::Bytes;
use dashu_int::{IBig, UBig};

impl Bytes for UBig {
    const SIGNED: bool = false;

    fn bytes(&self) -> impl AsRef<[u8]> {
        self.to_le_bytes()
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        Self::from_le_bytes(bytes)
    }
}

impl Bytes for IBig {
    const SIGNED: bool = true;

    fn bytes(&self) -> impl AsRef<[u8]> {
        self.to_le_bytes()
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        Self::from_le_bytes(bytes)
    }
}
