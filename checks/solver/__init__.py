"""`make solver`: a solver (z3) looks for facts that break a promise about verdicts, and finds none.

It reads a release, finds each distinct set of rules that can be in force on a flight (`sets`), and writes the
verdict of such a set as a formula over the facts of a unit (`encoding`). For each promise ("more units never
make a verdict milder", `promises`) it asks z3 for facts that break it. No answer means that there are none:
for any energy, not only those of the catalog. If there are some, `asking` puts them to the engine as a
question, which shows the fault.

The formula is written from docs/how-a-verdict-is-made.md. The release is read by the reference program
(`clients/reference`), so nothing here depends on the engine but the last step. Decision 19 says what this
proves and what it does not.
"""
