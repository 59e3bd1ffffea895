-- Both sides of the match of one fill, as filled and as adjusted since, for operators; the asked one first.
-- params: $1 fill_id
-- returns: fill_id, account_id, order_id, trade_id, market_id, outcome_id, side, price, quantity, notional, fee, their deltas so far,
--          settlement_id, settlement_state, terms
SELECT fill.fill_id, fill.account_id, fill.order_id, fill.trade_id, fill.market_id, fill.outcome_id, fill.side, fill.price, fill.quantity,
       fill.notional, fill.fee, coalesce(sum(adjustment.quantity_delta), 0)::bigint AS quantity_delta,
       coalesce(sum(adjustment.notional_delta), 0)::bigint AS notional_delta, coalesce(sum(adjustment.fee_delta), 0)::bigint AS fee_delta,
       fill.settlement_id, settlement.state AS settlement_state, market.terms::jsonb AS terms
  FROM trading.fill AS asked
  JOIN trading.fill ON fill.trade_id = asked.trade_id
  JOIN trading.market ON market.market_id = fill.market_id
  JOIN trading.settlement ON settlement.settlement_id = fill.settlement_id
  LEFT JOIN trading.adjustment ON adjustment.fill_id = fill.fill_id
 WHERE asked.fill_id = $1
 GROUP BY fill.fill_id, fill.account_id, fill.order_id, fill.trade_id, fill.market_id, fill.outcome_id, fill.side, fill.price, fill.quantity,
       fill.notional, fill.fee, fill.settlement_id, settlement.state, market.terms::jsonb, asked.fill_id
 ORDER BY fill.fill_id <> asked.fill_id
