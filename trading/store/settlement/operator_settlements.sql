-- Settlements of all accounts for operators, newest first.
-- params: $1 settlement_id, $2 state, $3 account_id, $4 market_id, $5 asset_id, each null: any, $6 at most
-- returns: settlement_id, state, kind, account_id, market_id, outcome_id, asset_id, side, quantity, notional, fee, fill_id,
--          resolution_id, rail, attempt_count, created_at, updated_at, confirmed_at, quantity_scale, asset_scale,
--          failure_code, message, next_action: of the last attempt
SELECT settlement.settlement_id, settlement.state, settlement.kind, settlement.account_id, settlement.market_id,
       settlement.outcome_id, settlement.asset_id, settlement.side, settlement.quantity, settlement.notional, settlement.fee,
       settlement.fill_id, settlement.resolution_id, settlement.rail, settlement.attempt_count, settlement.created_at,
       settlement.updated_at, settlement.confirmed_at, (market.terms->>'quantity_scale')::integer AS quantity_scale,
       asset.scale AS asset_scale, attempt.failure_code, attempt.message, attempt.next_action
  FROM trading.settlement
  JOIN trading.market ON market.market_id = settlement.market_id
  JOIN trading.asset ON asset.asset_id = settlement.asset_id
  LEFT JOIN trading.settlement_attempt AS attempt ON attempt.attempt_id = settlement.attempt_id
 WHERE ($1::text IS NULL OR settlement.settlement_id = $1)
   AND ($2::text IS NULL OR settlement.state = $2)
   AND ($3::text IS NULL OR settlement.account_id = $3)
   AND ($4::text IS NULL OR settlement.market_id = $4)
   AND ($5::text IS NULL OR settlement.asset_id = $5)
 ORDER BY settlement.updated_at DESC, settlement.settlement_id DESC
 LIMIT $6
