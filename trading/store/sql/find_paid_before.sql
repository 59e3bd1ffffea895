-- Payments by earlier revisions of a resolution to positions that it has not yet adjusted to its own payouts.
--
-- params   $1 text resolution_id   $2 integer rows at most
-- returns  account_id, outcome_id, net_quantity, amount: as the first one found the position, and all that it was paid since
-- rule     the first revision of a market has none before it, and asks for nothing. Positions are brought to their payouts in the order
--          of their keys, all before any is paid for the first time: what is left are those after the last one, so that a portion reads
--          what it pays (index resolution_payout_by_position)
WITH done AS (
  SELECT account_id, outcome_id
  FROM trading.resolution_payout
  WHERE resolution_id = $1
  ORDER BY account_id DESC, outcome_id DESC
  LIMIT 1
)
SELECT paid.account_id, paid.outcome_id, max(paid.net_quantity) AS net_quantity, sum(paid.amount)::bigint AS amount
FROM trading.resolution_payout AS paid
WHERE paid.market_id = (SELECT market_id FROM trading.resolution WHERE resolution_id = $1 AND revision > 1)
  AND (paid.account_id, paid.outcome_id)
    > (coalesce((SELECT account_id FROM done), ''), coalesce((SELECT outcome_id FROM done), ''))
GROUP BY paid.account_id, paid.outcome_id
ORDER BY paid.account_id, paid.outcome_id
LIMIT $2;
