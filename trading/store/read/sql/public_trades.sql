-- One page of trades of a market or an outcome, and their corrections, by engine_sequence.
--
-- params   $1 text market_id   $2 text outcome_id, with the trades of the other outcome that met its orders; null: each trade once
--          $3 bigint engine_sequence, exclusive   $4 timestamptz inclusive, or null: from the first one on
--          $5 timestamptz exclusive   $6 integer rows at most
-- returns  rows of engine_event of kinds trade and trade_correction, and at: when the event happened
-- rule     sequences and stamps grow together, so a stretch of time is one of sequences; a trade with segments is of both outcomes
WITH bounds AS (
  SELECT greatest($3::bigint,
           coalesce((SELECT last_engine_sequence FROM trading.engine_batch WHERE at < $4::timestamptz ORDER BY at DESC LIMIT 1), 0)) AS after,
         coalesce((SELECT last_engine_sequence FROM trading.engine_batch WHERE at < $5::timestamptz ORDER BY at DESC LIMIT 1), 0) AS upto
)
SELECT e.engine_sequence, e.batch_sequence, e.kind, e.account_id, e.body,
       (SELECT b.at FROM trading.engine_batch b WHERE b.batch_sequence = e.batch_sequence) AS at
FROM trading.market AS m
JOIN trading.market_outcome AS o USING (market_id)
CROSS JOIN (VALUES ('trade'), ('trade_correction')) AS k (kind)
CROSS JOIN LATERAL (
  SELECT *
  FROM trading.engine_event
  WHERE account_id IS NULL
    AND coalesce(body ->> 'outcome_id', body ->> 'market_id') = o.outcome_id
    AND kind = k.kind
    AND engine_sequence > (SELECT after FROM bounds)
    AND engine_sequence <= (SELECT upto FROM bounds)
    AND ($2::text IS NULL OR o.outcome_id = $2 OR body -> 'segments' IS NOT NULL)
  ORDER BY engine_sequence
  LIMIT $6
) AS e
WHERE m.market_id = $1 AND ($2::text IS NULL OR o.outcome_id = $2 OR (m.terms ->> 'complementary')::boolean)
ORDER BY e.engine_sequence
LIMIT $6;
