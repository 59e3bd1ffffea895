import { MICROS_PER_SECOND } from '../../primitives/instants.ts'
import { REJECTED_ORDERS } from '../../protocol/limits.ts'
import type { Rejection } from '../order/order-errors.ts'
import type { Execution } from './execution.ts'
import { accountOf } from './state.ts'
import type { Refusal } from './submission.ts'

const { rate, burst, blocked_cost } = REJECTED_ORDERS
const TOKEN_MICROS = MICROS_PER_SECOND / rate
const BURST_MICROS = burst * TOKEN_MICROS

/**
 * Takes a token for the record of a rejected order. The bucket is kept as the instant at which it is full again, and a blocked account
 * pays several tokens. The engine's restart fills all buckets.
 * @returns the refusal of an order that is not recorded; null: it may be
 */
export function takeRejection(execution: Execution, account_id: string, rejection: Rejection): Refusal | null {
  const { state, now } = execution
  const cost = accountOf(state, account_id).blocked ? TOKEN_MICROS * blocked_cost : TOKEN_MICROS
  const full_at = Math.max(state.rejections_full_at.get(account_id) ?? 0, now) + cost
  const wait = full_at - now - BURST_MICROS
  if (wait <= 0) {
    state.rejections_full_at.set(account_id, full_at)
    return null
  }
  return limited(account_id, Math.ceil(wait / 1000), rejection)
}

function limited(account_id: string, wait_ms: number, { code, message }: Rejection): Refusal {
  const reason = `the budget of account ${account_id} for rejected orders is used up; wait ${wait_ms} ms`
  return {
    code: 'RATE_LIMIT_EXCEEDED',
    message: `${reason}. The order is not recorded and would be rejected: ${code}, ${message}`,
    facts: { retry_after_ms: String(wait_ms) },
  }
}
