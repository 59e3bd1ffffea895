-- Stored entries of the replay keys that a batch names.
--
-- params   text[] each, one a part of the keys:
--          $1 to $2 request nonces: key_id, nonce           $3 to $6 answers: account_id, method, path, idempotency_key
--          $7 to $9 order nonces: account_id, signer, nonce $10 to $12 authorization nonces: account_id, owner, nonce
--          $13 to $14 client ids: account_id, client_order_id $15 act ids
--          $16 timestamptz orders that ended before it have given their client id back
-- returns  one row a key that is known: its kind and parts; of an answer, the answer; of a client id, the order that has it; of a
--          signed act, the hash of its command
-- plan     the engine's connection has hash and merge joins off: each key is looked up in its index, however small the tables
SELECT 'request_nonce' AS kind, ARRAY[key_id, nonce] AS key, NULL AS body_hash, NULL AS status, NULL AS data,
       NULL::json AS error, NULL AS location
FROM unnest($1::text[], $2::text[]) AS asked (key_id, nonce) JOIN trading.request_nonce USING (key_id, nonce)
UNION ALL
SELECT 'answer', ARRAY[account_id, method, path, idempotency_key], body_hash, status, data, error, location
FROM unnest($3::text[], $4::text[], $5::text[], $6::text[]) AS asked (account_id, method, path, idempotency_key)
JOIN trading.idempotent_answer USING (account_id, idempotency_key, method, path)
UNION ALL
SELECT 'order_nonce', ARRAY[account_id, signer, nonce], NULL, NULL, NULL, NULL, NULL
FROM unnest($7::text[], $8::text[], $9::text[]) AS asked (account_id, signer, nonce)
JOIN trading.order_nonce USING (account_id, signer, nonce)
UNION ALL
SELECT 'authorization_nonce', ARRAY[account_id, owner, nonce], NULL, NULL, NULL, NULL, NULL
FROM unnest($10::text[], $11::text[], $12::text[]) AS asked (account_id, owner, nonce)
JOIN trading.signer_authorization USING (account_id, owner, nonce)
UNION ALL
SELECT 'client_order_id', ARRAY[account_id, client_order_id, order_id], NULL, NULL, NULL, NULL, NULL
FROM unnest($13::text[], $14::text[]) AS asked (account_id, client_order_id)
JOIN trading.orders USING (account_id, client_order_id)
WHERE status IN ({{RESTING_STATUSES}}) OR (status <> 'rejected' AND updated_at > $16)
UNION ALL
SELECT 'act', ARRAY[act_id], command_hash, NULL, NULL, NULL, NULL
FROM unnest($15::text[]) AS asked (act_id) JOIN trading.operator_act USING (act_id);
