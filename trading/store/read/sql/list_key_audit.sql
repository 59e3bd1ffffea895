-- Audit entries of a key, newest first: its changes, and its requests, counted by minute, outcome and address.
-- params: $1 key_id, $2 and $3 occurred_at and audit_id of the last one before the page, or null, $4 rows.
-- rule: the id of a count follows from what it counts, so a page continues where it ended while counts grow
-- returns: audit_id, key_id, action, occurred_at, last_at, request_id, ip, method, path, outcome, by_key_id, actor, reason, count
WITH changed AS (
  SELECT audit_id, key_id, action, occurred_at, occurred_at AS last_at, request_id, ip, method, path, outcome, by_key_id,
         actor, reason, 1::bigint AS count
  FROM trading.api_key_audit
  WHERE key_id = $1 AND ($2::timestamptz IS NULL OR (occurred_at, audit_id) < ($2::timestamptz, $3::text))
  ORDER BY occurred_at DESC, audit_id DESC
  LIMIT $4
), counted AS (
  SELECT 'aud_' || md5(concat_ws(' ', key_id, extract(epoch FROM minute), outcome, ip)) AS audit_id, key_id,
         CASE outcome WHEN 'used' THEN outcome ELSE 'refused' END AS action, minute AS occurred_at, last_at, NULL::text AS request_id,
         nullif(ip, '') AS ip, NULL::text AS method, NULL::text AS path, CASE outcome WHEN 'used' THEN 'done' ELSE outcome END AS outcome,
         NULL::text AS by_key_id, NULL::text AS actor, NULL::text AS reason, count
  FROM trading.api_key_activity
  WHERE key_id = $1 AND ($2::timestamptz IS NULL OR minute <= $2::timestamptz)
), activity AS (
  SELECT * FROM counted
  WHERE $2::timestamptz IS NULL OR (occurred_at, audit_id) < ($2::timestamptz, $3::text)
  ORDER BY occurred_at DESC, audit_id DESC
  LIMIT $4
)
SELECT * FROM (SELECT * FROM changed UNION ALL SELECT * FROM activity) AS entries
ORDER BY occurred_at DESC, audit_id DESC
LIMIT $4
