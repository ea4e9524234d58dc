//! What arrows between the modules of one crate must not do: go in circles, point up, or join what
//! is apart.
//!
//! Where two modules part, the folders in which they are count as one each, so circles are looked
//! for among what stands beside each other in a folder. A folder's own file (`mod.rs`) may name
//! what it holds and be named by it: it is the folder's face and its common ground. The crate's
//! root is no such file: it uses modules, or they use it, not both.

use super::modules::Arrow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// One complaint for each set of modules that use one another in circles.
pub(super) fn circles(arrows: &[Arrow]) -> Vec<String> {
    let folders: BTreeSet<&[String]> = arrows.iter().map(shared).collect();
    folders.into_iter().flat_map(|folder| in_folder(folder, arrows)).collect()
}

/// The innermost folder with both ends.
fn shared(arrow: &Arrow) -> &[String] {
    let length = arrow.from.iter().zip(&arrow.to).take_while(|(a, b)| a == b).count();
    &arrow.from[..length]
}

fn in_folder(folder: &[String], arrows: &[Arrow]) -> Vec<String> {
    let part = |module: &'_ [String]| module.get(folder.len()).cloned().unwrap_or_default();
    let mut graph = Graph::new();
    let own = |arrow: &Arrow| !folder.is_empty() && (arrow.from == folder || arrow.to == folder);
    for arrow in arrows.iter().filter(|arrow| shared(arrow) == folder && !own(arrow)) {
        graph.entry(part(&arrow.from)).or_default().entry(part(&arrow.to)).or_insert(arrow);
    }
    let mut complaints = Vec::new();
    let mut told = BTreeSet::new();
    for start in graph.keys() {
        let Some(circle) = circle(start, &graph) else { continue };
        if told.contains(start) {
            continue;
        }
        let reached = |from: &str| reachable(from, &graph);
        let together: Vec<String> =
            reached(start).into_iter().filter(|other| reached(other).contains(start.as_str())).collect();
        told.extend(together.iter().cloned());
        let steps = circle.iter().map(|arrow| format!("\n    {}: {}", arrow.place, arrow.path));
        let names: Vec<&str> = together.iter().map(|name| if name.is_empty() { "the root" } else { name }).collect();
        let of = if folder.is_empty() { "the crate".to_owned() } else { format!("`{}`", folder.join("::")) };
        complaints.push(format!("circle in {of} among {}:{}", names.join(", "), steps.collect::<String>()));
    }
    complaints
}

type Graph<'a> = BTreeMap<String, BTreeMap<String, &'a Arrow>>;

fn reachable(from: &str, graph: &Graph<'_>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(node) = open.pop() {
        for next in graph.get(&node).into_iter().flat_map(|ways| ways.keys()) {
            if found.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    found
}

/// The shortest way from `start` back to it.
fn circle<'a>(start: &str, graph: &Graph<'a>) -> Option<Vec<&'a Arrow>> {
    let mut open = VecDeque::from([(start.to_owned(), Vec::new())]);
    let mut seen = BTreeSet::new();
    while let Some((node, way)) = open.pop_front() {
        for (next, arrow) in graph.get(&node).into_iter().flatten() {
            let way: Vec<&Arrow> = way.iter().copied().chain([*arrow]).collect();
            if next == start {
                return Some(way);
            }
            if seen.insert(next.clone()) {
                open.push_back((next.clone(), way));
            }
        }
    }
    None
}

/// Arrows from a floor to a higher one; `floors` are the modules and folders below the root, the
/// lowest first.
pub(super) fn upward(arrows: &[Arrow], floors: &[&str]) -> Vec<String> {
    let height = |module: &[String]| match module.first() {
        None => Ok(floors.len()),
        Some(name) => floors.iter().position(|floor| floor == name).ok_or(name.clone()),
    };
    let mut complaints = BTreeSet::new();
    for arrow in arrows {
        match (height(&arrow.from), height(&arrow.to)) {
            (Ok(from), Ok(to)) if from < to => {
                let (from, to) = (arrow.from.join("::"), arrow.path.as_str());
                complaints.insert(format!("{}: upward: `{from}` uses `{to}`", arrow.place));
            }
            (Err(name), _) | (_, Err(name)) => {
                complaints.insert(format!("module `{name}` has no floor: give it one in xtask/src/floors.rs"));
            }
            _ => {}
        }
    }
    complaints.into_iter().collect()
}

/// Arrows between what is in `folder`, which must not know one another.
pub(super) fn sideways(arrows: &[Arrow], folder: &[&str]) -> Vec<String> {
    let within = |module: &[String]| module.len() > folder.len() && module.iter().zip(folder).all(|(a, b)| a == b);
    let between = |arrow: &&Arrow| within(&arrow.from) && within(&arrow.to) && shared(arrow).len() == folder.len();
    let complaint =
        |arrow: &Arrow| format!("{}: sideways: `{}` uses `{}`", arrow.place, arrow.from.join("::"), arrow.path);
    arrows.iter().filter(between).map(complaint).collect()
}
