//! The page of `explain`, for somebody who meets the transform for the first time.

use super::{
    Explained, Layer, Slot,
    diagram::{self, Fold, LARGEST},
    flag, tree,
};
use crate::{
    html::{self, First},
    lazy::Lazy,
    report::{
        Cell, Figure, Section, Table,
        ranges::{self, percent},
        strings,
    },
    screen::counted,
    symbols::{Symbols::Page, content, list, raised},
};
use ntt::{Recipe, Ring};

/// Twiddles of a layer that the table shows at most.
const TWIDDLES: usize = 8;
/// Slots that the table shows at most, where the picture does not show all.
const SLOTS: usize = 16;

/// The page; `neighbours` are the plans of one layer less and one more, of those that there are.
pub(crate) fn page(this: &Explained<'_>, neighbours: &[Explained<'_>]) -> String {
    let r = this.plan.recipe();
    let mut sections = vec![splitting(r)];
    if r.depth() != 0 {
        sections.push(layers(this));
        sections.push(picture(this));
    }
    sections.push(slots(this));
    if r.depth() != 0 {
        sections.push(inverse(this));
    }
    sections.push(proved(this));
    sections.extend(neighbours.iter().map(|neighbour| neighbouring(this, neighbour)));
    let title = format!("The transform of {}", Page.ring(r));
    let headline = match this.example {
        Some(example) => format!("{} {}", example.sentence(), headline(r)),
        None => headline(r),
    };
    let first = First { title: &title, headline: &headline, warning: None, figures: &[], facts: &facts(r) };
    html::page(&first, &[], &sections, None)
}

/// Coefficients, slots, layers, butterflies.
pub(crate) fn headline(r: &Recipe) -> String {
    let (slots, slot) = (r.slots(), content(r.slot_degree()));
    match r.depth() {
        0 => format!("At depth 0 there is no layer: {} coefficients stay one slot.", r.n()),
        1 if r.thirds() == 0 => {
            format!("{} coefficients become 2 slots of {slot} each, in one layer of {} butterflies.", r.n(), r.n() / 2)
        }
        depth => {
            let thirds = match r.thirds() {
                0 => String::new(),
                thirds => format!(" and {thirds} in thirds, of {} each", r.n() / 3),
            };
            let layers = counted(depth, "layer");
            format!(
                "{} coefficients become {slots} slots of {slot} each, in {layers} of {} butterflies{thirds}.",
                r.n(),
                r.n() / 2
            )
        }
    }
}

fn facts(r: &Recipe) -> Table {
    let lanes = if r.lanes() == 1 { "one number at a time".into() } else { format!("{} at a time", r.lanes()) };
    let rows = vec![
        strings(["ring".into(), format!("{}, {}", Page.ring(r), r.ring())]),
        strings(["root".into(), format!("r\u{a0}=\u{a0}{}, of order {}", r.root(), r.order())]),
        strings(["slots".into(), format!("{}, of {} each", r.slots(), content(r.slot_degree()))]),
        strings(["here".into(), format!("{} in {}-bit words on {}, {lanes}", r.method(), r.bits(), r.backend())]),
    ];
    Table { rows, ..Table::default() }
}

fn section(id: &'static str, title: &str, meaning: String) -> Section {
    Section { id, title: title.into(), meaning, ..Section::default() }
}

/// The factors of the ring's polynomial.
fn splitting(r: &Recipe) -> Section {
    let (q, polynomial, order, slots) = (r.q(), Page.polynomial(r), r.order(), r.slots());
    let factor = format!("{}\u{a0}−\u{a0}rᵉ", Page.power("X", r.slot_degree()));
    let (exponents, because) = match r.ring() {
        Ring::Negacyclic => ("odd e", format!("{}\u{a0}=\u{a0}−1", Page.power("r", order / 2))),
        Ring::Cyclic => ("e", format!("{}\u{a0}=\u{a0}1", Page.power("r", order))),
        Ring::Trinomial => {
            ("e prime to 6", format!("{} is a zero of X²\u{a0}−\u{a0}X\u{a0}+\u{a0}1", Page.power("r", order / 6)))
        }
    };
    let meaning = match r.depth() {
        0 => format!("The polynomial {polynomial} is taken as a whole: its one slot is the polynomial itself."),
        _ => format!(
            "Modulo {q}, {polynomial} is the product of {slots} factors {factor}, one for every {exponents} below {order}, \
             because r has order {order}, so {because}. A polynomial is known by its remainders modulo these factors: \
             the slots. So a product modulo {polynomial} is taken slot by slot."
        ),
    };
    let mut section = section("ring", "The ring and its slots", meaning);
    if r.depth() != 0 {
        let folded = match tree::layers(r) {
            all if all == r.layers() => String::new(),
            drawn => format!(" Layers from number {drawn} on are folded."),
        };
        section.figures.push(Figure {
            svg: tree::svg(r),
            caption: format!(
                "How the polynomial splits, layer by layer: at each edge the root that the power of X is in the factor \
                 behind it, in blue z and in orange the other one{}.{folded} (As Bakkebø's figures 4.1 to 4.4.)",
                match (r.ring(), r.thirds()) {
                    (Ring::Trinomial, 0) => ", −z but for the first layer",
                    (_, 0) => ", −z",
                    _ => "; in red the third one",
                }
            ),
        });
    }
    section
}

fn layers(this: &Explained<'_>) -> Section {
    let r = this.plan.recipe();
    let meaning = "A layer splits every residue modulo X²ᵈ\u{a0}−\u{a0}z² into two, modulo Xᵈ\u{a0}−\u{a0}z and modulo \
                   Xᵈ\u{a0}+\u{a0}z. In the first Xᵈ is z, so a\u{a0}+\u{a0}b·Xᵈ becomes a\u{a0}+\u{a0}z·b; in the second \
                   it is −z, which gives a\u{a0}−\u{a0}z·b: a butterfly. The twiddle z is a power of r, and so is −z, \
                   since −1 is r to half its order.";
    let mut meaning = meaning.to_owned();
    if r.ring() == Ring::Trinomial {
        meaning += " Layer 0 is different: here z is a sixth root of unity, and z and 1\u{a0}−\u{a0}z are the zeros of \
                    X²\u{a0}−\u{a0}X\u{a0}+\u{a0}1, so a\u{a0}+\u{a0}b·Xᵈ becomes a\u{a0}+\u{a0}z·b and \
                    a\u{a0}+\u{a0}b\u{a0}−\u{a0}z·b.";
    }
    if r.thirds() > 0 {
        meaning += " A layer in thirds splits a residue modulo X³ᵈ\u{a0}−\u{a0}z³ into three, modulo \
                    Xᵈ\u{a0}−\u{a0}z, Xᵈ\u{a0}−\u{a0}z·ω and Xᵈ\u{a0}−\u{a0}z·ω², where ω is r to a third of its \
                    order, a third root of unity.";
    }
    let mut section = section("layers", "The layers", meaning);
    let head = ["layer", "distance", "blocks", "first block", "into", "range", "of the word", "beyond products"];
    let mut table = Table { head: strings(head), prose: true, ..Table::default() };
    table.rows.extend(this.layers.iter().map(|layer| row(r, layer)));
    let mut note =
        "Distance: between the two operands of a butterfly. Blocks: residues before the layer, each with a twiddle \
                    of its own. Range: holds every value that the layer computes, whatever the coefficients in (−q, q)."
            .to_owned();
    if this.layers.iter().any(|layer| !layer.reduces.is_empty()) {
        note += " Beyond products: what the layer reduces besides its products.";
    } else {
        table.head.pop();
        table.rows.iter_mut().for_each(|row| drop(row.pop()));
    }
    let twiddles = |layer: &Layer| {
        let powers = layer.twiddles.iter().map(|p| Page.value(p.exponent, p.residue));
        strings([layer.number.to_string(), list(powers, TWIDDLES, layer.blocks)])
    };
    section.tables.push(table);
    section.tables.push(Table {
        meaning: format!("The twiddles, block by block, modulo {}:", r.q()),
        head: strings(["layer", "twiddles"]),
        rows: this.layers.iter().map(twiddles).collect(),
        prose: true,
        ..Table::default()
    });
    section.notes.push(note);
    section
}

/// What the plan proves, and how little it has to reduce for that.
fn proved(this: &Explained<'_>) -> Section {
    let meaning = "Products come out small, but sums grow from layer to layer. This plan proves that no value can leave its \
                   word, for whatever coefficients in (−q, q), and reduces sums only where it must.";
    let mut section = section("ranges", "The ranges", meaning.into());
    section.figures.push(ranges::figure(this.plan, this.lazy));
    section.notes = vec![
        "In the plot red lines are the limits of the word, and orange bars are steps where something is reduced beyond \
         products. in: input, s: slots, p: pointwise products, i: input of the inverse, out: output."
            .into(),
    ];
    section
}

fn row(r: &Recipe, layer: &Layer) -> Vec<Cell> {
    let d = layer.distance;
    let parts: Vec<String> = layer.parts.iter().map(|exponent| Page.modulus(d, *exponent)).collect();
    let word = r.certificate().word();
    let share = layer.range.magnitude() as f64 / word.magnitude() as f64;
    strings([
        layer.number.to_string(),
        d.to_string(),
        layer.blocks.to_string(),
        layer.whole.map_or_else(|| Page.polynomial(r), |exponent| Page.modulus(layer.radix * d, exponent)),
        parts.join(", "),
        layer.range.to_string(),
        percent(share).replace(' ', "\u{a0}"),
        layer.reduces.into(),
    ])
}

/// The same ring at another depth.
fn neighbouring(this: &Explained<'_>, other: &Explained<'_>) -> Section {
    let (r, o) = (this.plan.recipe(), other.plan.recipe());
    let (id, change) = match o.depth() < r.depth() {
        true => ("less", "one layer less"),
        false => ("more", "one layer more"),
    };
    let product = match o.slot_degree() {
        1 => "one product for each slot".into(),
        degree => format!("products of polynomials of {degree} coefficients"),
    };
    let meaning = format!(
        "With {change} than above. {} Pointwise products are {product}. The whole page of this depth: ringwork explain {} \
         {}{} --depth {} --out FILE.html",
        headline(o),
        o.n(),
        o.q(),
        flag(o.ring()),
        o.depth()
    );
    let mut section = section(id, &format!("At depth {}", o.depth()), meaning);
    let drawn = Fold::of(o);
    // The first layers of a large transform are the same.
    if o.depth() != 0 && (drawn.each == 1 || drawn.layers != Fold::of(r).layers) {
        section.figures.push(Figure {
            svg: diagram::svg(o, None),
            caption: format!("The butterflies at depth {}, as above.", o.depth()),
        });
    }
    section
}

fn picture(this: &Explained<'_>) -> Section {
    let r = this.plan.recipe();
    let fold = Fold::of(r);
    let order = if r.thirds() == 0 { "bit-reversed order" } else { "the order in which layers split them" };
    let mut meaning = format!("Coefficients stand at the left in their natural order, slots at the right in {order}.");
    if fold.each > 1 {
        meaning = format!(
            "A row is {} coefficients that follow one another; each of them goes through a butterfly with the one at the \
             same place of the other row. Rows stand at the left in natural order. At the right is what a row has become, \
             a residue of as many coefficients, in {order}",
            fold.each
        );
        meaning += &match r.layers() as usize - fold.layers {
            0 => ": a slot.".into(),
            1 => format!(". Layer {} splits each row further, by butterflies inside it.", fold.layers),
            _ => {
                let last = r.layers() - 1;
                format!(". Layers {} to {last} split each row further, by butterflies inside it.", fold.layers)
            }
        };
    }
    let mut section = section("picture", "The butterflies", meaning);
    let mut caption = "In each butterfly the lower row is multiplied by the twiddle above it. The product is added to \
                       the upper row (blue) and subtracted from it (orange, with a minus). Point at a butterfly to see \
                       its numbers."
        .to_owned();
    if r.thirds() > 0 {
        caption += " In a layer in thirds the second row of three is multiplied by the twiddle (blue) and the third by its \
                    square (red); each of the three sums takes all three, with powers of ω.";
    }
    if let Some(lazy) = this.lazy {
        let [forward, ..] = lazy.counts();
        caption += &format!(
            " LazyNTT with t\u{a0}=\u{a0}{}: a row marked S, in red, is a plain product that is left unreduced ({} of \
             them); one marked M, in black, a product that is reduced ({}); a dashed row meets none. (As figures 1 and 2 \
             of the paper on LazyNTT.)",
            lazy.t(),
            forward.exact_products,
            forward.products,
        );
    }
    section.figures.push(Figure { svg: diagram::svg(r, this.lazy.map(Lazy::proved)), caption });
    section
}

fn slots(this: &Explained<'_>) -> Section {
    let (degree, thirds) = (this.plan.recipe().slot_degree(), this.plan.recipe().thirds() > 0);
    let product = match degree {
        1 => "Each is one number, so a pointwise product is one product modulo q.".into(),
        _ => format!(
            "Each is a polynomial of {degree} coefficients; slots are multiplied as such, modulo {}\u{a0}−\u{a0}rᵉ.",
            Page.power("X", degree)
        ),
    };
    let meaning = format!("Slots are numbered by their exponents e. {product}");
    let mut section = section("slots", "The slots", meaning);
    section.tables.push(slot_table(this));
    section.notes = vec![format!(
        "{}: the place of the slot where layers are done in place, as in the picture. Native: where the plan of this \
             machine leaves it, counted in coefficients from 0; whoever only multiplies never needs to sort.",
        if thirds { "In place" } else { "Bit-reversed" }
    )];
    let factor = this.plan.factor();
    if factor.residue != 1 {
        section.notes.push(format!(
            "This plan leaves every slot multiplied by {}, which is k to the power {} of K-RED; the inverse removes it.",
            factor.residue, factor.k
        ));
    }
    section
}

fn slot_table(this: &Explained<'_>) -> Table {
    let (r, all) = (this.plan.recipe(), this.plan.recipe().slots());
    let shown = if r.n() <= LARGEST { all } else { all.min(SLOTS) };
    let row = |slot: &Slot| {
        strings([
            slot.number.to_string(),
            Page.modulus(r.slot_degree(), slot.power.exponent),
            Page.value(slot.power.exponent, slot.power.residue),
            slot.reversed.to_string(),
            list(slot.positions.iter().map(usize::to_string), TWIDDLES, r.slot_degree()),
        ])
    };
    let mut rows: Vec<Vec<Cell>> = this.slots.iter().take(shown).map(row).collect();
    if all > shown {
        rows.push(strings(["…".to_owned(), format!("{} more", all - shown)]));
    }
    let reversed = if r.thirds() == 0 { "bit-reversed" } else { "in place" };
    let head = strings(["slot", "modulo", "root", reversed, "native"]);
    Table { head, rows, prose: true, ..Table::default() }
}

fn inverse(this: &Explained<'_>) -> Section {
    let (r, q) = (this.plan.recipe(), this.plan.modulus());
    let slots = r.slots() as u64;
    let of_thirds = match r.thirds() {
        0 => String::new(),
        thirds => format!("·3{}", raised(thirds as usize)),
    };
    let meaning = format!(
        "The inverse runs the layers from the last to the first. From s\u{a0}=\u{a0}a\u{a0}+\u{a0}w·b and \
         t\u{a0}=\u{a0}a\u{a0}−\u{a0}w·b it makes s\u{a0}+\u{a0}t\u{a0}=\u{a0}2a and (s\u{a0}−\u{a0}t)·w⁻¹\u{a0}=\u{a0}2b. \
         The doublings of all layers make 2{}\u{a0}=\u{a0}{slots}; the last layer to run, layer 0, divides them out, as a \
         product with {slots}⁻¹\u{a0}=\u{a0}{} modulo {}.",
        raised(r.depth() as usize) + &of_thirds,
        q.inv(slots % r.q()),
        r.q()
    );
    let meaning = match r.ring() {
        Ring::Trinomial => {
            meaning + " In this ring it makes half of b from the difference, and takes that off half the sum."
        }
        _ => meaning,
    };
    let meaning = match r.thirds() {
        0 => meaning,
        _ => {
            meaning
                + " Of three residues s, t and u of a layer in thirds it makes 3a as their sum, and 3b and 3c from \
                   (s\u{a0}−\u{a0}t\u{a0}−\u{a0}d)·w⁻¹ and (s\u{a0}−\u{a0}u\u{a0}+\u{a0}d)·w⁻² with \
                   d\u{a0}=\u{a0}ω·(t\u{a0}−\u{a0}u)."
        }
    };
    section("inverse", "The way back", meaning)
}
