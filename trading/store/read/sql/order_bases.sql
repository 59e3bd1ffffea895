-- Facts of orders that their events do not carry.
-- params: $1 order ids.
-- returns: columns of orders that are shown and that an event does not have, and asset_scale, null where the asset is not known
SELECT o.order_id, o.command_id, o.client_order_id, o.account_id, o.market_id, o.outcome_id, o.side, o.limit_price, o.quantity,
       o.time_in_force, o.expires_at, o.post_only, o.reduce_only, o.cancel_on_pause, o.self_trade_prevention, o.maximum_fee,
       o.maximum_notional, o.settlement_asset_id, o.labels, o.signer, o.order_nonce, o.signature_type, o.signature_version,
       o.policy_id, o.policy_version, o.schedule_id, o.schedule_version, o.quantity_scale, o.created_at, o.received_at, o.quote_set_id, o.rejection,
       o.original_quantity, o.transitions, o.cancel_command_id, o.client_cancel_id, o.cancel_reason,
       a.scale AS asset_scale
FROM trading.orders o
LEFT JOIN trading.asset a ON a.asset_id = o.settlement_asset_id
WHERE o.order_id = ANY ($1)
