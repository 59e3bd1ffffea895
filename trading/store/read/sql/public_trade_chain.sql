-- A trade and its corrections, by engine_sequence.
--
-- params   $1 text trade_id   $2 bigint engine_sequence of the trade   $3 timestamptz inclusive
-- returns  rows of engine_event of kinds trade and trade_correction, and at: when the event happened
WITH traded AS (
  SELECT * FROM trading.engine_event
  WHERE engine_sequence = $2 AND account_id IS NULL AND kind = 'trade' AND body ->> 'trade_id' = $1
), chain AS (
  SELECT * FROM traded
  UNION ALL
  SELECT e.*
  FROM traded AS t
  JOIN trading.engine_event AS e
    ON e.account_id IS NULL
   AND coalesce(e.body ->> 'outcome_id', e.body ->> 'market_id') = t.body ->> 'outcome_id'
   AND e.kind = 'trade_correction'
   AND e.engine_sequence > t.engine_sequence
  WHERE e.body ->> 'trade_id' = $1
)
SELECT c.engine_sequence, c.batch_sequence, c.kind, c.account_id, c.body, b.at
FROM chain AS c
JOIN trading.engine_batch AS b USING (batch_sequence)
WHERE b.at <= $3::timestamptz
ORDER BY c.engine_sequence;
