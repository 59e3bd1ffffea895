"""Command that recomputes published levels: one line a level, exit code 1 at the first difference."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .._generated.sync_client import Client
from ..errors import TidemarkError
from .answers import Answers, KeptAnswers, SavedAnswers, ServedAnswers
from .levels import index_ids, verify_index


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command. Exit codes: 0 all reproduced, 1 a difference, 2 wrong usage, 4 no answer."""
    options = _parser().parse_args(arguments)
    if options.file is not None:
        return _run(SavedAnswers(options.file), options.index, options.quiet)
    with Client(options.base_url) as client:
        served = ServedAnswers(client)
        if options.save is None:
            return _run(served, options.index, options.quiet)
        kept = KeptAnswers(served, options.save)
        try:
            return _run(kept, options.index, options.quiet)
        finally:
            kept.close()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tidemark.verify", description=main.__doc__)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--base-url", help="address of a service, without /v1")
    source.add_argument("--file", type=Path, help="answers that --save wrote; no service is asked")
    parser.add_argument("--index", action="append", help="idx_...; may be repeated; left out: every index")
    parser.add_argument("--save", type=Path, help="also write the answers to this file")
    parser.add_argument("--quiet", action="store_true", help="print differences and the total only")
    return parser


def _run(answers: Answers, indexes: Sequence[str] | None, quiet: bool) -> int:
    checked = 0
    try:
        for index_id in indexes or index_ids(answers):
            for item in verify_index(answers, index_id):
                checked += 1
                if not quiet or item.difference is not None:
                    print(item.line(), flush=True)
                if item.difference is not None:
                    return 1
    except TidemarkError as error:
        print(error, file=sys.stderr)
        return 4 if error.code == "SERVICE_UNAVAILABLE" else 2
    print(f"{checked} of {checked} levels reproduced")
    return 0


if __name__ == "__main__":
    sys.exit(main())
