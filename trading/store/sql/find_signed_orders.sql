-- Orders that passed the checks of their signature, as they were signed, in the order of their ids.
--
-- params   $1 order id after which to go on  $2 most rows
-- returns  the order; the environments of its account's keys, null: it has none; may_sign: the signer is the owner, or an
--          authorization of the account names him that was in force when the order was accepted
SELECT o.*, key.environments,
  account.owner_address = o.signer OR EXISTS (
    SELECT FROM trading.signer_authorization AS allowed
    WHERE allowed.account_id = o.account_id AND allowed.signer = o.signer AND allowed.purpose = 'create'
      AND (allowed.expires_at IS NULL OR allowed.expires_at > o.created_at)
  ) AS may_sign
FROM (
  SELECT *
  FROM trading.orders
  WHERE order_id > $1 AND status <> 'rejected'
  ORDER BY order_id
  LIMIT $2
) AS o
JOIN trading.account ON account.account_id = o.account_id
LEFT JOIN (
  SELECT account_id, array_agg(DISTINCT environment) AS environments
  FROM trading.api_key
  GROUP BY account_id
) AS key ON key.account_id = o.account_id
ORDER BY o.order_id;
