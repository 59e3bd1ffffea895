"""The same index by polars' join_asof and pandas' merge_asof, in floating point.

usage: replay_peers.py FOLDER TICKS LEGS, where FOLDER has ticks.f64 (microseconds), weights.f64, and at-N.f64 and mid-N.f64 a leg.
Writes levels.f64 (100 x the weighted mean) and prints the CPU seconds of each as JSON. One thread each.
"""
import json
import os
import sys
import time

os.environ["POLARS_MAX_THREADS"] = "1"
import numpy as np
import pandas as pd
import polars as pl

folder, count, legs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
read = lambda name: np.fromfile(f"{folder}/{name}.f64", dtype="<f8")
ticks = read("ticks").astype(np.int64)
weights = read("weights")
ats = [read(f"at-{leg}").astype(np.int64) for leg in range(legs)]
mids = [read(f"mid-{leg}") for leg in range(legs)]


def with_polars():
    left = pl.DataFrame({"at": ticks}).set_sorted("at")
    level = np.zeros(count)
    for leg, right in enumerate(polars_legs):
        level += weights[leg] * left.join_asof(right, on="at", strategy="backward")["mid"].to_numpy()
    return level * 100


def with_pandas():
    left = pd.DataFrame({"at": ticks})
    level = np.zeros(count)
    for leg, right in enumerate(pandas_legs):
        level += weights[leg] * pd.merge_asof(left, right, on="at")["mid"].to_numpy()
    return level * 100


polars_legs = [pl.DataFrame({"at": at, "mid": mid}).set_sorted("at") for at, mid in zip(ats, mids)]
pandas_legs = [pd.DataFrame({"at": at, "mid": mid}) for at, mid in zip(ats, mids)]
seconds, levels = {}, {}
for name, work in (("polars", with_polars), ("pandas", with_pandas)):
    started = time.process_time()
    levels[name] = work()
    seconds[name] = time.process_time() - started
assert np.max(np.abs(levels["polars"] - levels["pandas"])) < 1e-9
levels["polars"].astype("<f8").tofile(f"{folder}/levels.f64")
print(json.dumps(seconds))
