import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { WEBHOOKS } from '../../../protocol/limits.ts'
import type { DeliveryKind } from '../../../vocabulary/webhook.ts'
import type { WebhookChangeEvent } from '../../engine/events.ts'
import { requestedDeliveryId } from '../../engine/webhooks.ts'
import type { WebhookAttemptRow, WebhookDeliveryRow, WebhookRow } from '../../projections/rows.ts'
import type { Pool } from '../create-pool.ts'
import { readSql } from '../read-sql.ts'
import { decodeEvent, type TailedEvent } from '../tailed-event.ts'
import type { LeaseStatement } from './webhook-lease.ts'

const FOLDER = new URL('./sql/', import.meta.url)

/** Place of a webhook in its account's events. */
export type WebhookProgress = {
  /** Events up to here are concluded. */
  readonly position: number
  /** engine_sequence of the request that last moved it; 0: none. */
  readonly round: number
  /** engine_sequence of the last request that was taken up. */
  readonly request_sequence: number
  /** First failure since the last accepted delivery; null: none. */
  readonly failing_since: Micros | null
}

/** Place of an idle webhook, from which it is asked whether anything is new. */
export type IdlePlace = {
  readonly webhook_id: string
  readonly account_id: string
  readonly kinds: readonly string[]
  readonly place: number
}

/** Reads of the process that delivers. */
export type WebhookWork = {
  /** Webhooks that were created or changed after an engine_sequence, deleted ones too, in the order of their changes. */
  changedAfter(engine_sequence: number): Promise<readonly (WebhookRow & WebhookProgress)[]>
  /** The webhook as it is now; null: it has not changed since this row. */
  changedSince(row: Pick<WebhookRow, 'webhook_id' | 'engine_sequence'>): Promise<WebhookRow | null>
  pending(webhook_id: string): Promise<readonly WebhookDeliveryRow[]>
  /** Changes of the account's webhooks, and requests to them, oldest first. */
  changesAfter(account_id: string, engine_sequence: number, limit: number): Promise<readonly WebhookChangeEvent[]>
  /** Returns those of the webhooks that have something new. */
  withNews(idle: readonly IdlePlace[]): Promise<readonly string[]>
}

/** Creates the reads over a pool of the trading database. */
export function webhookWork(pool: Pool): WebhookWork {
  const read = async <R extends object>(name: string, values: readonly unknown[]): Promise<readonly R[]> =>
    (await pool.query<R>({ name: `webhooks_${name}`, text: readSql(name, FOLDER), values: [...values] })).rows
  return {
    changedAfter: (engine_sequence) => read('changed_webhooks', [engine_sequence]),
    changedSince: async ({ webhook_id, engine_sequence }) =>
      (await read<WebhookRow>('changed_webhook', [webhook_id, engine_sequence]))[0] ?? null,
    pending: (webhook_id) => read('pending_deliveries', [webhook_id]),
    changesAfter: async (account_id, engine_sequence, limit) => {
      const rows = await read<TailedEvent>('webhook_changes', [account_id, engine_sequence, limit])
      return rows.map((row) => decodeEvent(row) as WebhookChangeEvent)
    },
    withNews: async (idle) => {
      if (idle.length === 0) return []
      const values = [
        idle.map(({ webhook_id }) => webhook_id),
        idle.map(({ account_id }) => account_id),
        idle.map(({ kinds }) => kinds.join(' ')),
        idle.map(({ place }) => place),
      ]
      return (await read<{ webhook_id: string }>('webhooks_with_news', values)).map(({ webhook_id }) => webhook_id)
    },
  }
}

/** Statement that records a delivery before its first attempt. */
export function insertDelivery(row: WebhookDeliveryRow): LeaseStatement {
  const { delivery_id, webhook_id, account_id, kind, event_id, event_type, sequence, created_at } = row
  const values = [delivery_id, webhook_id, account_id, kind, event_id, event_type, sequence, formatMicros(created_at)]
  return { name: 'insert_delivery', values }
}

/** Statement that records the deliveries which a replay names. */
export function insertRedeliveries(request: WebhookChangeEvent, now: Micros): LeaseStatement {
  const { webhook_id, engine_sequence, delivery_ids = [] } = request
  const ids = delivery_ids.map((id) => requestedDeliveryId(webhook_id, engine_sequence, id))
  return { name: 'insert_redeliveries', values: [ids, [...delivery_ids], webhook_id, formatMicros(now)] }
}

/** Statement that cancels what is pending of some kinds. */
export function cancelDeliveries(webhook_id: string, kinds: readonly DeliveryKind[], now: Micros): LeaseStatement {
  return { name: 'cancel_deliveries', values: [webhook_id, [...kinds], formatMicros(now)] }
}

/** Statement that saves the place of a webhook. */
export function saveProgress(webhook_id: string, progress: WebhookProgress): LeaseStatement {
  const { position, round, request_sequence, failing_since } = progress
  return { name: 'save_progress', values: [webhook_id, position, round, request_sequence, textOf(failing_since)] }
}

/** Statement that records an attempt and what it made of its delivery. */
export function recordAttempt(delivery: WebhookDeliveryRow, attempt: WebhookAttemptRow): LeaseStatement {
  const { delivery_id, status, next_attempt_at, first_failed_at, concluded_at } = delivery
  const { attempt_number, attempted_at, duration_ms, status_code, failure, message, answer } = attempt
  const of_attempt = [attempt_number, formatMicros(attempted_at), duration_ms, status_code, failure, message, answer]
  const of_delivery = [status, textOf(next_attempt_at), textOf(first_failed_at), textOf(concluded_at)]
  return { name: 'record_attempt', values: [delivery_id, ...of_attempt, ...of_delivery] }
}

/** Statement that removes deliveries which are too old to be kept. */
export function deleteOldDeliveries(now: Micros): LeaseStatement {
  return { name: 'delete_deliveries', values: [formatMicros(now - WEBHOOKS.deliveries_retention_ms * 1000)] }
}

function textOf(at: Micros | null): string | null {
  return at === null ? null : formatMicros(at)
}
