-- R5  Of each match of a complementary market, the money that both sides pay less what they are paid, less the change of the
-- pool, is the fees. Both sides name the same segments, which are the whole quantity and all that they close; the pool moves 1
-- for each set made or destroyed.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH match AS (
  SELECT trade_id, market_id, sum(fee) AS fees, sum(closed_quantity) AS closed, min(quantity) AS quantity, min(segments::text) AS segments,
         count(DISTINCT segments::text) AS told
  FROM trading.fill
  WHERE closed_quantity IS NOT NULL
  GROUP BY trade_id, market_id
), part AS (
  SELECT trade_id, sum((segment ->> 'quantity')::bigint) AS quantity,
         sum((segment ->> 'quantity')::bigint * CASE segment ->> 'match_kind' WHEN 'merge' THEN 2 WHEN 'transfer' THEN 1 ELSE 0 END) AS closed,
         sum((segment ->> 'quantity')::bigint * CASE segment ->> 'match_kind' WHEN 'merge' THEN -1 WHEN 'mint' THEN 1 ELSE 0 END) AS made
  FROM match, jsonb_array_elements(segments::jsonb) AS segment
  GROUP BY trade_id
), moved AS (
  SELECT reference_id AS trade_id,
         sum(CASE bucket WHEN 'pending_debit' THEN amount WHEN 'pending_credit' THEN -amount END)
           FILTER (WHERE account_id NOT LIKE 'acct\_house\_%') AS paid,
         coalesce(sum(CASE bucket WHEN 'pending_credit' THEN amount WHEN 'pending_debit' THEN -amount END)
           FILTER (WHERE account_id LIKE 'acct\_house\_pool\_%'), 0) AS pool
  FROM trading.ledger_entry
  WHERE kind = 'fill'
  GROUP BY reference_id
)
SELECT trade_id AS subject, concat_ws(' ', paid - pool, pool, part.quantity, part.closed, told) AS found,
       concat_ws(' ', fees, made * (terms ->> 'one')::bigint * (terms ->> 'unit')::bigint, match.quantity, match.closed, 1) AS expected
FROM match
JOIN trading.market USING (market_id)
LEFT JOIN part USING (trade_id)
LEFT JOIN moved USING (trade_id)
WHERE (paid - pool, pool, part.quantity, part.closed, told)
   IS DISTINCT FROM (fees, made * (terms ->> 'one')::bigint * (terms ->> 'unit')::bigint, match.quantity, match.closed, 1::bigint);
