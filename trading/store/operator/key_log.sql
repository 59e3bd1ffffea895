-- What was done to a key and with it, newest first: changes, and requests counted by minute, outcome and address.
-- params: $1 key_id, $2 most rows
-- returns: action, occurred_at, last_at, count, outcome, ip, method, path, request_id, by_key_id, actor, reason
SELECT action, occurred_at, occurred_at AS last_at, 1::bigint AS count, outcome, ip, method, path, request_id, by_key_id, actor, reason
  FROM trading.api_key_audit
 WHERE key_id = $1
UNION ALL
SELECT CASE outcome WHEN 'used' THEN outcome ELSE 'refused' END, minute, last_at, count, CASE outcome WHEN 'used' THEN 'done' ELSE outcome END,
       nullif(ip, ''), NULL, NULL, NULL, NULL, NULL, NULL
  FROM trading.api_key_activity
 WHERE key_id = $1
 ORDER BY 2 DESC, 1
 LIMIT $2
