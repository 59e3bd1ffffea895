-- D11  Every row is what events told, field by field: fills, trades, prevented matches, adjustments, and as they are now orders,
-- balances, positions, markets, accounts, keys, settlements and resolutions. The hash chain covers events.
--
-- returns  subject, found, expected: one row per violation; none if it holds
-- rule     a row without the fields of its last event, or one that is told and not there; D7 finds rows that nobody told
WITH event AS (
  SELECT engine_event.engine_sequence, engine_event.kind, engine_event.body::jsonb AS body, batch.at
  FROM trading.engine_event JOIN trading.engine_batch AS batch USING (batch_sequence)
), last_of AS (
  SELECT DISTINCT ON (kind, id) kind, id, body
  FROM (
    SELECT kind, engine_sequence, body,
           CASE kind
             WHEN 'order' THEN body ->> 'order_id'
             WHEN 'balance' THEN concat_ws(' ', body ->> 'account_id', body ->> 'asset_id')
             WHEN 'position' THEN concat_ws(' ', body ->> 'account_id', body ->> 'outcome_id')
             WHEN 'market' THEN body ->> 'market_id'
             WHEN 'account' THEN body ->> 'account_id'
             WHEN 'key' THEN body ->> 'key_id'
             WHEN 'settlement' THEN body ->> 'settlement_id'
             WHEN 'resolution' THEN body ->> 'resolution_id'
           END AS id
    FROM event
    WHERE kind IN ('order', 'balance', 'position', 'market', 'account', 'key', 'settlement', 'resolution')
  ) AS changing
  ORDER BY kind, id, engine_sequence DESC
), told AS (
  SELECT kind, engine_sequence::text AS id, body || jsonb_build_object('at', at) AS fields
  FROM event
  WHERE kind IN ('fill', 'trade', 'prevented_match')
  UNION ALL
  SELECT kind, engine_sequence::text, body - 'order_id' || jsonb_build_object('published_at', at)
  FROM event
  WHERE kind = 'adjustment'
  UNION ALL
  SELECT kind, id,
         CASE kind
           WHEN 'balance' THEN body - 'ledger_sequence'
           WHEN 'market' THEN body - 'actor' - 'reason'
           WHEN 'account' THEN body - 'policy_id' - 'policy_version' - 'cancel_after_at'
             || jsonb_build_object('policy', jsonb_build_object('policy_id', body -> 'policy_id', 'policy_version', body -> 'policy_version'))
           WHEN 'key' THEN body - 'action' || jsonb_build_object('is_revoked', body ->> 'action' = 'revoked')
           WHEN 'settlement' THEN body - 'attempt_number' - 'failure_code'
           ELSE body
         END
  FROM last_of
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
)
SELECT told.kind || ' ' || told.id AS subject, coalesce(stored.fields::text, 'no row') AS found, told.fields::text AS expected
FROM told LEFT JOIN stored USING (kind, id)
WHERE (stored.fields @> told.fields) IS NOT TRUE;
