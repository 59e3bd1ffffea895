-- A market that could resolve, with its outcomes, and the working orders that this would cancel.
-- params: $1 account_id, $2 market_id, $3 order ids at most.
-- returns: market_id, status, terms, outcome_ids in the order of the market, open_order_count, open_order_ids (newest first);
--   no row where the market is not listed here
WITH working AS (
  SELECT o.order_id, o.accepted_sequence
  FROM trading.orders o
  WHERE o.account_id = $1 AND o.market_id = $2 AND o.status IN ({{WORKING_STATUSES}})
)
SELECT m.market_id, m.status, m.terms,
       (SELECT array_agg(o.outcome_id ORDER BY o.place) FROM trading.market_outcome o
        WHERE o.market_id = m.market_id) AS outcome_ids,
       (SELECT count(*)::int FROM working) AS open_order_count,
       coalesce((SELECT array_agg(w.order_id ORDER BY w.accepted_sequence DESC)
                 FROM (SELECT * FROM working ORDER BY accepted_sequence DESC LIMIT $3) w), ARRAY[]::text[]) AS open_order_ids
FROM trading.market m
WHERE m.market_id = $2
