-- P4  A ladder is replaced as a whole: the working orders of a set are of one mass quote, or replacements of orders. Each quote
-- whose answer is kept has all orders that it answered and no others, and left none working that it ended.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH quote AS (
  SELECT account_id, data::json AS data
  FROM trading.idempotent_answer
  WHERE path LIKE '%mass-quote' AND status = 200
), answered AS (
  SELECT quote.account_id, data ->> 'command_id' AS command_id, item ->> 'order_id' AS order_id
  FROM quote, json_array_elements(data -> 'orders') AS item
  WHERE item ->> 'order_id' IS NOT NULL
), ended AS (
  SELECT quote.account_id, data ->> 'command_id' AS command_id, item ->> 'order_id' AS order_id
  FROM quote, json_array_elements(data -> 'canceled') AS item
), of_set AS (
  SELECT account_id, command_id, order_id, market_id, quote_set_id, status FROM trading.orders WHERE quote_set_id IS NOT NULL
)
SELECT concat_ws(' ', account_id, market_id, quote_set_id) AS subject, string_agg(DISTINCT command_id, ' ' ORDER BY command_id) AS found,
       'working orders of one request' AS expected
FROM of_set
WHERE status IN ({{WORKING_STATUSES}})
  AND NOT EXISTS (SELECT FROM trading.orders AS replaced WHERE replaced.replaced_by_order_id = of_set.order_id)
GROUP BY account_id, market_id, quote_set_id
HAVING count(DISTINCT command_id) > 1
UNION ALL
SELECT concat_ws(' ', answered.account_id, answered.command_id), 'no order ' || answered.order_id, 'the order of its answer'
FROM answered LEFT JOIN of_set USING (account_id, command_id, order_id)
WHERE of_set.order_id IS NULL
UNION ALL
SELECT concat_ws(' ', of_set.account_id, of_set.command_id), 'order ' || of_set.order_id, 'only orders of its answer'
FROM of_set
JOIN (SELECT DISTINCT account_id, data ->> 'command_id' AS command_id FROM quote) AS kept USING (account_id, command_id)
LEFT JOIN answered USING (account_id, command_id, order_id)
WHERE answered.order_id IS NULL
UNION ALL
SELECT concat_ws(' ', ended.account_id, ended.command_id), concat_ws(' ', 'order', ended.order_id, status), 'an order that has ended'
FROM ended JOIN of_set USING (account_id, order_id)
WHERE status IN ({{WORKING_STATUSES}});
