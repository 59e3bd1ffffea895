-- Settlement backlog by asset.
-- returns: asset_id, pending, submitted, retrying, in_review, oldest_at: when the oldest was made that settles by itself
SELECT asset.asset_id,
       count(*) FILTER (WHERE settlement.state = 'pending') AS pending,
       count(*) FILTER (WHERE settlement.state = 'submitted') AS submitted,
       count(*) FILTER (WHERE settlement.state = 'failed' AND attempt.next_action = 'retry') AS retrying,
       count(*) FILTER (WHERE settlement.state = 'failed' AND attempt.next_action <> 'retry') AS in_review,
       min(settlement.created_at) FILTER (WHERE settlement.state <> 'failed' OR attempt.next_action = 'retry') AS oldest_at
  FROM trading.asset
  LEFT JOIN trading.settlement
         ON settlement.asset_id = asset.asset_id AND settlement.state IN ({{UNCONFIRMED_STATES}})
  LEFT JOIN trading.settlement_attempt AS attempt ON attempt.attempt_id = settlement.attempt_id
 GROUP BY asset.asset_id
 ORDER BY asset.asset_id
