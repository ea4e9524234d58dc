//! Tables for programs in other languages: one that reads nothing else computes the transform.

use ringwork_ntt::{Backend, Method, Pass, Plan, Recipe, Request, Tables, arith::Modulus};

/// A program of one word at a time over residues, as somebody writes it in another language: layers of passes, and the
/// next twiddle of the table for every group.
struct Program<'a> {
    recipe: &'a Recipe,
    q: Modulus,
    rest: &'a [i64],
}

impl Program<'_> {
    /// The residue that a twiddle multiplies by: its first word over what the method leaves of it.
    fn residue(&self, twiddle: &[i64]) -> u64 {
        let first = self.q.reduce(i128::from(twiddle[0]));
        match self.recipe.method() {
            Method::Montgomery => {
                let radix = self.q.pow(2, u64::from(self.recipe.bits()));
                self.q.mul(first, self.q.inv(radix))
            }
            Method::Shoup | Method::Barrett => first,
            method => panic!("{method} is not tried here"),
        }
    }

    fn next(&mut self) -> u64 {
        let (twiddle, rest) = self.rest.split_at(self.recipe.method().twiddle_words());
        self.rest = rest;
        self.residue(twiddle)
    }

    fn forward(&mut self, a: &mut [u64]) {
        for pass in self.recipe.passes() {
            let Pass::Outer { levels, stride, .. } = *pass else { panic!("{pass:?} is not tried here") };
            for group in a.chunks_exact_mut(stride << levels) {
                for level in 0..levels {
                    for half in group.chunks_exact_mut((stride << levels) >> level) {
                        let w = self.next();
                        let (low, high) = half.split_at_mut(half.len() / 2);
                        for (a, b) in low.iter_mut().zip(high) {
                            let t = self.q.mul(*b, w);
                            (*a, *b) = (self.q.add(*a, t), self.q.add(*a, self.q.neg(t)));
                        }
                    }
                }
            }
        }
    }

    fn inverse(&mut self, a: &mut [u64], scaling: [[i64; 2]; 2]) {
        for pass in self.recipe.passes().iter().rev() {
            let Pass::Outer { first, levels, stride } = *pass else { panic!("{pass:?} is not tried here") };
            for group in a.chunks_exact_mut(stride << levels) {
                let of_first =
                    if first == 0 { scaling.map(|twiddle| self.residue(&twiddle)) } else { [1, self.next()] };
                for level in (0..levels).rev() {
                    for half in group.chunks_exact_mut((stride << levels) >> level) {
                        let [sums, differences] = if level == 0 { of_first } else { [1, self.next()] };
                        let (low, high) = half.split_at_mut(half.len() / 2);
                        for (a, b) in low.iter_mut().zip(high) {
                            let (sum, difference) = (self.q.add(*a, *b), self.q.add(*a, self.q.neg(*b)));
                            (*a, *b) = (self.q.mul(sum, sums), self.q.mul(difference, differences));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_program_that_reads_tables_alone_transforms() {
    for (n, q, method) in [
        (256, 8380417, Method::Montgomery),
        (256, 8380417, Method::Shoup),
        (64, 257, Method::Barrett),
        (256, 3329, Method::Montgomery),
        (1024, 12289, Method::Montgomery),
    ] {
        let request = Request::new(n, q).backend(Backend::Scalar).method(method);
        let recipe = request.recipe(32).unwrap();
        let tables: Tables = recipe.tables().expect("one lane");
        let plan = Plan::<i32>::with(&request).unwrap();
        let modulus = Modulus::new(q).unwrap();
        let program = |table| Program { recipe: &recipe, q: modulus, rest: table };

        let a: Vec<u64> = (0..n as u64).map(|i| i * i % q).collect();
        let mut words: Vec<i32> = a.iter().map(|a| *a as i32).collect();
        plan.forward(&mut words);
        let mut residues = a.clone();
        let mut forward = program(&tables.forward);
        forward.forward(&mut residues);
        assert!(forward.rest.is_empty(), "every twiddle was read");
        let same = |residues: &[u64], words: &[i32]| {
            residues.iter().zip(words).all(|(a, b)| *a == modulus.reduce((*b).into()))
        };
        assert!(same(&residues, &words), "n {n} q {q} {method}");

        let mut inverse = program(&tables.inverse);
        inverse.inverse(&mut residues, tables.scaling);
        assert!(inverse.rest.is_empty(), "every twiddle was read");
        assert_eq!(residues, a, "n {n} q {q} {method}");

        let degree = recipe.slot_degree();
        assert_eq!(tables.slots.len(), if degree == 1 { 0 } else { n / degree * method.twiddle_words() });
        for (i, twiddle) in tables.slots.chunks_exact(method.twiddle_words()).enumerate() {
            let (slot, _) = plan.slot(i * degree).unwrap();
            let root = modulus.pow(recipe.root(), plan.ring().exponent_of(slot) as u64);
            assert_eq!(program(&[]).residue(twiddle), root, "slot {i}");
        }
    }
}

#[test]
fn recipes_for_vectors_have_no_tables_of_one_lane() {
    for backend in Backend::available() {
        let recipe = Request::new(256, 3329).backend(backend).recipe(16).unwrap();
        assert_eq!(recipe.tables().is_some(), recipe.lanes() == 1, "{backend}");
    }
}

#[test]
fn tables_have_words_of_the_recipe() {
    for (q, method) in [(4293918721, Method::Unsigned), (8380417, Method::Plantard), (12289, Method::KRed)] {
        let recipe = Request::new(64, q).backend(Backend::Scalar).method(method).recipe(32).unwrap();
        let Tables { forward, inverse, slots, scaling, scaling_of_products, to_ntt, .. } = recipe.tables().unwrap();
        let scaling = [scaling, scaling_of_products].concat().concat();
        let words = [forward, inverse, slots, scaling, to_ntt.to_vec()].concat();
        let fits = |word: &i64| (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(word);
        assert!(words.iter().all(fits), "{method}: {words:?}");
    }
}
