-- Attempts in progress among some, with the instruction for the rail.
-- params: $1 attempt_ids
-- returns: the fields of an instruction, submitted_at
SELECT settlement.settlement_id, attempt.attempt_id, attempt.attempt_number, settlement.account_id, settlement.market_id,
       settlement.outcome_id, settlement.asset_id, settlement.side, settlement.quantity, settlement.notional, settlement.fee,
       settlement.debit_amount, settlement.credit_amount, attempt.submitted_at
  FROM trading.settlement_attempt AS attempt
  JOIN trading.settlement ON settlement.settlement_id = attempt.settlement_id AND settlement.attempt_id = attempt.attempt_id
 WHERE attempt.attempt_id = ANY ($1::text[]) AND attempt.state = 'submitted' AND settlement.state = 'submitted'
 ORDER BY settlement.created_at, settlement.settlement_id
