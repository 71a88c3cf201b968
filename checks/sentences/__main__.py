"""Asks any number of generated sentences, on all processors: `make sentences COUNT=1000000`.

It prints each sentence whose answer is more lenient than its words, or whose unknown word is ignored, and
then fails.
"""

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor

import django

django.setup()

from checks.sentences.trying import Found, try_sentences  # noqa: E402 - Django comes first
from compliance.starter_corpus.release import starter_release  # noqa: E402

BATCH = 5_000


def main() -> int:
    """Try sentences in batches, each with its own seed, and print the findings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    batches = range(given.seed, given.seed + max(1, given.count // BATCH))
    tried = answered = milder = ignoring = 0
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(_batch, batches):
            tried, answered = tried + found.tried, answered + found.answered
            milder, ignoring = milder + len(found.milder), ignoring + len(found.ignoring)
            for text in found.milder:
                sys.stdout.write(f"more lenient than its words: {text}\n")
            for text in found.ignoring:
                sys.stdout.write(f"a word was ignored: {text}\n")
    sys.stdout.write(
        f"{tried} sentences, {answered} answered at once, {milder} more lenient than their words; "
        f"{tried} with an unknown word, {ignoring} answered in spite of it\n"
    )
    return 1 if milder or ignoring else 0


def _batch(seed: int) -> Found:
    return try_sentences(starter_release(), seed, BATCH)


if __name__ == "__main__":
    sys.exit(main())
