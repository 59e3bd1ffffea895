-- Positions of an account after a batch, with the marks of its instant.
--
-- params   $1 account_id   $2 last engine_sequence of the batch   $3 its instant
-- returns  outcome_id, market_id, event_id, market_terms, net_quantity, average_entry_price, realized_pnl, requirement, mark; mark null:
--          there was none
-- rule     a position that has not changed since is its row; of another one the last event up to the batch is read
SELECT p.outcome_id, p.market_id, m.event_id, m.terms AS market_terms,
       CASE WHEN e.body IS NULL THEN p.net_quantity ELSE (e.body ->> 'net_quantity')::bigint END AS net_quantity,
       CASE WHEN e.body IS NULL THEN p.average_entry_price ELSE (e.body ->> 'average_entry_price')::bigint END AS average_entry_price,
       CASE WHEN e.body IS NULL THEN p.realized_pnl ELSE (e.body ->> 'realized_pnl')::bigint END AS realized_pnl,
       CASE WHEN e.body IS NULL THEN p.requirement ELSE (e.body ->> 'requirement')::bigint END AS requirement,
       k.mark
FROM trading.position p
JOIN trading.market m USING (market_id)
LEFT JOIN LATERAL (
  SELECT v.body
  FROM trading.engine_event v
  WHERE p.engine_sequence > $2::bigint AND v.account_id = p.account_id AND v.kind = 'position'
    AND v.body ->> 'outcome_id' = p.outcome_id AND v.engine_sequence <= $2
  ORDER BY v.engine_sequence DESC
  LIMIT 1
) AS e ON true
LEFT JOIN LATERAL (
  SELECT mark FROM trading.outcome_mark
  WHERE outcome_id = p.outcome_id AND at <= $3::timestamptz
  ORDER BY at DESC
  LIMIT 1
) AS k ON true
WHERE p.account_id = $1 AND (p.engine_sequence <= $2 OR e.body IS NOT NULL)
ORDER BY p.market_id, p.outcome_id
