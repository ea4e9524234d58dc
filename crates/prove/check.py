"""Asks solvers every question of files: `check.py SECONDS FILES`; every answer must be `unsat`, but one of a mutant.

Prints what is not, the slowest files of each solver, and the number of answers. SECONDS is the limit for one answer.
"""

import concurrent.futures
import os
import subprocess
import sys
import time


def questions(text):
    """For each question its name: the proof, and the claim."""
    names, proof = [], ""
    for line in text.splitlines():
        if line.startswith("; claim: "):
            names.append(f"{proof}: {line[9:]}")
        elif line.startswith("; "):
            proof = line[2:]
    return names


def z3(path, seconds):
    """The program that the package brings."""
    program = os.path.join(os.path.dirname(sys.executable), "z3")
    command = [program, f"-t:{1000 * seconds}", path]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()


def cvc5(path, seconds):
    """By its parser for these files."""
    import cvc5 as package

    solver = package.Solver()
    solver.setOption("incremental", "true")
    solver.setOption("tlimit-per", str(1000 * seconds))
    symbols = package.SymbolManager(solver.getTermManager())
    parser = package.InputParser(solver, symbols)
    parser.setFileInput(package.InputLanguage.SMT_LIB_2_6, path)
    answers = []
    while not (command := parser.nextCommand()).isNull():
        answers += str(command.invoke(solver, symbols)).split("\n")
    return [answer for answer in answers if answer]


SOLVERS = {"z3": z3, "cvc5": cvc5}

# What is known not to come out, by file and beginning of the claim, and why.
WRONG_GUESS = "a lemma guessed from samples is wrong here"
GAPS = {
    ("ifma-64-1125899906842679.smt2", "mulvar "): WRONG_GUESS,
    ("k-red-2x-16-3329.smt2", "mulvar ±2520 [0, 3328]"): WRONG_GUESS,
    ("ifma-64-5.smt2", "mulvar ±4 ±4"): "cvc5 takes most of a minute; z3 answers in seconds",
}


def without(text, refuted):
    """The text without those of its questions, and without what they would have granted."""
    blocks = text.split("; claim: ")
    for i in refuted:
        _, after = blocks[i + 1].split("(pop 1)\n", 1)
        blocks[i + 1] = after.split("\n", 1)[1]
    # A block without its question continues the one before.
    kept = [blocks[0]]
    for i, block in enumerate(blocks[1:]):
        if i in refuted:
            kept[-1] += block
        else:
            kept.append(block)
    return "; claim: ".join(kept)


def ask(solver, path, seconds):
    """What is not `unsat`, how many questions there are, and how long they took."""
    with open(path, encoding="utf-8") as file:
        names = questions(file.read())
    start = time.monotonic()
    answers = SOLVERS[solver](path, seconds)
    mutant = os.path.basename(path).startswith("mutant-")
    # A lemma is a guess, and a wrong one is dropped: nothing else may rest on it.
    while not mutant and (
        refuted := [
            i for i, (name, answer) in enumerate(zip(names, answers)) if answer == "sat" and name.endswith(": lemma")
        ]
    ):
        with open(path, encoding="utf-8") as file:
            text = without(file.read(), refuted)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        names = questions(text)
        answers = SOLVERS[solver](path, seconds)
    took = time.monotonic() - start
    if mutant:
        return [] if "sat" in answers else ["a wrong claim is not refuted"], len(names), took
    wrong = [f"{name}: {answer}" for name, answer in zip(names, answers) if answer != "unsat"]
    if len(answers) != len(names):
        wrong.append(f"{len(names)} questions, but {len(answers)} answers: {answers[-1:]}")
    return wrong, len(names), took


def main():
    seconds, paths = int(sys.argv[1]), sys.argv[2:]
    if paths == ["-"]:
        paths = sys.stdin.read().split()
    failed, known = 0, set()
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for solver in SOLVERS:
            results = list(pool.map(ask, [solver] * len(paths), paths, [seconds] * len(paths), chunksize=4))
            for path, (wrong, _, _) in zip(paths, results):
                name = os.path.basename(path)
                for reason in wrong:
                    gaps = (why for (file, claim), why in GAPS.items() if file == name and reason.startswith(claim))
                    gap = next(gaps, None)
                    print(f"{solver}: {name}: {reason}" + (f" (known: {gap})" if gap else ""))
                    failed += gap is None
                    if gap:
                        known.add((name, reason))
            times = sorted(((took, path) for path, (_, _, took) in zip(paths, results)), reverse=True)
            for took, path in times[:3]:
                print(f"{solver}: {took:.2f} s for {os.path.basename(path)}")
            count, total = sum(count for _, count, _ in results), sum(took for took, _ in times)
            print(f"{solver}: {count} questions in {len(paths)} files, {total:.0f} s of one core", flush=True)
    print(f"{failed} claims are not proved, and {len(known)} of the known gaps")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
