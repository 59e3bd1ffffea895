-- L11 The pool of a complementary market holds 1 for each set outstanding, and owes as many of both outcomes, which accounts
-- hold. What a resolution has paid from it counts as held. It pays at the first revision that paid; corrections are the house's.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH complementary AS (
  SELECT market_id, terms ->> 'settlement_asset_id' AS asset_id, (terms ->> 'one')::bigint * (terms ->> 'unit')::bigint AS one
  FROM trading.market
  WHERE (terms ->> 'complementary')::boolean
), paid AS (
  SELECT DISTINCT ON (account_id, outcome_id) market_id, outcome_id, net_quantity
  FROM trading.resolution_payout JOIN trading.resolution USING (resolution_id, market_id)
  ORDER BY account_id, outcome_id, revision
), paid_of AS (
  SELECT market_id, outcome_id, sum(net_quantity) AS quantity FROM paid GROUP BY market_id, outcome_id
), first_paid AS (
  SELECT DISTINCT ON (market_id) market_id, payouts
  FROM trading.resolution
  WHERE paid_count > 0
  ORDER BY market_id, revision
), value AS (
  SELECT market_id, paying ->> 'outcome_id' AS outcome_id, (paying ->> 'payout')::numeric AS payout
  FROM first_paid, json_array_elements(payouts) AS paying
), drawn AS (
  SELECT market_id, sum(quantity * payout * one) AS amount
  FROM paid_of JOIN value USING (market_id, outcome_id) JOIN complementary USING (market_id)
  GROUP BY market_id
), held AS (
  SELECT outcome_id, sum(net_quantity) FILTER (WHERE account_id NOT LIKE 'acct\_house\_pool\_%') AS quantity,
         -sum(net_quantity) FILTER (WHERE account_id LIKE 'acct\_house\_pool\_%') AS owed
  FROM trading.position
  GROUP BY outcome_id
), sets AS (
  SELECT market_id, asset_id, one, outcome_id, coalesce(held.quantity, 0) AS held, coalesce(owed, 0) AS owed,
         coalesce(paid_of.quantity, 0) AS paid
  FROM complementary
  JOIN trading.market_outcome USING (market_id)
  LEFT JOIN held USING (outcome_id)
  LEFT JOIN paid_of USING (market_id, outcome_id)
), pool AS (
  SELECT market_id,
         coalesce(total + pending_settlement_credit - pending_settlement_debit, 0)
           + coalesce(drawn.amount, 0) AS cash
  FROM complementary
  LEFT JOIN drawn USING (market_id)
  LEFT JOIN trading.balance ON account_id = 'acct_house_pool_' || market_id AND balance.asset_id = complementary.asset_id
)
SELECT outcome_id AS subject, concat_ws(' ', cash, held, owed) AS found,
       concat_ws(' ', (owed + paid) * one, owed, held) AS expected
FROM sets JOIN pool USING (market_id)
WHERE cash <> (owed + paid) * one OR held <> owed;
