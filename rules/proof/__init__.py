"""The proof of a release: the engine says what the reference program says, for all questions of a kind.

After a release is published, workers compare the two programs (`checking`): the selection of rules for every
class of flights and period, and the verdict on every kind of unit for each distinct set of rules. A set that
was proved once is not proved again. `docs/decisions/0019-three-proofs-of-verdicts.md` says what this proves.
"""
