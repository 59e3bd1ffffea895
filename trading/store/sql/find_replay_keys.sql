-- What is known of the replay keys that a batch names.
--
-- params   $1 json request nonces {key_id, nonce}          $2 json answers {account_id, method, path, idempotency_key}
--          $3 json order nonces {account_id, signer, nonce} $4 json authorization nonces {account_id, owner, nonce}
--          $5 json client ids {account_id, client_order_id} $6 text[] act ids
--          $7 timestamptz orders that ended before it have given their client id back
-- returns  one row a key that is known: its kind and parts; of an answer, the answer
-- plan     the engine's connection has hash and merge joins off: each key is looked up in its index, however small the tables
SELECT 'request_nonce' AS kind, ARRAY[key_id, nonce] AS key, NULL AS body_hash, NULL AS status, NULL AS data,
       NULL::json AS error, NULL AS location
FROM json_to_recordset($1) AS asked (key_id text, nonce text) JOIN trading.request_nonce USING (key_id, nonce)
UNION ALL
SELECT 'answer', ARRAY[account_id, method, path, idempotency_key], body_hash, status, data, error, location
FROM json_to_recordset($2) AS asked (account_id text, method text, path text, idempotency_key text)
JOIN trading.idempotent_answer USING (account_id, idempotency_key, method, path)
UNION ALL
SELECT 'order_nonce', ARRAY[account_id, signer, nonce], NULL, NULL, NULL, NULL, NULL
FROM json_to_recordset($3) AS asked (account_id text, signer text, nonce text)
JOIN trading.order_nonce USING (account_id, signer, nonce)
UNION ALL
SELECT 'authorization_nonce', ARRAY[account_id, owner, nonce], NULL, NULL, NULL, NULL, NULL
FROM json_to_recordset($4) AS asked (account_id text, owner text, nonce text)
JOIN trading.signer_authorization USING (account_id, owner, nonce)
UNION ALL
SELECT 'client_order_id', ARRAY[account_id, client_order_id], NULL, NULL, NULL, NULL, NULL
FROM json_to_recordset($5) AS asked (account_id text, client_order_id text)
JOIN trading.orders USING (account_id, client_order_id)
WHERE status IN ('open', 'partially_filled', 'suspended') OR (status <> 'rejected' AND updated_at > $7)
UNION ALL
SELECT 'act', ARRAY[act_id], NULL, NULL, NULL, NULL, NULL
FROM unnest($6::text[]) AS asked (act_id) JOIN trading.operator_act USING (act_id);
