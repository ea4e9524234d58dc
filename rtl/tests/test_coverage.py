"""With P1 every line of the sources is run by some test, but for those of holes.txt, each with its reason."""

import re
from collections import Counter

import pytest
import test_campaign
import test_sampler
import tools

HOLES = tools.RTL / "tests" / "holes.txt"


def points(path):
    """Counts of the points of the sources in coverage.dat: file, text of the line, kind of point."""
    counts = Counter()
    for entry, count in re.findall(r"^C '(.*)' (\d+)$", path.read_text(errors="replace"), re.M):
        fields = dict(field.split("\x02", 1) for field in entry.split("\x01") if "\x02" in field)
        file = tools.RTL / "src" / fields["f"].rsplit("/", 1)[-1]
        if "/src/" in fields["f"]:
            line = file.read_text().splitlines()[int(fields["l"]) - 1]
            counts[file.name, line.strip(), fields["o"]] += int(count)
    return counts


def listed():
    return {tuple(line.split(": ", 2)) for line in HOLES.read_text().splitlines() if line and not line.startswith("#")}


def holes(counts):
    return {(file, kind, line) for (file, line, kind), count in counts.items() if count == 0}


@pytest.mark.skipif(not tools.LONG, reason="takes minutes: RTL_LONG=1")
def test_lines():
    counts = Counter()
    # Twiddles of PAPER in more registers than the model has.
    runs = [tools.simulate("test_paper", "p1", "verilator", {"FAST": 0, "TABLE": 8}, coverage=True, RTL_TABLE="8")]
    runs += [test_campaign.play("p1", machine, "source", 4, coverage=True)[1] for machine in tools.MACHINES]
    run = test_sampler.alone("p1", coverage=True)
    tools.output([run], "\n".join(" ".join(map(str, line)) for line in test_sampler.to_the_end("p1")), run.parent)
    for directory in [*runs, run.parent]:
        counts.update(points(directory / "coverage.dat"))
    print(f"{sum(count > 0 for count in counts.values())} of {len(counts)} points")
    assert len(counts) > 300
    assert holes(counts) == listed()


def test_a_hole_is_found():
    counts = Counter({("a.sv", "x <= 1;", "if"): 0, ("a.sv", "y <= 1;", "else"): 3})
    assert holes(counts) == {("a.sv", "if", "x <= 1;")}
