import { describe, expect, test } from 'vitest'
import { concludeAttempt } from '../../../api/webhooks/conclude-attempt.ts'
import { type PostResult, retryAfter } from '../../../api/webhooks/post-to-target.ts'
import { WEBHOOKS } from '../../../protocol/limits.ts'
import type { WebhookDeliveryRow } from '../../../trading/projections/rows.ts'

const NOW = 1_795_000_000_000_000
const MS = 1000
const DAY = 86_400_000 * MS

const delivery = (of: Partial<WebhookDeliveryRow> = {}): WebhookDeliveryRow => ({
  ...{ delivery_id: 'whd_a', webhook_id: 'whk_a', account_id: 'acct_a', kind: 'event', event_id: 'whe_a' },
  ...{ event_type: 'transfer.held', sequence: 40, status: 'pending', attempt_count: 0, created_at: NOW },
  ...{ next_attempt_at: NOW, first_failed_at: null, concluded_at: null },
  ...of,
})
const progress = { position: 30, round: 0, request_sequence: 1, failing_since: null as number | null }
const result = (of: Partial<PostResult> = {}): PostResult => ({
  ...{ status_code: 500, failure: 'status_refused', message: null, answer: '', retry_after_ms: null },
  ...of,
})
const ACCEPTED = result({ status_code: 204, failure: null })
const conclude = (
  of: Partial<WebhookDeliveryRow>,
  given: PostResult,
  { failing_since = null, updated_at = 0, now = NOW, random = 0 }: Record<string, number | null> = {},
) => {
  const before = {
    webhook: { updated_at: updated_at! },
    delivery: delivery(of),
    progress: { ...progress, failing_since },
  }
  return concludeAttempt(before, given, now!, random!)
}

test('an accepted delivery is over, and the next event follows; nothing is failing', () => {
  const { delivery: after, progress: place, disable } = conclude({ attempt_count: 3 }, ACCEPTED, { failing_since: 5 })
  expect(after).toMatchObject({ status: 'delivered', attempt_count: 4, next_attempt_at: null, concluded_at: NOW })
  expect([place.position, place.failing_since, disable]).toEqual([40, null, null])
})

describe('a failed one', () => {
  test('is tried again; the place stays', () => {
    const { delivery: after, progress: place } = conclude({}, result())
    expect(after).toMatchObject({ status: 'pending', attempt_count: 1, first_failed_at: NOW })
    expect([place.position, place.failing_since]).toEqual([30, NOW])
  })

  test('waits twice as long each time, less up to half by chance, up to the longest wait', () => {
    const wait = (attempt_count: number, random: number) =>
      (conclude({ attempt_count, first_failed_at: NOW }, result(), { random }).delivery.next_attempt_at! - NOW) / MS
    expect([wait(0, 0), wait(0, 0.999_999)]).toEqual([2_500, 5_000])
    expect([wait(1, 0), wait(4, 0)]).toEqual([5_000, 40_000])
    expect([wait(20, 0), wait(60, 0)]).toEqual([WEBHOOKS.retry.max_ms / 2, WEBHOOKS.retry.max_ms / 2])
  })

  test('waits as long as its receiver asks, if that is longer', () => {
    const wait = (retry_after_ms: number) =>
      (conclude({}, result({ status_code: 429, retry_after_ms })).delivery.next_attempt_at! - NOW) / MS
    expect([wait(60_000), wait(1)]).toEqual([60_000, 2_500])
  })

  test('is given up when its time is over, and at its last moment is not', () => {
    const tried_ms = (ago_ms: number) => conclude({ first_failed_at: NOW - ago_ms * MS }, result()).delivery.status
    expect(tried_ms(WEBHOOKS.give_up_ms - 2_500)).toBe('pending')
    expect(tried_ms(WEBHOOKS.give_up_ms - 2_499)).toBe('failed')
    const over = conclude({ first_failed_at: NOW - DAY }, result())
    expect([over.progress.position, over.disable]).toEqual([40, null])
  })

  test('disables its webhook after three days without an accepted one', () => {
    const after_ms = (ms: number) =>
      conclude({ first_failed_at: NOW - DAY }, result(), { failing_since: NOW - ms * MS }).disable
    expect(after_ms(WEBHOOKS.disable_after_ms - 1)).toBe(null)
    expect(after_ms(WEBHOOKS.disable_after_ms)).toBe('failing')
    const changed = { failing_since: NOW - 9 * DAY, updated_at: NOW - DAY }
    expect(conclude({ first_failed_at: NOW - DAY }, result(), changed).disable).toBe(null)
  })

  test('begins anew after a change of the webhook', () => {
    const changed = { updated_at: NOW - 1 }
    expect(conclude({ first_failed_at: NOW - 2 * DAY }, result(), changed).delivery).toMatchObject({
      ...{ status: 'pending', first_failed_at: NOW - 1 },
    })
  })

  test('that is answered 410 is over, and so is its webhook', () => {
    const { delivery: after, progress: place, disable } = conclude({}, result({ status_code: 410 }))
    expect([after.status, place.position, disable]).toEqual(['failed', 40, 'gone'])
  })
})

test.each(['test', 'redelivery'] as const)('a %s is tried once, and leaves the place', (kind) => {
  expect(conclude({ kind }, ACCEPTED)).toMatchObject({ delivery: { status: 'delivered' }, progress: { position: 30 } })
  expect(conclude({ kind }, result())).toMatchObject({ delivery: { status: 'failed' }, progress: { position: 30 } })
})

test.each([
  [undefined, null],
  ['120', 120_000],
  ['0', 0],
  ['Thu, 01 Jan 1970 00:00:30 GMT', 20_000],
  ['Thu, 01 Jan 1970 00:00:05 GMT', 0],
  ['999999999', WEBHOOKS.retry.max_ms],
  ['soon', null],
  ['-5', null],
] as const)('Retry-After %s is %s ms', (header, wait_ms) => {
  expect(retryAfter(header, 10_000)).toBe(wait_ms)
})
