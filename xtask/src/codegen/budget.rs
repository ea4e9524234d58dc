//! What the engine may cost those who build it: `xtask/budget.txt`, which only a hand writes.

/// What is limited.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cost {
    pub(super) name: &'static str,
    pub(super) now: usize,
}

/// Where the engine costs more than the budget allows. What has no row is allowed 0.
pub(super) fn exceeded(budget: &str, costs: &[Cost]) -> Result<Vec<String>, String> {
    let rows = rows(budget)?;
    if let Some((name, _)) = rows.iter().find(|(name, _)| !costs.iter().any(|cost| cost.name == *name)) {
        return Err(format!("nothing is counted that is called `{name}`"));
    }
    let allowed = |name: &str| rows.iter().find(|(row, _)| *row == name).map_or(0, |(_, allowed)| *allowed);
    let above = costs.iter().filter(|cost| cost.now > allowed(cost.name));
    Ok(above.map(|cost| format!("{}: {}, of {} that may be", cost.name, cost.now, allowed(cost.name))).collect())
}

/// `name: number`, beside comments.
fn rows(text: &str) -> Result<Vec<(&str, usize)>, String> {
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(row).collect()
}

fn row(line: &str) -> Result<(&str, usize), String> {
    let (name, number) = line.split_once(": ").ok_or_else(|| format!("this is no row: {line}"))?;
    let number = number.replace(',', "").parse().map_err(|_| format!("this is no number: {line}"))?;
    Ok((name, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: &str = "# Shells.\n\nshells: 302\nbytes: 2,600,000\n";

    fn costs(shells: usize, bytes: usize) -> [Cost; 2] {
        [Cost { name: "shells", now: shells }, Cost { name: "bytes", now: bytes }]
    }

    #[test]
    fn growth_past_the_budget_is_named() {
        assert_eq!(exceeded(BUDGET, &costs(302, 2_600_000)), Ok(vec![]));
        assert_eq!(exceeded(BUDGET, &costs(1, 1)), Ok(vec![]));
        assert_eq!(exceeded(BUDGET, &costs(303, 0)), Ok(vec!["shells: 303, of 302 that may be".into()]));
        assert_eq!(exceeded("shells: 302", &costs(1, 1)), Ok(vec!["bytes: 1, of 0 that may be".into()]));
    }

    #[test]
    fn a_row_that_limits_nothing_is_refused() {
        assert!(exceeded("shels: 3", &costs(1, 0)).unwrap_err().contains("shels"));
        assert!(exceeded("shells 3", &costs(1, 0)).is_err());
        assert!(exceeded("shells: many", &costs(1, 0)).is_err());
    }
}
