-- Authorizations that make signers of orders, by the key that each is for.
--
-- params   $1 authorization id after which to go on  $2 most rows
-- returns  the authorization, the scopes and account of its key, the address of the account's owner, and the authorization of the act
--          that added the key; null: none did
SELECT allowed.*, api_key.scopes, api_key.account_id AS key_account_id, account.owner_address, added.by_act AS ordered
FROM (
  SELECT *
  FROM trading.signer_authorization
  WHERE purpose = 'create' AND authorization_id > $1
  ORDER BY authorization_id
  LIMIT $2
) AS allowed
LEFT JOIN trading.api_key ON key_id = api_key_id
LEFT JOIN trading.account ON account.account_id = allowed.account_id
LEFT JOIN (
  SELECT command -> 'key' ->> 'key_id' AS api_key_id, command -> 'authorization' AS by_act
  FROM trading.operator_act
  WHERE command ->> 'kind' = 'add_key'
) AS added ON added.api_key_id = allowed.api_key_id
ORDER BY authorization_id;
