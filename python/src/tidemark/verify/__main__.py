"""Command that recomputes published levels: one line a level, exit code 1 at the first difference."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .._generated.sync_client import Client
from .._instants import parse_instant
from ..errors import TidemarkError
from .answers import Answers, KeptAnswers, SavedAnswers, ServedAnswers
from .levels import Checked, index_ids, verify_index, verify_observation, verify_saved, verify_tick
from .sequence import LevelSequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command. Exit codes: 0 all reproduced, 1 a difference, 2 wrong usage, 4 no answer."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.observation is not None and len(options.index or ()) != 1:
        parser.error(f"--observation needs one --index; got {len(options.index or ())}")
    try:
        return _open(options)
    except (TidemarkError, OSError) as error:
        print(error, file=sys.stderr)
        return 2


def _open(options: argparse.Namespace) -> int:
    if options.file is not None:
        return _run(SavedAnswers(options.file), options)
    with Client(options.base_url) as client:
        served = ServedAnswers(client)
        if options.save is None:
            return _run(served, options)
        kept = KeptAnswers(served, options.save)
        try:
            return _run(kept, options)
        finally:
            kept.close()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tidemark.verify", description=main.__doc__)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--base-url", help="address of a service, without /v1")
    source.add_argument("--file", type=Path, help="answers that --save wrote; no service is asked")
    parser.add_argument("--index", action="append", help="idx_...; may be repeated; left out: every index")
    level = parser.add_mutually_exclusive_group()
    level.add_argument("--tick", type=_instant, help="instant; recompute only the revisions of this tick")
    level.add_argument("--observation", help="iob_...; recompute only this level of the one --index")
    parser.add_argument("--save", type=Path, help="also write the answers to this file")
    parser.add_argument("--quiet", action="store_true", help="print differences and the total only")
    return parser


def _instant(text: str) -> str:
    try:
        parse_instant(text, "tick")
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


@dataclass
class _Progress:
    """Place of a verification: the index, and the levels that were reproduced before."""

    index_id: str | None = None
    reproduced: int = 0

    def stopped(self, error: TidemarkError) -> str:
        """Returns the line about an error that ends the verification."""
        place = "list of indexes" if self.index_id is None else self.index_id
        return f"{place}: {error} ({self.reproduced} levels reproduced before)"


_PASSING_STATUS = frozenset((429, 503, 504))


def _run(answers: Answers, options: argparse.Namespace) -> int:
    progress = _Progress()
    try:
        return _verify(answers, options, progress)
    except TidemarkError as error:
        print(progress.stopped(error), file=sys.stderr)
        unanswered = error.code == "SERVICE_UNAVAILABLE" or error.retryable or error.status in _PASSING_STATUS
        return 4 if unanswered else 2


def _verify(answers: Answers, options: argparse.Namespace, progress: _Progress) -> int:
    empty = []
    for index_id in options.index or _index_ids(answers):
        before, sequence = progress.reproduced, LevelSequence()
        progress.index_id = index_id
        for item in _levels(answers, index_id, options, sequence):
            if not options.quiet or item.difference is not None:
                print(item.line(), flush=True)
            if item.difference is not None:
                return 1
            progress.reproduced += 1
        if (gaps := sequence.gaps()) is not None:
            print(f"note: {index_id}: {gaps}")
        if progress.reproduced == before:
            empty.append(index_id)
    return _concluded(options, progress.reproduced, empty)


def _concluded(options: argparse.Namespace, reproduced: int, empty: Sequence[str]) -> int:
    """Prints the total. An index without levels that was asked for by name, or nothing at all, is no success."""
    tick = "" if options.tick is None else f" of tick {options.tick}"
    is_named = options.index is not None and options.tick is None
    if reproduced == 0 or (is_named and empty):
        print(f"there is no level{tick} of {', '.join(empty) or 'any index'}", file=sys.stderr)
        return 2
    print(f"{reproduced} of {reproduced} levels reproduced")
    return 0


def _index_ids(answers: Answers) -> list[str]:
    return answers.index_ids() if isinstance(answers, SavedAnswers) else index_ids(answers)


def _levels(answers: Answers, index_id: str, options: argparse.Namespace, sequence: LevelSequence) -> Iterator[Checked]:
    if isinstance(answers, SavedAnswers):
        return verify_saved(answers, index_id, options.tick, options.observation, sequence)
    if options.observation is not None:
        return iter((verify_observation(answers, index_id, options.observation),))
    if options.tick is not None:
        return verify_tick(answers, index_id, options.tick)
    return verify_index(answers, index_id, sequence)


if __name__ == "__main__":
    sys.exit(main())
