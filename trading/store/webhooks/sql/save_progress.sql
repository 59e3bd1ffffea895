-- Saves the place of a webhook.
--
-- params   $1 webhook_id   $2 position   $3 round   $4 request_sequence   $5 failing_since, or null
-- returns  nothing
INSERT INTO trading.webhook_progress (webhook_id, position, round, request_sequence, failing_since)
VALUES ($1, $2::bigint, $3::bigint, $4::bigint, $5::timestamptz)
ON CONFLICT (webhook_id) DO UPDATE
SET position = excluded.position, round = excluded.round, request_sequence = excluded.request_sequence,
    failing_since = excluded.failing_since
