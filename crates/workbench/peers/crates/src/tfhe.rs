//! tfhe-ntt: negacyclic, slots canonical and in bit-reversed order, `1/n` in its slot product or apart.

use super::{Made, Work, digest, sample};
use std::hint::black_box;
use tfhe_ntt::{prime32, prime64};

macro_rules! jobs {
    ($plan:expr, $word:ty, $work:expr, $n:expr, $q:expr) => {{
        let plan = $plan.ok_or("no such transform")?;
        let words = |operand| sample($n, $q, operand).into_iter().map(|x| x as $word).collect::<Vec<_>>();
        let (a, b) = (words(1), words(2));
        let (mut x, mut y) = (a.clone(), b.clone());
        match $work {
            Work::Forward => (Box::new(move || plan.fwd(black_box(&mut x))) as Box<dyn FnMut()>, 0),
            Work::Unscaled => (Box::new(move || plan.inv(black_box(&mut x))) as Box<dyn FnMut()>, 0),
            Work::Inverse => {
                let run = move || {
                    plan.inv(black_box(&mut x));
                    plan.normalize(&mut x);
                };
                (Box::new(run) as Box<dyn FnMut()>, 0)
            }
            Work::Columns(_) | Work::Extension(_) => return Err("it has no columns".into()),
            Work::Product => {
                let product = move |x: &mut [$word], y: &mut [$word]| {
                    x.copy_from_slice(black_box(&a));
                    y.copy_from_slice(black_box(&b));
                    plan.fwd(x);
                    plan.fwd(y);
                    plan.mul_assign_normalize(x, y);
                    plan.inv(x);
                };
                product(&mut x, &mut y);
                let digest = digest(x.iter().map(|&x| x as u64));
                (Box::new(move || product(black_box(&mut x), &mut y)) as Box<dyn FnMut()>, digest)
            }
        }
    }};
}

pub(super) fn make(work: Work, n: usize, q: u64) -> Result<Made, String> {
    Ok(if q < 1 << 32 {
        jobs!(prime32::Plan::try_new(n, q as u32), u32, work, n, q)
    } else {
        jobs!(prime64::Plan::try_new(n, q), u64, work, n, q)
    })
}
