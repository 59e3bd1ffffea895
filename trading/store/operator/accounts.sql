-- Accounts with their money, for operators.
-- params: $1 account_id, null: every one but those of the house
-- returns: account_id, owner_address, label, blocked, policy, created_at, balances (json list of balance rows with the asset's scale)
SELECT account_id, owner_address, label, blocked, policy, created_at,
       (SELECT coalesce(json_agg(held ORDER BY held.asset_id), '[]')
          FROM (SELECT balance.asset_id, asset.scale, total, reserved, withdrawal_hold, pending_settlement_debit,
                       pending_settlement_credit
                  FROM trading.balance JOIN trading.asset USING (asset_id)
                 WHERE balance.account_id = account.account_id) AS held) AS balances
  FROM trading.account
 WHERE CASE WHEN $1::text IS NULL THEN account_id NOT LIKE 'acct\_house\_%' ELSE account_id = $1 END
 ORDER BY account_id
