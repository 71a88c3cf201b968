"""Models made by datamodel-code-generator, filled with an answer."""

import os
import urllib.request
from pathlib import Path

import contract_models

request = urllib.request.Request(
    f"{os.environ['ADDRESS']}/api/verify",
    Path("question.json").read_bytes(),
    {"content-type": "application/json"},
)
with urllib.request.urlopen(request) as answered:
    answer = contract_models.VerifyBody.model_validate_json(answered.read())
print(answer.verdict.value, "with", len(answer.constraints), "constraints")
