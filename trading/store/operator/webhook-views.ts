import { ServiceError } from '../../../primitives/errors.ts'
import { formatMicros, type Instant, type Micros } from '../../../primitives/instants.ts'
import type { Webhook } from '../../../protocol/resources/webhook.ts'
import { webhookResource } from '../../projections/webhook.ts'
import type { WebhookRow } from '../../projections/webhook-rows.ts'
import type { Pool } from '../create-pool.ts'
import { readSql } from '../read-sql.ts'

const FOLDER = new URL('./', import.meta.url)

/** A webhook as operators see it. */
export type WebhookView = Webhook & {
  /** First failure since the last accepted delivery; null: none. */
  readonly failing_since: Instant | null
  readonly pending_count: number
}

type ViewRow = WebhookRow & { readonly failing_since: Micros | null; readonly pending_count: number }

/** Lists the webhooks of all accounts, or of one. @param now instant for which they are shown */
export async function listWebhookViews(pool: Pool, account_id: string | null, now: Micros): Promise<WebhookView[]> {
  return (await rowsOf(pool, account_id, null)).map((row) => ({
    ...webhookResource(row, now),
    failing_since: row.failing_since === null ? null : formatMicros(row.failing_since),
    pending_count: row.pending_count,
  }))
}

/** Reads the row of a webhook. @throws {ServiceError} WEBHOOK_NOT_FOUND */
export async function readWebhookRow(pool: Pool, webhook_id: string): Promise<WebhookRow> {
  const [row] = await rowsOf(pool, null, webhook_id)
  if (row !== undefined) return row
  throw new ServiceError('WEBHOOK_NOT_FOUND', `webhook is ${webhook_id}; allowed: one of \`tidemark webhook list\``)
}

async function rowsOf(pool: Pool, account_id: string | null, webhook_id: string | null): Promise<readonly ViewRow[]> {
  return (await pool.query<ViewRow>(readSql('list_webhooks_of_all', FOLDER), [account_id, webhook_id])).rows
}
