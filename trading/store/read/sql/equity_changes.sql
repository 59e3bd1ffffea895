-- How the ledger of an account changed between some instants, by asset.
--
-- params   $1 account_id   $2 timestamptz[] instants, ascending   $3 cash asset, or null: all of them and their outcomes
-- returns  place (from 1): the first instant that knows the change; asset_id of the money, outcome_id or null, asset_scale,
--          quantity_scale; amount: money with claims, or contracts; deposited: deposits less withdrawals
-- rule     width_bucket counts the instants before an entry: the one after them knows it
WITH point AS (
  SELECT array_agg(coalesce((SELECT last_ledger_sequence FROM trading.engine_batch WHERE at <= asked.at ORDER BY at DESC LIMIT 1), 0)
                   ORDER BY place) AS sequences
  FROM unnest($2::timestamptz[]) WITH ORDINALITY AS asked (at, place)
), held AS (
  SELECT b.asset_id AS ledger_asset, b.asset_id, NULL AS outcome_id, a.scale AS asset_scale, 0 AS quantity_scale
  FROM trading.balance b JOIN trading.asset a USING (asset_id)
  WHERE b.account_id = $1
  UNION ALL
  SELECT p.outcome_id, m.terms ->> 'settlement_asset_id', p.outcome_id, (m.terms ->> 'asset_scale')::smallint,
         (m.terms ->> 'quantity_scale')::integer
  FROM trading.position p JOIN trading.market m USING (market_id)
  WHERE p.account_id = $1
)
SELECT change.place, held.asset_id, held.outcome_id, held.asset_scale, held.quantity_scale, change.amount, change.deposited
FROM held
CROSS JOIN point
CROSS JOIN LATERAL (
  SELECT width_bucket(e.ledger_sequence - 1, point.sequences) + 1 AS place, sum(e.amount)::bigint AS amount,
         coalesce(sum(e.amount) FILTER (WHERE e.kind = 'deposit' OR e.kind = 'withdrawal'), 0)::bigint AS deposited
  FROM trading.ledger_entry e
  WHERE hashtext(e.account_id || ' ' || e.asset_id) = hashtext($1 || ' ' || held.ledger_asset)
    AND e.account_id = $1 AND e.asset_id = held.ledger_asset
    AND e.ledger_sequence <= point.sequences[array_upper(point.sequences, 1)]
    AND e.bucket <> 'pending_debit'
  GROUP BY 1
) AS change
WHERE $3::text IS NULL OR held.asset_id = $3
ORDER BY change.place
