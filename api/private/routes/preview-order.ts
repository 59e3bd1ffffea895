import { isServiceError, notAllowed, ServiceError } from '../../../primitives/errors.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import { WOULD_FILL } from '../../../protocol/limits.ts'
import type { PreviewRequest } from '../../../protocol/requests/order-request.ts'
import { refused } from '../../../trading/engine/answers.ts'
import type { Refusal, SignedOrder } from '../../../trading/engine/submission.ts'
import { orderErrors } from '../../../trading/order/order-errors.ts'
import { previewPast } from '../../../trading/store/read/walk-past.ts'
import { pastPreviewOf } from '../../../trading/would-fill/past-preview.ts'
import { refusedAccount, refusedReference } from '../account-refusal.ts'
import { type PrivateAnswer, type PrivateRequest, shown } from '../private-request.ts'
import { signedOrder } from '../signed-order.ts'
import { submit } from '../submit.ts'
import { settledAsOf } from './settled-as-of.ts'

/** Previews an order as it would be placed now, or tells how it would have filled from a past instant on. */
export async function previewOrder(request: PrivateRequest): Promise<PrivateAnswer> {
  const { as_of = null, until = null, ...body } = request.body as PreviewRequest
  const refusal = refusedAccount(request.caller, body.account_id)
  if (refusal !== null) return refusedReference(refusal)
  const range = as_of === null ? null : rangeOf(toMicros(as_of, 'as_of'), until, request.now)
  const order = await signedOrder(request, body)
  const { request_id } = request
  if (range === null) return submit(request, { kind: 'preview', account_id: body.account_id, order, request_id })
  return order.verdict === null ? await pastPreview(request, order, range) : refused(order.verdict)
}

type WalkRange = { readonly as_of: Micros; readonly until: Micros }

/** @throws {ServiceError} VALIDATION_AS_OF_IN_FUTURE, VALIDATION_RANGE_INVALID */
function rangeOf(as_of: Micros, until: string | null, now: Micros): WalkRange {
  const clock = `not after ${formatMicros(now)}, the service's clock`
  if (as_of > now)
    throw notAllowed('VALIDATION_AS_OF_IN_FUTURE', 'as_of', formatMicros(as_of), `an instant that is ${clock}`)
  if (until === null) return { as_of, until: Math.min(now, as_of + WOULD_FILL.range_ms_default * 1000) }
  const end = toMicros(until, 'until')
  const last = Math.min(now, as_of + WOULD_FILL.range_ms_max * 1000)
  if (end > as_of && end <= last) return { as_of, until: end }
  const [from, to] = [formatMicros(as_of), formatMicros(last)]
  throw notAllowed('VALIDATION_RANGE_INVALID', 'until', until, `an instant after as_of ${from}, up to ${to}`)
}

/** Walks that are running, by account. */
const running = new Map<string, number>()

async function pastPreview(request: PrivateRequest, order: SignedOrder, range: WalkRange): Promise<PrivateAnswer> {
  const { account_id } = request.caller
  const of_account = running.get(account_id) ?? 0
  refuseMore(of_account)
  running.set(account_id, of_account + 1)
  try {
    // The later instant being final, so is the earlier one.
    await settledAsOf({ ...request, as_of: range.until })
    const preview = await previewPast(request.trading.tape, order.intent, range)
    return shown(pastPreviewOf(order.intent, preview, { as_of: range.as_of, request_id: request.request_id }))
  } catch (error) {
    const refusal = bodyRefusal(error, order)
    if (refusal === null) throw error
    return refusedReference(refusal)
  } finally {
    const left = running.get(account_id)! - 1
    if (left === 0) running.delete(account_id)
    else running.set(account_id, left)
  }
}

/** Returns the refusal of a body that names a market or outcome which is not traded here; null: another error. */
function bodyRefusal(error: unknown, { intent, is_published_market }: SignedOrder): Refusal | null {
  const is_unknown = isServiceError(error, 'MARKET_NOT_FOUND')
  if (is_unknown && is_published_market === true)
    return { ...orderErrors.market_elsewhere(intent.market_id), facts: {} }
  if (!is_unknown && !isServiceError(error, 'MARKET_OUTCOME_NOT_FOUND')) return null
  const { code, message, facts } = error
  return { code, message, facts }
}

function refuseMore(of_account: number): void {
  const retry_after_ms = String(RETRY_AFTER_MS)
  if (of_account >= WOULD_FILL.of_account_max) {
    const message = `previews of the past that run for this account: ${of_account}, the maximum; try again when one has ended`
    throw new ServiceError('RATE_LIMIT_EXCEEDED', message, { retry_after_ms })
  }
  const all = [...running.values()].reduce((sum, count) => sum + count, 0)
  if (all < WOULD_FILL.at_once_max) return
  const message = `${all} previews of the past are running, the maximum; try again later`
  throw new ServiceError('SERVICE_UNAVAILABLE', message, { phase: 'past_previews', retry_after_ms })
}

/** Time after which a walk may have ended. */
const RETRY_AFTER_MS = 1000
