"""A second implementation of the index calculation, with exact decimals, and a verifier of the log.

It is written from the methodology's texts and its worked examples. `python -m tidemark.verify` recomputes published levels.
"""

from .answers import Answers, KeptAnswers, SavedAnswers, ServedAnswers
from .differences import Difference
from .engine import Memory, Tick, conclude, evaluate, replay
from .level import LinkRefused
from .levels import Checked, LevelVerifier, index_ids, verify_index
from .parameters import Parameters, content_hash, decode_parameters
from .published import record_hash

__all__ = [
    "Answers",
    "Checked",
    "Difference",
    "KeptAnswers",
    "LevelVerifier",
    "LinkRefused",
    "Memory",
    "Parameters",
    "SavedAnswers",
    "ServedAnswers",
    "Tick",
    "conclude",
    "content_hash",
    "decode_parameters",
    "evaluate",
    "index_ids",
    "record_hash",
    "replay",
    "verify_index",
]
