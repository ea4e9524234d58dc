//! Claims: true of every sample if they are right, and false of some if a constant or a range is wrong.

use ntt::{Method, arith::Modulus};
use prove::contracts::{Proof, mutants, prove};

fn is_true(proof: &Proof) -> bool {
    proof.claims.iter().all(|claim| proof.system.samples().iter().all(|sample| claim.fact.holds(sample)))
}

#[test]
fn all_methods_claim_what_is_true_of_samples() {
    let mut methods = 0;
    for (method, bits, q) in Method::ALL.into_iter().flat_map(|method| {
        [(16, 12289), (32, 8380417), (32, 4293918721), (64, (1 << 50) - 27), (64, 0xFFFF_FFFF_0000_0001)]
            .map(|(bits, q)| (method, bits, q))
    }) {
        let Some(contract) = method.contract(Modulus::new(q).unwrap(), bits) else { continue };
        methods += 1;
        let proofs = prove(&contract);
        assert!(proofs.len() > 5, "{method} modulo {q}");
        for proof in proofs {
            assert!(is_true(&proof), "{method} modulo {q} in {bits} bits: {proof}");
        }
    }
    assert!(methods > 20);
}

#[test]
fn mutants_claim_what_is_false_of_samples() {
    for (name, mutant) in mutants() {
        assert!(!is_true(&mutant), "{name}");
    }
}

/// What the equations of `twiddle.rs` say is asserted for every sample: here for every residue of small moduli.
#[test]
fn words_of_all_twiddles_are_as_the_equations_say() {
    use prove::{system::System, twiddle::Twiddle};
    for (bits, moduli) in [(16, vec![5, 257, 3329, 7681, 12289]), (32, vec![5, 3329, 65537]), (64, vec![5, 12289])] {
        for q in moduli {
            for method in Method::ALL {
                let Some(contract) = method.contract(Modulus::new(q).unwrap(), bits) else { continue };
                let residues: Vec<u64> = (0..q).collect();
                let mut system = System::new(residues.len(), 0);
                Twiddle::all(&mut system, &contract, &residues);
            }
        }
    }
}
