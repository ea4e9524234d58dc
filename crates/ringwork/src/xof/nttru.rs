//! The functions that NTTRU needs beyond FIPS 202: SHA-512, and AES-256 in counter mode.

use crate::once::Once;
use aes::{
    Aes256Enc, Block,
    cipher::{BlockCipherEncrypt, KeyInit},
};
use sha2::Digest;

/// SHA-512.
pub fn sha512(bytes: &[u8]) -> [u8; 64] {
    sha2::Sha512::digest(bytes).into()
}

/// Fills `bytes` with the AES-256 stream in counter mode, big-endian from 0: for keys that are used
/// once.
///
/// **Constant time:** by AES instructions if the processor has them, else by bit slicing. The round
/// keys of an all-zero key then overwrite those of the key.
pub fn aes256_ctr(key: &[u8; 32], bytes: &mut [u8]) {
    static OF_ZEROS: Once<Aes256Enc> = Once::new();
    let mut cipher = Aes256Enc::new(key.into());
    let (blocks, rest) = bytes.as_chunks_mut();
    for (counter, block) in (0_u128..).zip(blocks.iter_mut()) {
        *block = counter.to_be_bytes();
    }
    let mut last = Block::from((blocks.len() as u128).to_be_bytes());
    cipher.encrypt_blocks(Block::cast_slice_from_core_mut(blocks));
    if !rest.is_empty() {
        cipher.encrypt_block(&mut last);
        rest.copy_from_slice(&last[..rest.len()]);
        last.fill(0);
    }
    cipher.clone_from(OF_ZEROS.get_or_init(|| Aes256Enc::new(&[0; 32].into())));
    core::hint::black_box((&cipher, &last));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|b| format!("{b:02x}")).collect()
    }

    /// Blocks 0 and 1 under the key of zeros are H and E(K, Y_0) of test case 13 of McGrew and
    /// Viega's GCM.
    #[test]
    fn aes_counts_from_zero() {
        let (mut long, mut short) = ([0; 48], [0; 23]);
        aes256_ctr(&[0; 32], &mut long);
        aes256_ctr(&[0; 32], &mut short);
        assert_eq!(hex(&long[..16]), "dc95c078a2408989ad48a21492842087");
        assert_eq!(hex(&long[16..32]), "530f8afbc74536b9a963b4f1c4cb738b");
        assert_eq!(short, long[..23]);
    }

    #[test]
    fn sha_512_of_abc() {
        assert!(hex(&sha512(b"abc")).starts_with("ddaf35a193617abacc417349ae204131"));
    }
}
