"""The datasets, read with duckdb: models and their recalls."""

import os
import urllib.request

import duckdb

for name in ("devices", "recalls"):
    urllib.request.urlretrieve(f"{os.environ['ADDRESS']}/datasets/latest/{name}.jsonl", f"{name}.jsonl")
print(
    duckdb.sql(
        "select brand, count(distinct model_id) as models"
        " from 'devices.jsonl' join 'recalls.jsonl' using (model_id) group by brand order by 2 desc limit 3"
    ).fetchall()
)
