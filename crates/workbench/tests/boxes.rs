//! Labels of pictures, where a browser puts them: `CHROMIUM` names one, and `cargo xtask labels` finds it.

use crate::desk::Desk;
use std::{env, process::Command};

/// Says which labels leave their picture, and by how much the page is wider than the window.
const SCRIPT: &str = "<script>
document.querySelectorAll('details').forEach(details => details.open = true);
const found = [];
for (const svg of document.querySelectorAll('svg')) {
  const box = svg.getBoundingClientRect();
  for (const text of svg.querySelectorAll('text')) {
    const label = text.getBoundingClientRect();
    const out = Math.max(box.left - label.left, label.right - box.right, box.top - label.top, label.bottom - box.bottom);
    if (label.width > 0 && out > 1) found.push(`${svg.getAttribute('aria-label')}: ${text.textContent} by ${out}`);
  }
}
const wider = document.documentElement.scrollWidth - window.innerWidth;
if (wider > 0) found.push(`the page by ${wider}`);
const shown = document.querySelectorAll('svg text').length;
document.body.innerHTML = '';
document.body.append(`LABELS ${shown}\\n`, found.map(line => `OUT ${line}\\n`).join(''), 'END');
</script>";

/// What is outside of its box at that width, and how many labels there are.
fn outside(desk: &Desk, page: &str, width: u32) -> (Vec<String>, usize) {
    let with_script = desk.read(page).replace("</body>", &format!("{SCRIPT}</body>"));
    desk.put("measured.html", with_script);
    let browser = env::var_os("CHROMIUM").expect("CHROMIUM names it");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--dump-dom"])
        .arg(format!("--window-size={width},900"))
        .arg(format!("file://{}", desk.path("measured.html").display()))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("END"), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let labels = text.split("LABELS ").nth(1).and_then(|rest| rest.lines().next()?.parse().ok()).unwrap();
    (text.lines().filter_map(|line| line.strip_prefix("OUT ").map(str::to_owned)).collect(), labels)
}

#[test]
#[ignore = "`cargo xtask labels` runs it"]
fn labels_stay_in_their_boxes() {
    let desk = Desk::new();
    desk.run("report --quick").is(0);
    desk.run("explain 256 3329 --out kyber.html").is(0);
    desk.run("explain 1024 12289 --out large.html").is(0);
    desk.run("explain --example bakkebo-3 --out thirds.html").is(0);
    desk.run("processor trace decrypt --set small --machine paper --out trace.html").is(0);
    for page in ["report.html", "kyber.html", "large.html", "thirds.html", "trace.html"] {
        for width in [1280, 390] {
            let (out, labels) = outside(&desk, page, width);
            assert!(labels > 20, "{page} has {labels} labels");
            assert!(out.is_empty(), "{page} at {width} pixels: {out:#?}");
        }
    }
}
