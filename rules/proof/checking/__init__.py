"""Does the engine say what the reference program says, for every question about one model on one flight?

Pure: no Django, no clock, and no I/O but the process of the reference program.

    records     the text of the release, as JSON: which rules say the same, and what each tells apart
    reference   the reference program as a child process
    flights     which rules are in force, for every class of flights and period; the distinct sets of rules
    cells       the kinds of units that the rules of a set tell apart
    made_up     a model for each energy, status and certificate, so that each kind can be asked
    judging     what both programs say
    promises    where one fact gets worse, the verdict is never milder
    sets        proves one set of rules
    findings    what differs, with questions that show it
"""
