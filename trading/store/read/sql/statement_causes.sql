-- Records that caused transactions of an account.
--
-- params   $1 account_id   $2 text[] kinds, $3 text[] references and $4 bigint[] engine sequences of the transactions
-- returns  a row for each in their order: market_id, outcome_id, order_id, fill_id, trade_id, settlement_id, adjustment_id,
--          resolution_id, transfer_id; fee that the transaction is charged, its scale, schedule_id, schedule_version. null: none
-- rule     a fill names its trade and follows it at once; its fee is charged with it, and changed by adjustments
SELECT coalesce(o.market_id, f.market_id, s.market_id, af.market_id) AS market_id,
       coalesce(o.outcome_id, f.outcome_id, s.outcome_id, af.outcome_id) AS outcome_id,
       coalesce(o.order_id, f.order_id, af.order_id) AS order_id,
       coalesce(f.fill_id, af.fill_id) AS fill_id,
       coalesce(f.trade_id, af.trade_id) AS trade_id,
       coalesce(s.settlement_id, f.settlement_id, af.settlement_id) AS settlement_id,
       a.adjustment_id, s.resolution_id,
       CASE WHEN asked.kind = 'deposit' OR asked.kind = 'withdrawal' THEN asked.reference_id END AS transfer_id,
       coalesce(f.fee, a.fee_delta) AS fee, (m.terms ->> 'asset_scale')::integer AS fee_scale,
       coalesce(f.schedule_id, af.schedule_id) AS schedule_id,
       coalesce(f.schedule_version, af.schedule_version) AS schedule_version
FROM unnest($2::text[], $3::text[], $4::bigint[]) WITH ORDINALITY AS asked (kind, reference_id, engine_sequence, place)
LEFT JOIN trading.orders o ON asked.kind = 'reservation' AND o.order_id = asked.reference_id
LEFT JOIN LATERAL (
  SELECT *
  FROM trading.fill
  WHERE asked.kind = 'fill' AND account_id = $1 AND engine_sequence > asked.engine_sequence
  ORDER BY engine_sequence
  LIMIT 1
) AS f ON f.trade_id = asked.reference_id
LEFT JOIN trading.settlement s ON asked.kind IN ('settlement', 'reversal', 'resolution') AND s.settlement_id = asked.reference_id
LEFT JOIN trading.adjustment a ON asked.kind = 'adjustment' AND a.adjustment_id = asked.reference_id
LEFT JOIN trading.fill af ON af.fill_id = coalesce(s.fill_id, a.fill_id)
LEFT JOIN trading.market m ON m.market_id = coalesce(f.market_id, af.market_id)
ORDER BY asked.place
