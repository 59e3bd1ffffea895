import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import type { WebhookAttemptRow, WebhookDeliveryRow, WebhookRow } from '../../projections/rows.ts'
import type { Pool } from '../create-pool.ts'
import { headOf, queryOnce, snapshot } from './snapshot.ts'
import type { Part, TradingReads } from './trading-reads.ts'

type Reads = Pick<TradingReads, 'webhooks' | 'webhook' | 'webhookDeliveries' | 'knownDeliveries'>

/** Creates the reads of webhooks and their deliveries. */
export function createWebhookReads(pool: Pool): Reads {
  return {
    webhooks: (account_id, part) =>
      snapshot(pool, async (query) => {
        const values = [account_id, null, ...instantKey(part), part.limit]
        return { head: await headOf(query, null), rows: await query<WebhookRow>('list_webhooks', values) }
      }),
    webhook: async (account_id, webhook_id) => {
      const one = [account_id, webhook_id, null, null, 1]
      return (await queryOnce<WebhookRow>(pool, 'list_webhooks', one))[0] ?? null
    },
    webhookDeliveries: (webhook_id, { status }, part) =>
      snapshot(pool, async (query) => {
        const values = [webhook_id, status, ...instantKey(part), part.limit]
        const deliveries = await query<WebhookDeliveryRow>('list_webhook_deliveries', values)
        const ids = deliveries.map(({ delivery_id }) => delivery_id)
        const attempts = ids.length === 0 ? [] : await query<WebhookAttemptRow>('webhook_attempts', [ids])
        const rows = deliveries.map((row) => ({
          ...row,
          attempts: attempts.filter(({ delivery_id }) => delivery_id === row.delivery_id),
        }))
        return { head: await headOf(query, null), rows }
      }),
    knownDeliveries: async (webhook_id, ids) => {
      const rows = await queryOnce<{ delivery_id: string }>(pool, 'webhook_deliveries_known', [webhook_id, ids])
      return rows.map(({ delivery_id }) => delivery_id)
    },
  }
}

function instantKey({ after }: Part): readonly [string | null, string | null] {
  return after === null ? [null, null] : [formatMicros(after[0] as Micros), after[1] as string]
}
