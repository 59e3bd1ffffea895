import { expect, test } from 'vitest'
import { concludeAnswer } from '../../../operations/settlement/conclude-answer.ts'
import { type RailResult, railAnswer } from '../../../trading/settlement/settlement-rail.ts'
import type { AttemptUnderWay } from '../../../trading/store/settlement/settlement-work.ts'

const LIMITS = { finality_ms: 1_000, attempts_max: 3 }
const SUBMITTED_AT = 1_700_000_000_000_000

function attempt(attempt_number = 1): AttemptUnderWay {
  return {
    settlement_id: 'stl_1',
    attempt_id: `att_1_${attempt_number}`,
    attempt_number,
    account_id: 'acct_a',
    market_id: 'mkt_1',
    outcome_id: 'out_yes',
    asset_id: 'asset_usd',
    side: 'BUY',
    quantity: 1,
    notional: 1,
    fee: 0,
    submitted_at: SUBMITTED_AT,
  }
}

const conclude = (result: RailResult, age_ms = 0, attempt_number = 1, retryable = false) =>
  concludeAnswer(
    railAnswer('stl_1', result, { retryable, external_reference: 'ref' }),
    attempt(attempt_number),
    SUBMITTED_AT + age_ms * 1_000,
    LIMITS,
  )

test('confirmed ends it, also after the time for it is over', () => {
  const ended = {
    result: 'confirmed',
    failure_code: null,
    retryable: null,
    next_action: 'none',
    external_reference: 'ref',
  }
  expect(conclude('confirmed')).toMatchObject(ended)
  expect(conclude('confirmed', 60_000)).toMatchObject(ended)
})

test.each(['accepted', 'unknown'] as const)('%s: under way until its time is over, to the millisecond', (result) => {
  expect(conclude(result)).toBeNull()
  expect(conclude(result, 999)).toBeNull()
  expect(conclude(result, 1_000)).toMatchObject({
    result: 'failed',
    failure_code: 'SETTLEMENT_FINALITY_TIMEOUT',
    retryable: true,
    next_action: 'retry',
    message: 'not final 1000 ms after its submission',
  })
})

test('what fails by itself is tried again, as often as is allowed; then an operator is asked', () => {
  const unavailable = (number: number) => conclude('unavailable', 0, number)
  expect(unavailable(2)).toMatchObject({
    failure_code: 'SETTLEMENT_RAIL_UNAVAILABLE',
    retryable: true,
    next_action: 'retry',
  })
  expect(unavailable(3)).toMatchObject({ retryable: true, next_action: 'operator_review' })
  expect(unavailable(4)).toMatchObject({ next_action: 'operator_review' })
})

test('what the rail refuses for good, or took back, waits for an operator at once', () => {
  const review = { result: 'failed', retryable: false, next_action: 'operator_review' }
  expect(conclude('rejected')).toMatchObject({ ...review, failure_code: 'SETTLEMENT_SUBMISSION_REJECTED' })
  expect(conclude('reversed')).toMatchObject({ ...review, failure_code: 'SETTLEMENT_REVERSED' })
  expect(conclude('rejected', 0, 1, true)).toMatchObject({ retryable: true, next_action: 'retry' })
  const mismatch = railAnswer('stl_1', 'rejected', { failure_code: 'SETTLEMENT_ASSET_MISMATCH' })
  expect(concludeAnswer(mismatch, attempt(), SUBMITTED_AT, LIMITS)).toMatchObject({
    ...review,
    failure_code: 'SETTLEMENT_ASSET_MISMATCH',
  })
})
