-- D11  Every row is what events told, field by field: fills, trades, prevented matches, adjustments, and as they are now orders,
-- balances, positions, markets, accounts, keys, settlements, resolutions, transfers and protections. The hash chain covers events.
--
-- returns  subject, found, expected: one row per violation; none if it holds
-- rule     the row must exist and have the fields of its last event; D7 finds rows without an event
WITH last_of AS (
  SELECT kind, id, max(engine_sequence) AS engine_sequence
  FROM (
    SELECT kind, engine_sequence,
           CASE kind
             WHEN 'order' THEN body ->> 'order_id'
             WHEN 'balance' THEN account_id || ' ' || (body ->> 'asset_id')
             WHEN 'position' THEN account_id || ' ' || (body ->> 'outcome_id')
             WHEN 'market' THEN body ->> 'market_id'
             WHEN 'account' THEN account_id
             WHEN 'key' THEN body ->> 'key_id'
             WHEN 'settlement' THEN body ->> 'settlement_id'
             WHEN 'resolution' THEN body ->> 'resolution_id'
             WHEN 'transfer' THEN body ->> 'transfer_id'
             WHEN 'protection' THEN account_id || ' ' || (body ->> 'market_id')
           END AS id
    FROM trading.engine_event
    WHERE kind IN ('order', 'balance', 'position', 'market', 'account', 'key', 'settlement', 'resolution', 'transfer', 'protection')
  ) AS changing
  GROUP BY kind, id
), told AS (
  SELECT kind, engine_sequence::text AS id,
         CASE kind
           WHEN 'adjustment' THEN body::jsonb - 'order_id' || jsonb_build_object('published_at', at)
           ELSE body::jsonb || jsonb_build_object('at', at)
         END AS fields
  FROM trading.engine_event JOIN trading.engine_batch USING (batch_sequence)
  WHERE kind IN ('fill', 'trade', 'prevented_match', 'adjustment')
  UNION ALL
  SELECT kind, id,
         CASE kind
           WHEN 'balance' THEN body::jsonb - 'ledger_sequence'
           WHEN 'market' THEN body::jsonb - 'actor' - 'reason' - 'complementary'
             || CASE WHEN body::jsonb ? 'complementary' THEN '{"terms": {"complementary": true}}' ELSE '{}' END::jsonb
           WHEN 'account' THEN body::jsonb - 'policy_id' - 'policy_version' - 'cancel_after_at'
             || jsonb_build_object('policy', jsonb_build_object('policy_id', body -> 'policy_id', 'policy_version', body -> 'policy_version'))
           WHEN 'key' THEN body::jsonb - 'action' || jsonb_build_object('is_revoked', body ->> 'action' = 'revoked')
           WHEN 'protection' THEN body::jsonb - 'action' - 'frozen_until' - 'triggered_at'
             || jsonb_build_object('is_active', body ->> 'action' <> 'removed')
           WHEN 'settlement' THEN body::jsonb - 'attempt_number' - 'failure_code'
           ELSE body::jsonb
         END
  FROM last_of JOIN trading.engine_event USING (engine_sequence, kind)
), stored AS (
  SELECT 'fill' AS kind, engine_sequence::text AS id, to_jsonb(fill) AS fields FROM trading.fill
  UNION ALL
  SELECT 'trade', engine_sequence::text, to_jsonb(trade) FROM trading.trade
  UNION ALL
  SELECT 'prevented_match', engine_sequence::text, to_jsonb(prevented_match) FROM trading.prevented_match
  UNION ALL
  SELECT 'adjustment', engine_sequence::text, to_jsonb(adjustment) FROM trading.adjustment
  UNION ALL
  SELECT 'order', order_id, to_jsonb(orders) FROM trading.orders
  UNION ALL
  SELECT 'balance', concat_ws(' ', account_id, asset_id), to_jsonb(balance) FROM trading.balance
  UNION ALL
  SELECT 'position', concat_ws(' ', account_id, outcome_id), to_jsonb(position) FROM trading.position
  UNION ALL
  SELECT 'market', market_id, to_jsonb(market) FROM trading.market
  UNION ALL
  SELECT 'account', account_id, to_jsonb(account) FROM trading.account
  UNION ALL
  SELECT 'key', key_id, to_jsonb(api_key) || jsonb_build_object('is_revoked', revoked_at IS NOT NULL) FROM trading.api_key
  UNION ALL
  SELECT 'settlement', settlement_id, to_jsonb(settlement) FROM trading.settlement
  UNION ALL
  SELECT 'resolution', resolution_id, to_jsonb(resolution) FROM trading.resolution
  UNION ALL
  SELECT 'transfer', transfer_id, to_jsonb(transfer) FROM trading.transfer
  UNION ALL
  SELECT 'protection', concat_ws(' ', account_id, market_id), to_jsonb(market_maker_protection) FROM trading.market_maker_protection
)
SELECT told.kind || ' ' || told.id AS subject, coalesce(stored.fields::text, 'no row') AS found, told.fields::text AS expected
FROM told LEFT JOIN stored USING (kind, id)
WHERE (stored.fields @> told.fields) IS NOT TRUE;
