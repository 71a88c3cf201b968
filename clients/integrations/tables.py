"""The datasets, read with polars: models by brand, and the rules that ban."""

import os

import polars

datasets = f"{os.environ['ADDRESS']}/datasets/latest"
devices = polars.read_csv(f"{datasets}/devices.csv", infer_schema_length=None)
rules = polars.read_csv(f"{datasets}/rules.csv", infer_schema_length=None)
assert min(devices.height, rules.height) > 0
print(devices.group_by("brand").len().sort("len", descending=True).head(3).rows())
print(rules.filter(polars.col("effect") == "prohibit").height, "rules prohibit")
