-- D10  Resolution revisions of a market are numbered without gaps; each supersedes the one before and gives a reason. The
-- newest final revision equals the market's state and the payouts of its outcomes. Only final revisions pay out, and
-- every payout is counted.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH numbered AS (
  SELECT resolution.*, row_number() OVER in_order AS place, lag(resolution_id) OVER in_order AS before,
         lag(finality) OVER in_order AS finality_before, row_number() OVER (PARTITION BY market_id ORDER BY revision DESC) AS from_last
  FROM trading.resolution
  WINDOW in_order AS (PARTITION BY market_id ORDER BY revision)
)
SELECT resolution_id AS subject, concat_ws(' ', revision, supersedes_id, correction_reason) AS found,
       concat_ws(' ', place, before, CASE WHEN place > 1 THEN 'a reason, after a final or withdrawn one' END) AS expected
FROM numbered
WHERE revision <> place OR supersedes_id IS DISTINCT FROM before OR (place > 1 AND correction_reason IS NULL)
   OR finality_before NOT IN ('final', 'withdrawn')
UNION ALL
SELECT market_id, status, coalesce(finality || ' ' || verdict, 'no resolution')
FROM trading.market LEFT JOIN (SELECT * FROM numbered WHERE from_last = 1) AS newest USING (market_id)
WHERE (status IN ('resolved', 'voided') AND (finality = 'final' AND verdict = status) IS NOT TRUE)
   OR (status = 'archived' AND (finality = 'final') IS NOT TRUE)
   OR (status = 'resolving' AND (finality IN ({{CONTESTED_FINALITIES}})) IS NOT TRUE)
   OR (status IN ('scheduled', 'open', 'paused', 'closed') AND finality <> 'withdrawn')
UNION ALL
SELECT outcome_id, coalesce(outcome.payout, 'none'), coalesce(paying->>'payout', 'none')
FROM trading.market_outcome AS outcome
LEFT JOIN (
  SELECT paying->>'outcome_id' AS outcome_id, paying
  FROM numbered, json_array_elements(payouts) AS paying
  WHERE from_last = 1 AND finality = 'final'
) AS newest USING (outcome_id)
WHERE outcome.payout IS DISTINCT FROM paying->>'payout'
UNION ALL
SELECT resolution_id, finality || ' ' || paid_count, 'final ' || coalesce(payouts_made, 0)
FROM numbered
LEFT JOIN (SELECT resolution_id, count(*) AS payouts_made FROM trading.resolution_payout GROUP BY resolution_id) AS made USING (resolution_id)
WHERE paid_count <> coalesce(payouts_made, 0) OR (paid_count > 0 AND finality <> 'final');
