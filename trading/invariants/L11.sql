-- L11 The pool of a complementary market holds 1 for each set outstanding, and owes as many of both outcomes, which accounts
-- hold. What a resolution has paid from it counts as held. The pool pays a holding once, a correction is the house's.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH complementary AS (
  SELECT market_id, terms ->> 'settlement_asset_id' AS asset_id, (terms ->> 'one')::bigint * (terms ->> 'unit')::bigint AS one
  FROM trading.market
  WHERE (terms ->> 'complementary')::boolean
), paid AS (
  SELECT DISTINCT ON (account_id, outcome_id) market_id, outcome_id, net_quantity, amount
  FROM trading.resolution_payout JOIN trading.resolution USING (resolution_id, market_id)
  ORDER BY account_id, outcome_id, revision
), paid_of AS (
  SELECT market_id, outcome_id, sum(net_quantity) AS quantity, sum(amount) AS amount FROM paid GROUP BY market_id, outcome_id
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
           + coalesce((SELECT sum(amount) FROM paid_of WHERE paid_of.market_id = complementary.market_id), 0) AS cash
  FROM complementary
  LEFT JOIN trading.balance ON account_id = 'acct_house_pool_' || market_id AND balance.asset_id = complementary.asset_id
)
SELECT outcome_id AS subject, concat_ws(' ', cash, held, owed) AS found,
       concat_ws(' ', (owed + paid) * one, owed, held) AS expected
FROM sets JOIN pool USING (market_id)
WHERE cash <> (owed + paid) * one OR held <> owed;
