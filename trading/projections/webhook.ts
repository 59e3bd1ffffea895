import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { Webhook, WebhookDelivery } from '../../protocol/resources/webhook.ts'
import type { WebhookAttemptRow, WebhookDeliveryRow, WebhookRow } from './webhook-rows.ts'

type Shown = Omit<
  WebhookRow,
  'material' | 'previous_material' | 'deleted_at' | 'created_sequence' | 'updated_at' | 'engine_sequence'
> & { readonly updated_at: Micros; readonly engine_sequence: number }

/** Returns the public form of a webhook. @param now instant for which the end of the previous secret is shown */
export function webhookResource(row: Shown, now: Micros): Webhook {
  const { previous_until } = row
  return {
    webhook_id: row.webhook_id,
    account_id: row.account_id,
    url: row.url,
    description: row.description,
    event_types: [...row.event_types],
    status: row.status,
    disabled_reason: row.disabled_reason,
    secret_version: row.secret_version,
    previous_secret_valid_until: previous_until !== null && previous_until > now ? formatMicros(previous_until) : null,
    created_at: formatMicros(row.created_at),
    updated_at: formatMicros(row.updated_at),
    projection_version: row.projection_version,
    engine_sequence: row.engine_sequence,
  }
}

/** Returns the public form of a delivery. @param attempts its own, oldest first */
export function deliveryResource(row: WebhookDeliveryRow, attempts: readonly WebhookAttemptRow[]): WebhookDelivery {
  const instant = (at: Micros | null) => (at === null ? null : formatMicros(at))
  return {
    delivery_id: row.delivery_id,
    webhook_id: row.webhook_id,
    account_id: row.account_id,
    kind: row.kind,
    status: row.status,
    event_id: row.event_id,
    event_type: row.event_type,
    sequence: row.sequence,
    created_at: formatMicros(row.created_at),
    next_attempt_at: instant(row.next_attempt_at),
    concluded_at: instant(row.concluded_at),
    attempt_count: row.attempt_count,
    attempts: attempts.map((attempt) => ({
      attempt_number: attempt.attempt_number,
      attempted_at: formatMicros(attempt.attempted_at),
      duration_ms: attempt.duration_ms,
      status_code: attempt.status_code,
      failure: attempt.failure,
      message: attempt.message,
      answer: attempt.answer,
    })),
  }
}
