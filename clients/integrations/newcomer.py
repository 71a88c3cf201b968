"""A first verdict with our client for Python."""

import os

from battery_travel import Client, Question

question = Question(model_id="anker-a1263", origin="US", destination="GB", airline="BA")
with Client(os.environ["ADDRESS"]) as client:
    answer = client.verify(question)
print("clear to pack" if answer.clear_to_pack() else answer.why_not().message)
