-- D9  Open settlements equal the counters of positions and the pending amounts of balances. The proceeds that a
-- position's collateral counts are those of its unconfirmed trades.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH waiting AS (
  SELECT account_id, outcome_id, asset_id, kind = 'trade_settlement' AS is_trade, side, notional, fee, short_credit
  FROM trading.settlement
  WHERE state <> 'confirmed'
), of_position AS (
  SELECT account_id, outcome_id, count(*) FILTER (WHERE is_trade AND (notional <> 0 OR fee <> 0)) AS open_settlements,
         sum(short_credit) AS short_credit
  FROM waiting
  GROUP BY account_id, outcome_id
), of_balance AS (
  SELECT account_id, asset_id, sum(notional + fee) FILTER (WHERE side = 'BUY') AS debit,
         sum(notional - fee) FILTER (WHERE side = 'SELL') AS credit
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
WHERE account_id NOT LIKE 'acct\_house\_%'
  AND (pending_settlement_debit <> coalesce(debit, 0) OR pending_settlement_credit <> coalesce(credit, 0));
