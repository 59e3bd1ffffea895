-- One page of trades of some outcomes, and their corrections, by engine_sequence.
--
-- params   $1 text[] outcome_ids   $2 bigint engine_sequence, exclusive   $3 timestamptz inclusive, or null: from the first one on
--          $4 timestamptz exclusive   $5 integer rows at most
-- returns  rows of engine_event of kinds trade and trade_correction, and at: when the event happened
-- rule     sequences and stamps grow together, so a stretch of time is one of sequences
WITH bounds AS (
  SELECT greatest($2::bigint,
           coalesce((SELECT last_engine_sequence FROM trading.engine_batch WHERE at < $3::timestamptz ORDER BY at DESC LIMIT 1), 0)) AS after,
         coalesce((SELECT last_engine_sequence FROM trading.engine_batch WHERE at < $4::timestamptz ORDER BY at DESC LIMIT 1), 0) AS upto
)
SELECT e.engine_sequence, e.batch_sequence, e.kind, e.account_id, e.body,
       (SELECT b.at FROM trading.engine_batch b WHERE b.batch_sequence = e.batch_sequence) AS at
FROM unnest($1::text[]) AS o (outcome_id)
CROSS JOIN (VALUES ('trade'), ('trade_correction')) AS k (kind)
CROSS JOIN LATERAL (
  SELECT *
  FROM trading.engine_event
  WHERE account_id IS NULL
    AND coalesce(body ->> 'outcome_id', body ->> 'market_id') = o.outcome_id
    AND kind = k.kind
    AND engine_sequence > (SELECT after FROM bounds)
    AND engine_sequence <= (SELECT upto FROM bounds)
  ORDER BY engine_sequence
  LIMIT $5
) AS e
ORDER BY e.engine_sequence
LIMIT $5;
