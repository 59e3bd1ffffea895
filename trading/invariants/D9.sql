-- D9  Open settlements equal the counters of positions and the pending amounts of balances, those of the pools of complementary
-- markets included. The proceeds that a position's collateral counts are those of its unconfirmed trades.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH waiting AS (
  SELECT account_id, outcome_id, asset_id, kind IN ('trade_settlement', 'set_mint', 'set_merge') AS is_trade, side,
         notional, fee, short_credit, debit_amount, credit_amount
  FROM trading.settlement
  WHERE state <> 'confirmed'
), of_position AS (
  SELECT account_id, outcome_id, count(*) FILTER (WHERE is_trade AND (notional <> 0 OR fee <> 0)) AS open_settlements,
         sum(short_credit) AS short_credit
  FROM waiting
  GROUP BY account_id, outcome_id
), of_balance AS (
  SELECT account_id, asset_id, sum(CASE WHEN debit_amount IS NOT NULL THEN debit_amount WHEN side = 'BUY' THEN notional + fee END) AS debit,
         sum(CASE WHEN credit_amount IS NOT NULL THEN credit_amount WHEN side = 'SELL' THEN notional - fee END) AS credit
  FROM waiting
  GROUP BY account_id, asset_id
)
SELECT account_id || ' ' || outcome_id AS subject,
       concat_ws(' ', position.open_settlements, pending_short_credit) AS found,
       concat_ws(' ', coalesce(of_position.open_settlements, 0), coalesce(short_credit, 0)) AS expected
FROM trading.position LEFT JOIN of_position USING (account_id, outcome_id)
WHERE position.open_settlements <> coalesce(of_position.open_settlements, 0)
   OR pending_short_credit <> coalesce(short_credit, 0)
UNION ALL
SELECT account_id || ' ' || asset_id, concat_ws(' ', pending_settlement_debit, pending_settlement_credit),
       concat_ws(' ', coalesce(debit, 0), coalesce(credit, 0))
FROM trading.balance LEFT JOIN of_balance USING (account_id, asset_id)
WHERE (account_id NOT LIKE 'acct\_house\_%' OR account_id LIKE 'acct\_house\_pool\_%')
  AND (pending_settlement_debit <> coalesce(debit, 0) OR pending_settlement_credit <> coalesce(credit, 0));
