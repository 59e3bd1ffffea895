"""The levels of bench/replay.bench.ts by polars' join_asof and pandas' merge_asof, in floating point, one thread each.

usage: replay_peers.py FOLDER TICKS LEGS
input: FOLDER has ticks.f64 (microseconds), weights.f64, and of all legs, one after the other, at.f64 (the instant from which a
    quote is admitted, ascending within a leg) and mid.f64
For every line with a peer's name on standard input: computes all levels, writes them to FOLDER/levels.f64 (100 x the weighted
mean) and prints the CPU seconds it took. Frames are made before the clock starts.
    polars, pandas: one as-of join over all legs (by the leg), then a weighted sum by tick
    polars_loop, pandas_loop: a join of its own for each leg, added up with numpy
"""

import os
import sys
import time
import warnings

os.environ["POLARS_MAX_THREADS"] = "1"
import numpy as np
import pandas as pd
import polars as pl

warnings.filterwarnings("ignore", message="Sortedness")
folder, count, legs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def read(name):
    return np.fromfile(f"{folder}/{name}.f64", dtype="<f8")


ticks = read("ticks").astype(np.int64)
weights = read("weights")
at = read("at").astype(np.int64)
mid = read("mid")
leg = np.repeat(np.arange(legs, dtype=np.int32), count)
tick_leg = {"leg": leg, "at": np.tile(ticks, legs)}
quote_leg = {"leg": leg, "at": at, "mid": mid}


def of_leg(i):
    rows = slice(i * count, (i + 1) * count)
    return {"at": at[rows], "mid": mid[rows]}


def polars():
    left, right = pl.DataFrame(tick_leg).lazy(), pl.DataFrame(quote_leg).lazy()
    by_leg = pl.DataFrame({"leg": np.arange(legs, dtype=np.int32), "weight": weights}).lazy()

    def work():
        joined = left.join_asof(right, on="at", by="leg", strategy="backward", check_sortedness=False)
        weighted = joined.join(by_leg, on="leg").group_by("at").agg((pl.col("mid") * pl.col("weight")).sum())
        return weighted.sort("at").collect()["mid"].to_numpy()

    return work


def pandas():
    left = pd.DataFrame(tick_leg).sort_values("at", kind="stable", ignore_index=True)
    right = pd.DataFrame(quote_leg).sort_values("at", kind="stable", ignore_index=True)

    def work():
        joined = pd.merge_asof(left, right, on="at", by="leg")
        return (joined["mid"] * weights[joined["leg"].to_numpy()]).groupby(joined["at"]).sum().to_numpy()

    return work


def polars_loop():
    left = pl.DataFrame({"at": ticks}).set_sorted("at")
    rights = [pl.DataFrame(of_leg(i)).set_sorted("at") for i in range(legs)]

    def work():
        level = np.zeros(count)
        for i, right in enumerate(rights):
            level += weights[i] * left.join_asof(right, on="at", strategy="backward")["mid"].to_numpy()
        return level

    return work


def pandas_loop():
    left = pd.DataFrame({"at": ticks})
    rights = [pd.DataFrame(of_leg(i)) for i in range(legs)]

    def work():
        level = np.zeros(count)
        for i, right in enumerate(rights):
            level += weights[i] * pd.merge_asof(left, right, on="at")["mid"].to_numpy()
        return level

    return work


PEERS = {"polars": polars, "pandas": pandas, "polars_loop": polars_loop, "pandas_loop": pandas_loop}
for line in sys.stdin:
    work = PEERS[line.strip()]()
    started = time.process_time()
    level = work()
    seconds = time.process_time() - started
    (100 * level).astype("<f8").tofile(f"{folder}/levels.f64")
    print(seconds, flush=True)
