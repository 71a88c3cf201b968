"""Comments on a record, and who does it until when.

Comments are only added. One that is removed leaves “removed by”, and its words are gone for everyone. Every
step is in the audit log, without the words. Texts are plain: no markup, no links, at most 2,000 characters.
"""
