-- An account with the policy in force.
-- params: $1 account_id.
-- returns: columns of account
SELECT account_id, owner_address, label, blocked, policy, cancel_after_ms, cancel_after_at, created_at
FROM trading.account
WHERE account_id = $1
