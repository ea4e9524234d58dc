//! `prove DIRECTORY [METHOD [BITS [MODULUS]]]`: writes one file for each contract, and some that are wrong.

#![forbid(unsafe_code)]

use ntt::Method;
use prove::{contracts, moduli, smt};
use std::{error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, filters @ ..] = &arguments[..] else {
        return Err("usage: prove DIRECTORY [METHOD [BITS [MODULUS]]]".into());
    };
    fs::create_dir_all(directory)?;
    let (mut files, mut claims) = (0, 0);
    for method in Method::ALL {
        for bits in [16, 32, 64] {
            for q in moduli::all() {
                let names = [method.name().to_owned(), bits.to_string(), q.get().to_string()];
                if filters.iter().zip(&names).any(|(filter, name)| filter != name) {
                    continue;
                }
                let Some(contract) = method.contract(q, bits) else { continue };
                let proofs = contracts::prove(&contract);
                claims += proofs.iter().map(|proof| proof.claims.len()).sum::<usize>();
                files += 1;
                let text: String = proofs.iter().map(smt::text).collect();
                let name = format!("{}.smt2", names.join("-"));
                fs::write(Path::new(directory).join(name), smt::HEAD.to_owned() + &text)?;
            }
        }
    }
    for (name, mutant) in contracts::mutants() {
        fs::write(
            Path::new(directory).join(format!("mutant-{name}.smt2")),
            smt::HEAD.to_owned() + &smt::text(&mutant),
        )?;
    }
    println!("{files} contracts, {claims} claims");
    Ok(())
}
