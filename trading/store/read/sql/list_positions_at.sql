-- Positions of an account as of a batch. Quantities are folded from the ledger; averages, P&L and the reservations of
--   orders are those of the position's last event up to it.
-- params: $1 to $8 as in list_positions.sql; $9 engine_sequence, $10 ledger_sequence, $11 stamp of the batch.
-- rule: nothing later is seen: a settlement is in the state of its last move by then, the mark is the last one delivered by then. A
--   settlement is waited for until it is confirmed, or adjusted to nothing.
-- returns: the columns of list_positions.sql
WITH settled AS (
  SELECT s.outcome_id, s.settlement_id, s.created_at, z.zeroed_at,
         CASE WHEN s.updated_at <= $11 THEN s.state ELSE coalesce(t.state, 'pending') END AS state
  FROM trading.settlement s
  LEFT JOIN LATERAL (
    SELECT state FROM trading.settlement_transition
    WHERE settlement_id = s.settlement_id AND engine_sequence <= $9
    ORDER BY engine_sequence DESC LIMIT 1
  ) t ON true
  LEFT JOIN LATERAL (
    SELECT max(published_at) AS zeroed_at FROM trading.adjustment
    WHERE fill_id = s.fill_id AND s.quantity = 0 AND s.notional = 0 AND s.fee = 0
  ) z ON true
  WHERE s.account_id = $1 AND s.created_at <= $11
)
SELECT p.account_id, p.outcome_id, p.market_id, l.net_quantity, l.settled_quantity,
       (e.body->>'average_entry_price')::bigint AS average_entry_price,
       (e.body->>'realized_pnl')::bigint AS realized_pnl,
       (e.body->>'pending_short_credit')::bigint AS pending_short_credit,
       (e.body->>'requirement')::bigint AS requirement,
       (e.body->>'reserved_sell_quantity')::bigint AS reserved_sell_quantity,
       (e.body->>'source_fill_sequence')::bigint AS source_fill_sequence,
       (e.body->>'projection_version')::bigint AS projection_version,
       e.engine_sequence, k.mark, k.mark_observation_id, m.terms AS market_terms,
       ARRAY(SELECT s.settlement_id FROM settled s
             WHERE s.outcome_id = p.outcome_id AND s.state IN ({{UNCONFIRMED_STATES}})
               AND (s.zeroed_at IS NULL OR s.zeroed_at > $11)
             ORDER BY s.created_at, s.settlement_id) AS pending_settlement_ids
FROM trading.position p
JOIN trading.market m USING (market_id)
CROSS JOIN LATERAL (
  SELECT body, engine_sequence FROM trading.engine_event
  WHERE account_id = p.account_id AND kind = 'position' AND body->>'outcome_id' = p.outcome_id AND engine_sequence <= $9
  ORDER BY engine_sequence DESC LIMIT 1
) e
CROSS JOIN LATERAL (
  SELECT coalesce(sum(amount), 0)::bigint AS net_quantity,
         coalesce(sum(amount) FILTER (WHERE bucket = 'settled'), 0)::bigint AS settled_quantity
  FROM trading.ledger_entry
  WHERE hashtext(account_id || ' ' || asset_id) = hashtext(p.account_id || ' ' || p.outcome_id)
    AND account_id = p.account_id AND asset_id = p.outcome_id AND ledger_sequence <= $10
) l
LEFT JOIN LATERAL (
  SELECT mark, mark_observation_id FROM trading.outcome_mark
  WHERE outcome_id = p.outcome_id AND at <= $11
  ORDER BY at DESC LIMIT 1
) k ON true
WHERE p.account_id = $1
  AND ($2::text IS NULL OR p.market_id = $2)
  AND ($3::text IS NULL OR p.outcome_id = $3)
  AND (NOT $4::boolean OR l.net_quantity <> 0)
  AND ($5::text IS NULL OR EXISTS (SELECT FROM settled s WHERE s.outcome_id = p.outcome_id AND s.state = $5))
  AND ($6::text IS NULL OR (p.market_id, p.outcome_id) > ($6::text, $7::text))
ORDER BY p.market_id, p.outcome_id
LIMIT $8
