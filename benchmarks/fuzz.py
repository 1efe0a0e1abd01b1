"""Hostile input for as long as you like, and a table of what went wrong.

    .venv/bin/python -m benchmarks.fuzz [NAME ...] [--seconds 60] [--seed 1] [--first 0] [--attempts N] [--json]

Each fuzzer runs for that many seconds. A finding is printed with its number; `NAME --seed S --first NUMBER
--attempts 1` makes it again. The exit code is 1 if anything was found.
"""

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from tests.fuzz.fuzzer import Report, run
from tests.fuzz.registry import FUZZERS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(FUZZERS)}; default: all")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long each fuzzer runs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first attempt")
    parser.add_argument("--attempts", type=int, help="how many attempts at most")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in FUZZERS]
    if unknown:
        parser.error(f"unknown fuzzer '{unknown[0]}': expected one of {', '.join(FUZZERS)}")
    reports = []
    for name in arguments.names or FUZZERS:
        with tempfile.TemporaryDirectory() as folder:
            reports.append(
                run(
                    name,
                    FUZZERS[name][0],
                    Path(folder),
                    arguments.seed,
                    arguments.first,
                    arguments.attempts,
                    arguments.seconds,
                )
            )
        if not arguments.json:
            print_report(reports[-1])
    if arguments.json:
        print(json.dumps([asdict(report) for report in reports], indent=2))
    else:
        print_table(reports)
    sys.exit(any(report.findings for report in reports))


def print_report(report: Report) -> None:
    for number, finding in report.findings.items():
        print(f"{report.name} {number}: {finding}", flush=True)


def print_table(reports: list[Report]) -> None:
    print(f"{'fuzzer':14} {'attempts':>9} {'seconds':>8} {'findings':>9}")
    for report in reports:
        print(f"{report.name:14} {report.attempts:9,} {report.seconds:8.1f} {len(report.findings):9}")


if __name__ == "__main__":
    main()
