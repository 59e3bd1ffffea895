-- Fees of an account in stretches of the history that end together, changes by adjustments included.
--
-- params   $1 account_id   $2 bigint[] engine sequences after which they begin   $3 engine_sequence at which they end, inclusive
-- returns  place (from 1) of the stretch, asset_id, fees
SELECT began.place::integer AS place, m.terms ->> 'settlement_asset_id' AS asset_id, sum(charged.fee)::bigint AS fees
FROM (
  SELECT engine_sequence, market_id, fee FROM trading.fill WHERE account_id = $1 AND engine_sequence <= $3::bigint
  UNION ALL
  SELECT a.engine_sequence, f.market_id, a.fee_delta
  FROM trading.adjustment a JOIN trading.fill f USING (fill_id)
  WHERE a.account_id = $1 AND a.engine_sequence <= $3
) AS charged
JOIN unnest($2::bigint[]) WITH ORDINALITY AS began (sequence, place) ON charged.engine_sequence > began.sequence
JOIN trading.market m USING (market_id)
GROUP BY began.place, m.terms ->> 'settlement_asset_id'
