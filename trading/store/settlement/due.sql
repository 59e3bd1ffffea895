-- Settlements of an asset due for an attempt: pending; failed, retryable, and past its wait; or submitted so long ago
-- that its submitter must have ended.
-- params: $1 asset_id, $2 now, $3 wait after the first failure in ms, doubled from failure to failure, $4 greatest wait in ms,
--         $5 age in ms from which a submitted attempt is anybody's, $6 created at or before, null: any, $7 at most
-- returns: settlement_id, attempt_number: of the attempt to make, or of the one under way; is_under_way; oldest first
SELECT settlement.settlement_id,
       CASE settlement.state WHEN 'submitted' THEN settlement.attempt_count ELSE settlement.attempt_count + 1 END AS attempt_number,
       settlement.state = 'submitted' AS is_under_way
  FROM trading.settlement
  LEFT JOIN trading.settlement_attempt AS attempt ON attempt.attempt_id = settlement.attempt_id
 WHERE settlement.asset_id = $1
   AND settlement.state IN ({{UNCONFIRMED_STATES}})
   AND ($6::timestamptz IS NULL OR settlement.created_at <= $6)
   AND CASE settlement.state
         WHEN 'pending' THEN true
         WHEN 'failed' THEN attempt.next_action = 'retry'
          AND attempt.concluded_at
              + least($3::bigint << least(attempt.attempt_number - 1, 20), $4::bigint) * interval '1 millisecond' <= $2::timestamptz
         ELSE attempt.submitted_at + $5::bigint * interval '1 millisecond' <= $2::timestamptz
       END
 ORDER BY settlement.created_at, settlement.settlement_id
 LIMIT $7
