import { type BackoffRule, backoffMs, jitteredMs } from '../../primitives/backoff.ts'
import type { Micros } from '../../primitives/instants.ts'
import { WEBHOOKS } from '../../protocol/limits.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../../trading/projections/rows.ts'
import type { WebhookProgress } from '../../trading/store/webhooks/webhook-work.ts'
import type { PostResult } from './post-to-target.ts'

/** Status with which a receiver says that it is gone for good. */
const GONE = 410

/** State of a webhook after an attempt. */
export type Concluded = {
  readonly delivery: WebhookDeliveryRow
  readonly progress: WebhookProgress
  /** Why the webhook is to be disabled; null: it is not. */
  readonly disable: 'gone' | 'failing' | null
}

type Before = {
  readonly webhook: Pick<WebhookRow, 'updated_at'>
  readonly delivery: WebhookDeliveryRow
  readonly progress: WebhookProgress
}

/**
 * Decides what an attempt makes of its delivery and webhook. A delivery in order is tried again until its time is over, others are
 * not. A change of the webhook, such as another address, begins all times anew.
 * @param random in [0, 1)
 */
export function concludeAttempt(
  before: Before,
  result: PostResult,
  now: Micros,
  random: number,
  retry: BackoffRule = WEBHOOKS.retry,
): Concluded {
  const { webhook, progress } = before
  const delivery = { ...before.delivery, attempt_count: before.delivery.attempt_count + 1 }
  if (result.failure === null)
    return {
      delivery: concluded(delivery, 'delivered', now),
      progress: passed(delivery, progress, null),
      disable: null,
    }
  const since = (at: Micros | null) => (at === null ? now : Math.max(at, webhook.updated_at))
  const failing_since = since(progress.failing_since)
  if (result.status_code === GONE)
    return {
      delivery: concluded(delivery, 'failed', now),
      progress: passed(delivery, progress, failing_since),
      disable: 'gone',
    }
  const first_failed_at = since(delivery.first_failed_at)
  const next_attempt_at = now + waitMs(retry, delivery.attempt_count, result, random) * 1000
  const goes_on = delivery.kind === 'event' && next_attempt_at - first_failed_at <= WEBHOOKS.give_up_ms * 1000
  if (goes_on)
    return {
      delivery: { ...delivery, first_failed_at, next_attempt_at },
      progress: { ...progress, failing_since },
      disable: null,
    }
  const is_dead = delivery.kind === 'event' && now - failing_since >= WEBHOOKS.disable_after_ms * 1000
  return {
    delivery: { ...concluded(delivery, 'failed', now), first_failed_at },
    progress: passed(delivery, progress, failing_since),
    disable: is_dead ? 'failing' : null,
  }
}

/** Wait before the next attempt: the longer of our own and the one that the receiver asks for. */
function waitMs(rule: BackoffRule, attempt_count: number, { retry_after_ms }: PostResult, random: number): number {
  return Math.max(jitteredMs(backoffMs(rule, attempt_count), random), retry_after_ms ?? 0)
}

function concluded(delivery: WebhookDeliveryRow, status: 'delivered' | 'failed', now: Micros): WebhookDeliveryRow {
  return { ...delivery, status, next_attempt_at: null, concluded_at: now }
}

/** Moves the place of the webhook past a delivery in order; one beside the order leaves it. */
function passed(
  { kind, sequence }: WebhookDeliveryRow,
  progress: WebhookProgress,
  failing_since: Micros | null,
): WebhookProgress {
  return { ...progress, failing_since, position: kind === 'event' ? sequence : progress.position }
}
