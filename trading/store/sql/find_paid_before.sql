-- What earlier revisions of a resolution paid those positions that it has yet to bring to its own payouts.
--
-- params   $1 text resolution_id   $2 integer rows at most
-- returns  account_id, outcome_id, net_quantity, amount: as the first one found the position, and all that it was paid since
-- rule     the first revision of a market has none before it, and asks for nothing
SELECT paid.account_id, paid.outcome_id, max(paid.net_quantity) AS net_quantity, sum(paid.amount)::bigint AS amount
FROM trading.resolution
JOIN trading.resolution_payout AS paid USING (market_id)
WHERE resolution.resolution_id = $1 AND revision > 1
GROUP BY paid.account_id, paid.outcome_id
HAVING count(*) FILTER (WHERE paid.resolution_id = $1) = 0
ORDER BY paid.account_id, paid.outcome_id
LIMIT $2;
