-- Ledger entries of an account in order, in all its assets, after a line and up to a transaction.
--
-- params   $1 account_id   $2 asset_id, or null: all   $3 ledger_sequence and $4 line of the entry before   $5 last ledger_sequence
--          $6 rows
-- returns  ledger_sequence, line, kind, asset_id, bucket, amount, reference_id, engine_sequence, at; is_cash; scale of the amount;
--          market_id of an outcome; is_first: no entry in the asset is before it in its transaction
-- plan     the index leads to one asset of one account. Each asset is read up to where the first one in money has as many rows as
--          are asked for: no more than those can be among the first of all.
WITH held AS (
  SELECT b.asset_id, true AS is_cash, a.scale, NULL AS market_id
  FROM trading.balance b JOIN trading.asset a USING (asset_id)
  WHERE b.account_id = $1
  UNION ALL
  SELECT p.outcome_id, false, (m.terms ->> 'quantity_scale')::smallint, m.market_id
  FROM trading.position p JOIN trading.market m USING (market_id)
  WHERE p.account_id = $1
), asked AS (
  SELECT * FROM held WHERE $2::text IS NULL OR asset_id = $2
), reach AS (
  SELECT least($5::bigint, min(nth.ledger_sequence)) AS last
  FROM asked
  LEFT JOIN LATERAL (
    SELECT e.ledger_sequence
    FROM trading.ledger_entry e
    WHERE hashtext(e.account_id || ' ' || e.asset_id) = hashtext($1 || ' ' || asked.asset_id)
      AND e.account_id = $1 AND e.asset_id = asked.asset_id AND e.ledger_sequence > $3::bigint
    ORDER BY e.ledger_sequence
    OFFSET $6::integer - 1 LIMIT 1
  ) AS nth ON asked.is_cash
)
SELECT e.*, asked.is_cash, asked.scale, asked.market_id,
       NOT EXISTS (SELECT FROM trading.ledger_entry AS before
                   WHERE before.ledger_sequence = e.ledger_sequence AND before.line < e.line
                     AND before.account_id = $1 AND before.asset_id = e.asset_id) AS is_first
FROM asked
CROSS JOIN LATERAL (
  SELECT ledger_sequence, line, kind, asset_id, bucket, amount, reference_id, engine_sequence, at
  FROM trading.ledger_entry
  WHERE hashtext(account_id || ' ' || asset_id) = hashtext($1 || ' ' || asked.asset_id)
    AND account_id = $1 AND asset_id = asked.asset_id
    AND ledger_sequence >= $3 AND ledger_sequence <= (SELECT last FROM reach)
    AND (ledger_sequence > $3 OR line > $4::integer)
  ORDER BY ledger_sequence, line
  LIMIT $6
) AS e
ORDER BY e.ledger_sequence, e.line
LIMIT $6
