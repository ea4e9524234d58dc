//! The pages and texts of `explain`.

use crate::{desk::Desk, pages::needs_nothing_else};
use serde_json::Value;

/// The section of a page with its picture.
fn picture(page: &str) -> &str {
    page.split_once("id=\"picture\"").map_or("", |(_, rest)| rest.split_once("</section>").unwrap().0)
}

/// Titles of the butterflies of the picture: layer and twiddle.
fn butterflies(page: &str) -> Vec<(u64, u64)> {
    let titles = picture(page)
        .split("class=\"butterfly\"><title>layer ")
        .skip(1)
        .map(|rest| rest.split_once("</title>").unwrap().0);
    let number = |text: &str| text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
    titles.map(|title| (number(&title[..1]), number(title.rsplit_once('\u{a0}').unwrap().1))).collect()
}

#[test]
fn explain_draws_what_the_plan_does() {
    let desk = Desk::new();
    for (line, n, depth) in [
        ("explain 8 257", 8, 3),
        ("explain 64 257 --cyclic", 64, 6),
        ("explain 16 97 --depth 2", 16, 2),
        ("explain 2 5", 2, 1),
        ("explain 16 7", 16, 0),
    ] {
        let data = desk.run(&format!("{line} --out page.html --force --json")).is(0).json();
        let page = desk.read("page.html");
        needs_nothing_else(&page);
        let drawn = butterflies(&page);
        assert_eq!(drawn.len(), n / 2 * depth, "{line}");
        for layer in data["layers"].as_array().unwrap() {
            let of_layer = drawn.iter().filter(|(number, _)| layer["layer"] == *number).map(|(_, twiddle)| *twiddle);
            let mut twiddles: Vec<u64> = of_layer.collect();
            twiddles.dedup();
            let expected: Vec<u64> =
                layer["twiddles"].as_array().unwrap().iter().map(|t| t["residue"].as_u64().unwrap()).collect();
            assert_eq!(twiddles, expected, "{line}, {layer}");
        }
    }
    assert_eq!(desk.files(), ["page.html"]);
}

/// Of a large transform the first layers are drawn, with the twiddles that the plan has, and several coefficients to a
/// row; LazyNTT marks them as it does.
#[test]
fn explain_folds_large_transforms() {
    let desk = Desk::new();
    for (line, rows, layers, each) in [
        ("explain 256 3329", 32, 5, 8),
        ("explain 1024 12289 --lazy-ntt 2 --words 64", 32, 5, 32),
        ("explain 256 3329 --depth 2", 4, 2, 64),
        ("explain 128 257 --cyclic --depth 4", 16, 4, 8),
    ] {
        let data = desk.run(&format!("{line} --out page.html --force --json")).is(0).json();
        let page = desk.read("page.html");
        needs_nothing_else(&page);
        let drawn = butterflies(&page);
        assert_eq!(drawn.len(), rows / 2 * layers, "{line}");
        for (number, twiddle) in drawn {
            let twiddles = data["layers"][number as usize]["twiddles"].as_array().unwrap();
            assert!(twiddles.iter().any(|t| t["residue"] == twiddle), "{line}: {twiddle} in layer {number}");
        }
        let page = picture(&page);
        assert!(page.contains(&format!("A row is {each} coefficients")), "{line}");
        assert_eq!(page.matches(">M</text>").count() + page.matches(">S</text>").count() > 0, line.contains("lazy"));
    }
}

/// A page leads to the depths beside its own.
#[test]
fn explain_leads_to_neighbouring_depths() {
    let desk = Desk::new();
    let titles = |line: &str| {
        let page = desk.run(&format!("{line} --out -")).is(0).out;
        let there = |id: &str| {
            let is_there = page.contains(&format!("<section id=\"{id}\">"));
            assert_eq!(is_there, page.contains(&format!("href=\"#{id}\"")), "{line}: {id}");
            is_there
        };
        (there("less"), there("more"))
    };
    assert_eq!(titles("explain 256 3329"), (true, false));
    assert_eq!(titles("explain 256 3329 --depth 5"), (true, true));
    assert_eq!(titles("explain 16 97 --depth 0"), (false, true));
    let page = desk.run("explain 64 257 --cyclic --depth 3 --out -").is(0).out;
    assert!(page.contains("ringwork explain 64 257 --cyclic --depth 4 --out FILE.html"));
}

/// The tree: its root is the ring's polynomial; `X^2d - c` splits into `X^d - z` and `X^d + z` with
/// `z^2 = c`; and its leaves are the slots, from top to bottom in bit-reversed order.
#[test]
fn explain_draws_the_splitting_tree() {
    let desk = Desk::new();
    // Degrees, and how many layers are drawn.
    for (line, n, q, layers) in [
        ("explain 2 5", 2, 5, 1),
        ("explain 4 17 --depth 1", 4, 17, 1),
        ("explain 32 193", 32, 193_u64, 5),
        ("explain 16 97 --cyclic", 16, 97, 4),
        ("explain 256 3329", 256, 3329, 3),
        ("explain 24 97 --trinomial", 24, 97, 3),
    ] {
        let data = desk.run(&format!("{line} --out page.html --force --json")).is(0).json();
        let page = desk.read("page.html");
        let field = |text: &str, name: &str| -> u64 {
            text.split_once(&format!("data-{name}=\"")).unwrap().1.split('"').next().unwrap().parse().unwrap()
        };
        let factors: Vec<[u64; 3]> = page
            .split("<g class=\"factor\"")
            .skip(1)
            .map(|rest| ["layer", "degree", "root"].map(|name| field(rest, name)))
            .collect();
        assert_eq!(factors.len(), (2 << layers) - 1, "{line}");
        let of_layer = |layer: u64| factors.iter().filter(move |factor| factor[0] == layer);
        for layer in 0..layers {
            for (whole, halves) in of_layer(layer).zip(of_layer(layer + 1).collect::<Vec<_>>().chunks(2)) {
                let [z, w] = [halves[0][2], halves[1][2]];
                assert_eq!([halves[0][1], halves[1][1]], [n >> (layer + 1); 2]);
                if line.contains("trinomial") && layer == 0 {
                    assert_eq!(((z + w) % q, z * w % q), (1, 1), "X^2 - X + 1 = (X - z)(X - w)");
                } else {
                    assert_eq!((whole[2], w), (z * z % q, q - z), "{line}: X^2 - c = (X - z)(X + z)");
                }
            }
        }
        if !line.contains("trinomial") {
            assert_eq!(factors[0][2], if line.contains("cyclic") { 1 } else { q - 1 }, "{line}");
        }
        let slots = data["slots_listed"].as_array().unwrap();
        if data["layers"].as_array().unwrap().len() == layers as usize {
            let mut leaves = vec![0; slots.len()];
            slots.iter().for_each(|slot| {
                leaves[slot["bit_reversed"].as_u64().unwrap() as usize] = slot["residue"].as_u64().unwrap();
            });
            assert!(of_layer(layers).map(|factor| factor[2]).eq(leaves), "{line}");
            assert!(!page.contains("are folded"), "{line}");
        } else {
            assert_eq!(page.matches("… 16 slots of 2 coefficients").count(), 8, "{line}");
            assert!(page.contains("are folded"), "{line}");
        }
    }
}

/// Bakkebø's examples 1 to 5, with the coefficients that she computes from a0 to a3.
#[test]
fn the_examples_of_the_thesis_are_pages() {
    let desk = Desk::new();
    let a = [3_u64, 5, 7, 11];
    for (example, n, q, depth) in [(1, 2, 5, 1), (2, 4, 17, 1), (3, 4, 17, 2), (4, 4, 17, 1), (5, 4, 17, 2)] {
        let said = desk.run(&format!("explain --example bakkebo-{example} --out page.html --force")).is(0).out;
        assert!(said.starts_with(&format!("Bakkebø's thesis, example {example}: ")), "{said}");
        let page = desk.read("page.html");
        needs_nothing_else(&page);
        assert!(page.contains(&format!("Bakkebø's thesis, example {example}: ")));
        assert_eq!(butterflies(&page).len(), n / 2 * depth);
        let data = desk.run(&format!("explain --example bakkebo-{example} --json")).is(0).json();
        assert_eq!((&data["n"], &data["q"], &data["depth"]), (&n.into(), &q.into(), &depth.into()));
        let roots: Vec<u64> =
            data["slots_listed"].as_array().unwrap().iter().map(|slot| slot["residue"].as_u64().unwrap()).collect();
        // In canonical order: powers 1, 3, 5, 7 of the root.
        let expected: &[u64] = [&[2, 3][..], &[4, 13], &[2, 8, 15, 9], &[4, 13], &[2, 8, 15, 9]][example - 1];
        assert_eq!(roots, expected);
        let input = format!("{:?}", &a[..n].iter().map(|x| x % q).collect::<Vec<_>>());
        let slots = desk.run_with(&format!("ntt {n} {q} - --depth {depth} --json"), &input).is(0).json();
        let values: Vec<u64> = slots["values"].as_array().unwrap().iter().map(|x| x.as_u64().unwrap()).collect();
        let modulo = |x: i64| x.rem_euclid(q as i64) as u64;
        let [a0, a1, a2, a3] = a.map(|x| x as i64);
        let computed: Vec<u64> = match example {
            1 => vec![modulo(a0 + 2 * a1), modulo(a0 + 3 * a1)],
            2 | 4 => [a0 + 4 * a2, a1 + 4 * a3, a0 - 4 * a2, a1 - 4 * a3].map(modulo).to_vec(),
            _ => {
                let [upper, lower] = [4, -4].map(|w| [a0 + w * a2, a1 + w * a3]);
                let at = |[c0, c1]: [i64; 2], z: i64| modulo(c0 + c1 * z);
                vec![at(upper, 2), at(lower, 8), at(upper, -2), at(lower, -8)]
            }
        };
        assert_eq!(values, computed, "example {example}");
    }
    desk.run("explain --example bakkebo-6").says(2, "the examples are bakkebo-1, bakkebo-2");
    desk.run("explain --example bakkebo-1 4 17").says(2, "--example");
    desk.run("explain 4").says(2, "<Q>");
    // 2^-1 is 9 and 2^-2 is 13 modulo 17: what the mergings of examples 4 and 5 end with.
    for (example, inverse) in [(4, "2⁻¹\u{a0}=\u{a0}9"), (5, "4⁻¹\u{a0}=\u{a0}13")] {
        let page = desk.run(&format!("explain --example bakkebo-{example} --out -")).is(0).out;
        assert!(page.contains(inverse), "{inverse}");
    }
}

/// LazyNTT's figures 1 and 2: as many products are marked plain and reduced as the plan counts,
/// which is the paper's number of bits, and rows without a product are dashed.
#[test]
fn explain_marks_lazy_products() {
    let desk = Desk::new();
    for (line, n, depth, t) in [
        ("explain 16 97", 16_u32, 4, 2),
        ("explain 16 97", 16, 4, 3),
        ("explain 16 97 --depth 2", 16, 2, 2),
        ("explain 64 257 --cyclic", 64, 6, 3),
    ] {
        let page = desk.run(&format!("{line} --lazy-ntt {t} --words 64 --out -")).is(0).out;
        let marked = |mark: &str| page.matches(&format!(">{mark}</text>")).count() as u32;
        let slots = 1_u32 << depth;
        let reduced: u32 = (0..slots).map(|slot| slot.count_ones().div_ceil(t)).sum::<u32>() * (n / slots);
        let all = n / 2 * depth;
        assert_eq!((marked("M"), marked("S")), (reduced, all - reduced), "{line}, t = {t}");
        assert!(page.contains(&format!("({} of", all - reduced)) && page.contains(&format!("({reduced})")), "{line}");
        assert_eq!(page.matches("stroke-dasharray=\"3 3\"").count() as u32, all, "one dashed row a butterfly");
        // The last product of every coefficient is reduced, and before it t - 1 are not.
        let last = page.matches(&format!("<title>layer {}, ", depth - 1)).count() as u32;
        assert_eq!(page.matches(&format!("layer {}, ", depth - 1)).count() as u32, last);
    }
    let plain = desk.run("explain 16 97 --out -").is(0).out;
    assert!(!plain.contains(">S</text>") && !plain.contains("stroke-dasharray=\"3 3\""));
}

/// By layers in two, and in two and three.
#[test]
fn explain_names_the_slots() {
    names_the_slots("16 97", 16);
    let data = names_the_slots("18 37", 18);
    let parts: Vec<u64> = data["layers"].as_array().unwrap().iter().map(|l| l["parts"].as_u64().unwrap()).collect();
    assert_eq!(parts, [2, 3, 3]);
    let desk = Desk::new();
    let page = desk.run("explain 18 37 --out -").is(0).out;
    let count = |what: &str| page.matches(what).count();
    assert_eq!([count("class=\"butterfly\""), count("class=\"third\"")], [9, 2 * 6]);
    assert_eq!(count("class=\"factor\""), 1 + 2 + 6 + 18);
    // Of a large one the first layers are drawn.
    let page = desk.run("explain 1152 3457 --trinomial --out -").is(0).out;
    assert!(page.contains("1152 slots of one number each"));
}

fn names_the_slots(ring: &str, n: u64) -> Value {
    let desk = Desk::new();
    let data = desk.run(&format!("explain {ring} --json")).is(0).json();
    let slots = data["slots_listed"].as_array().unwrap();
    let roots: Vec<&Value> = slots.iter().map(|slot| &slot["residue"]).collect();
    let x = format!("[0,1{}]", ",0".repeat(n as usize - 2));
    let transform = desk.run_with(&format!("ntt {ring} - --json"), &x).is(0).json();
    assert_eq!(roots, transform["values"].as_array().unwrap().iter().collect::<Vec<_>>());
    // From row to row of the picture, slots are in the order of the layers.
    let page = desk.run(&format!("explain {ring} --out -")).is(0).out;
    let drawn: Vec<usize> = page
        .split(">slot ")
        .filter_map(|rest| rest.split_once(':'))
        .filter_map(|(slot, _)| slot.parse().ok())
        .collect();
    let reversed = drawn.iter().map(|slot| slots[*slot]["bit_reversed"].as_u64().unwrap());
    assert!(drawn.len() as u64 == n && reversed.eq(0..n), "{drawn:?}");
    let mut native: Vec<u64> = slots.iter().map(|slot| slot["native"][0].as_u64().unwrap()).collect();
    native.sort_unstable();
    assert!(native.into_iter().eq(0..n));
    data
}

#[test]
fn explain_fits_a_screen_for_any_degree() {
    let desk = Desk::new();
    let said = desk.run("explain 256 3329 --out page.html").is(0).out;
    for part in ["128 slots of 2 coefficients", "r = 17, of order 256", "X^4 - r^2", "of the word", "page.html written"]
    {
        assert!(said.contains(part), "{part} in {said}");
    }
    let page = desk.read("page.html");
    needs_nothing_else(&page);
    assert_eq!(butterflies(&page).len(), 16 * 5, "the first layers");
    for part in
        ["prefers-color-scheme", "width=device-width", "Layers 5 to 6 split each row", "X²\u{a0}−\u{a0}r", "112 more"]
    {
        assert!(page.contains(part), "{part}");
    }
    let data = desk.run("explain 65536 786433 --json").is(0).json();
    assert_eq!(data["layers"].as_array().unwrap().len(), 16);
    assert_eq!((&data["layers"][15]["blocks"], &data["layers"][15]["distance"]), (&32768.into(), &1.into()));
    assert_eq!((data["layers"][15]["twiddles"].as_array().unwrap().len(), &data["slots"]), (64, &65536.into()));
    let refused = desk.run("explain 8 257 --out nowhere/page.html").is(3);
    assert!(refused.err.contains("nowhere"), "{}", refused.err);
    assert_eq!(desk.run("explain 8 257 --out - --json").is(0).json()["verb"], "explain");
}
