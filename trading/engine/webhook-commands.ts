import type { DisabledReason, WebhookEventType, WebhookStatus } from '../../vocabulary/webhook.ts'

/** Terms of a new webhook. The API makes its id, which the sealed secret is bound to. */
export type NewWebhook = {
  readonly webhook_id: string
  readonly url: string
  readonly event_types: readonly WebhookEventType[]
  readonly description: string | null
  /** Sealed, hex. */
  readonly material: string
}

/** Fields of a webhook that its account changes; a missing one stays. */
export type WebhookChanges = {
  readonly url?: string
  readonly event_types?: readonly WebhookEventType[]
  readonly description?: string | null
  readonly status?: WebhookStatus
}

/** Events to deliver again: those after a sequence in order, or those of single deliveries. */
export type WebhookReplay = {
  readonly from_cursor: number | null
  readonly delivery_ids: readonly string[]
}

/** Disables a webhook whose receiver is gone or accepts nothing; a step of the service that delivers. */
export type DisableWebhook = {
  readonly kind: 'disable_webhook'
  readonly webhook_id: string
  /** Version that failed: a webhook that was changed since stays as it is. */
  readonly projection_version: number
  readonly disabled_reason: Exclude<DisabledReason, 'requested'>
}
