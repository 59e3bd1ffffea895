import { expect, test } from 'vitest'
import { DeliveryLane, type LanePorts } from '../../../api/webhooks/delivery-lane.ts'
import type { WebhookEvent } from '../../../protocol/resources/webhook.ts'
import type { WebhookRow } from '../../../trading/projections/rows.ts'
import type { WebhookProgress } from '../../../trading/store/webhooks/webhook-work.ts'

const webhook = (of: Partial<WebhookRow> = {}) =>
  ({
    ...{ webhook_id: 'whk_a', account_id: 'acct_a', url: 'https://a.example/', status: 'enabled', deleted_at: null },
    ...{ event_types: ['transfer.held'], engine_sequence: 10 },
    ...of,
  }) as WebhookRow
const PROGRESS: WebhookProgress = { position: 30, round: 0, request_sequence: 30, failing_since: null }
const EVENT = {
  event_id: 'whe_a',
  event_type: 'transfer.held',
  account_id: 'acct_a',
  sequence: 40,
} as unknown as WebhookEvent

/** Runs a lane over one event, whose webhook was changed to `changed` after it was read. @returns where the event was sent */
async function sentAfter(changed: WebhookRow | null): Promise<string[]> {
  const ended = new AbortController()
  const sent: string[] = []
  const ports: LanePorts = {
    work: {
      pending: async () => [],
      changesAfter: async () => [],
      changedSince: async ({ engine_sequence }) =>
        changed !== null && changed.engine_sequence > engine_sequence ? changed : null,
    },
    write: async () => undefined,
    events: async ({ types, after }) => {
      const wanted = types.includes('transfer.held') && after < 40
      if (!wanted) ended.abort()
      return { events: wanted ? [EVENT] : [], read_to: 40, is_whole: true }
    },
    send: async ({ url }) => {
      sent.push(url)
      const accepted = { status_code: 204, failure: null, message: null, answer: '', retry_after_ms: null }
      return { ...accepted, duration_ms: 1 }
    },
    disable: async () => undefined,
    concluded: () => undefined,
    now: () => 1_795_000_000_000_000,
    random: () => 0,
    retry: { first_ms: 1, max_ms: 1 },
  }
  await new DeliveryLane({ ...webhook(), ...PROGRESS }, ports).run(ended.signal)
  return sent
}

test('an event goes to where the webhook is when it is sent, if a change was committed after the webhook was read', async () => {
  expect(await sentAfter(null)).toEqual(['https://a.example/'])
  expect(await sentAfter(webhook({ url: 'https://b.example/', engine_sequence: 39 }))).toEqual(['https://b.example/'])
})
