//! What was decided about a plan, and what attacks cost: answers with a structure, as JSON.

use crate::{answers::keep, bytes};
use ntt::{AnyPlan, Direction, Interval, Recipe};
use ringwork::estimate::{AttackCost, Attacks, Error, Lwe, Modulus, Norm, Ntru, NtruLattice, Reduction, Sis};
use serde_json::{Value, json};

fn pair(range: &Interval) -> Value {
    // Numbers of JavaScript are exact up to 2^53 alone.
    json!([range.lo.to_string(), range.hi.to_string()])
}

/// Twiddles of a layer that are listed at most.
const LISTED: usize = 32;

/// The twiddles of every layer, block by block, as powers of the root.
fn twiddles(recipe: &Recipe) -> Vec<Vec<usize>> {
    let mut residues = vec![recipe.ring().exponent(recipe.order())];
    let mut layer = |layer| {
        let split = |exponent: &usize| recipe.parts(layer, *exponent);
        let twiddles = residues.iter().filter_map(|exponent| split(exponent).next()).collect();
        residues = residues.iter().flat_map(split).take(LISTED).collect();
        twiddles
    };
    (0..recipe.layers() as usize).map(&mut layer).collect()
}

fn described(recipe: &Recipe) -> Value {
    let certificate = recipe.certificate();
    let layers = |ranges: &[Interval], direction| {
        let steps = recipe.schedules().steps(direction);
        ranges
            .iter()
            .zip(steps)
            .map(|(range, step)| json!({ "range": pair(range), "step": step.name() }))
            .collect::<Vec<_>>()
    };
    json!({
        "n": recipe.n(), "q": recipe.q().to_string(), "root": recipe.root().to_string(),
        "method": recipe.method().name(), "backend": recipe.backend().name(), "lanes": recipe.lanes(),
        "slots": recipe.slots(), "slotDegree": recipe.slot_degree(), "cycles": recipe.estimated_cycles(),
        "twiddles": twiddles(recipe),
        "radices": (0..recipe.layers() as usize).map(|layer| recipe.radix(layer)).collect::<Vec<_>>(),
        "word": pair(&certificate.word()), "input": pair(&certificate.input()),
        "slotRange": pair(&certificate.slots()), "products": pair(&certificate.products()),
        "normalized": pair(&certificate.normalized()), "inverseInput": pair(&certificate.inverse_input()),
        "output": pair(&certificate.output()),
        "forward": layers(certificate.forward(), Direction::Forward),
        "inverse": layers(certificate.inverse(), Direction::Inverse),
    })
}

/// What was decided about a plan, and the ranges that were proved, as the text that is kept.
///
/// # Safety
/// The plan is from `ringwork_plan_new`, and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_plan_describe(plan: *const AnyPlan) {
    // SAFETY: as the caller promises.
    let plan = unsafe { &*plan };
    let transforms: Vec<Value> = match (plan.recipe(), plan.crt_recipe()) {
        (Some(recipe), _) => vec![described(recipe)],
        (None, Some(recipe)) => recipe.channels().iter().map(described).collect(),
        (None, None) => Vec::new(),
    };
    keep(json!({ "channels": plan.recipe().is_none(), "tables": plan.table_words(), "transforms": transforms }));
}

/// The costs of all attacks on a problem, a JSON object, as the text that is kept: an object with `error` if the problem
/// makes no sense.
///
/// # Safety
/// The pointer is to so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_estimate(problem: *const u8, length: usize) {
    // SAFETY: as the caller promises.
    let text = unsafe { bytes(problem, length) };
    let read = serde_json::from_slice(text).map_err(|error| error.to_string());
    keep(read.and_then(|problem| estimated(&problem)).unwrap_or_else(|error| json!({ "error": error })));
}

fn estimated(problem: &Value) -> Result<Value, String> {
    let said = |name: &str| problem[name].as_str().ok_or_else(|| format!("{name} is missing, or no text"));
    let number = |name: &str| problem[name].as_f64().ok_or_else(|| format!("{name} is missing, or no number"));
    let whole = |name: &str| {
        let value = number(name)?;
        let most = (usize::MAX as f64).min(2_f64.powi(53));
        if (0.0..=most).contains(&value) && value.fract() == 0.0 {
            Ok(value as usize)
        } else {
            Err(format!("{name} is {value}, not a whole number up to {most}"))
        }
    };
    let optional = |name: &str| if problem[name].is_null() { Ok(None) } else { whole(name).map(Some) };
    let shape = |name: &str| said(name)?.parse().map_err(|error| format!("{name}: {error}"));
    let n = whole("n")?;
    let q = if problem["logQ"].is_null() { Modulus::Integer(number("q")?) } else { Modulus::Log2(number("logQ")?) };
    let models = Reduction {
        cost: said("model")?.parse().map_err(|error| format!("model: {error}"))?,
        form: said("basis")?.parse().map_err(|error| format!("basis: {error}"))?,
    };
    let (attacks, warning) = match said("problem")? {
        "lwe" => {
            let lwe = Lwe { n, q, secret: shape("secret")?, error: shape("error")?, samples: optional("samples")? };
            (lwe.attacks(models), lwe.warning())
        }
        "ntru" => {
            let ntru = Ntru { n, q, f: shape("secret")?, g: shape("error")? };
            (ntru.attacks(NtruLattice::Circulant, models), ntru.security().err().map(|error| error.to_string()))
        }
        "sis" => {
            let norm = if problem["infinity"].as_bool() == Some(true) { Norm::Infinity } else { Norm::Euclidean };
            (Sis { n, q, bound: number("bound")?, norm, width: optional("width")? }.attacks(models), None)
        }
        other => return Err(format!("problem {other:?} is none of \"lwe\", \"ntru\", \"sis\"")),
    };
    costs(&attacks).map(|attacks| json!({ "attacks": attacks, "warning": warning }))
}

/// **Errors** if the numbers make no sense to any attack.
fn costs(attacks: &Attacks) -> Result<Vec<Value>, String> {
    let senseless = |error: &Error| !matches!(error, Error::OutOfReach(_) | Error::Unmodelled(_));
    if let Some((_, Err(error))) = attacks.iter().find(|(_, found)| found.as_ref().is_err_and(senseless)) {
        return Err(error.to_string());
    }
    let finite = |bits: f64| bits.is_finite().then_some(bits);
    let cost = |(name, found): &(&str, Result<AttackCost, Error>)| match found {
        Ok(cost) => {
            let parameters: serde_json::Map<String, Value> =
                cost.parameters().map(|(name, value)| (name.to_string(), json!(value))).collect();
            json!({ "attack": name, "bits": finite(cost.rop), "memoryBits": finite(cost.mem), "parameters": parameters })
        }
        Err(reason) => json!({ "attack": name, "bits": null, "reason": reason.to_string() }),
    };
    Ok(attacks.iter().map(cost).collect())
}
