"""A client made by openapi-python-client."""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, "made-client")
from battery_travel_compliance_client import Client
from battery_travel_compliance_client.api.verdicts import verify
from battery_travel_compliance_client.models import VerifyRequest

body = VerifyRequest.from_dict(json.loads(Path("question.json").read_text()))
answer = verify.sync(client=Client(os.environ["ADDRESS"]), body=body)
print(answer.verdict.value, "with", len(answer.constraints), "constraints")
