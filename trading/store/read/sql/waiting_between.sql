-- Settlements that positions waited for at any time in a period, oldest first.
-- params: $1 account ids and $2 outcome ids of the positions, $3 and $4 first and last instant of the span.
-- returns: account_id, outcome_id, settlement_id, created_at, waited_until: null: it is waited for still
-- rule: it is waited for until it is confirmed, or adjusted to nothing
SELECT s.account_id, s.outcome_id, s.settlement_id, s.created_at, least(s.confirmed_at, z.zeroed_at) AS waited_until
FROM unnest($1::text[], $2::text[]) AS asked (account_id, outcome_id)
CROSS JOIN LATERAL (
  SELECT * FROM trading.settlement
  WHERE account_id = asked.account_id AND outcome_id = asked.outcome_id
    AND state IN ({{UNCONFIRMED_STATES}}) AND created_at <= $4
  UNION ALL
  SELECT * FROM trading.settlement
  WHERE account_id = asked.account_id AND outcome_id = asked.outcome_id
    AND state NOT IN ({{UNCONFIRMED_STATES}}) AND updated_at > $3 AND confirmed_at > $3 AND created_at <= $4
) s
LEFT JOIN LATERAL (
  SELECT max(published_at) AS zeroed_at FROM trading.adjustment
  WHERE fill_id = s.fill_id AND s.quantity = 0 AND s.notional = 0 AND s.fee = 0
) z ON true
ORDER BY s.created_at, s.settlement_id
