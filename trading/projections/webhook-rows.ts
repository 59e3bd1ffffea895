import type { Micros } from '../../primitives/instants.ts'
import type {
  AttemptFailure,
  DeliveryKind,
  DeliveryStatus,
  DisabledReason,
  WEBHOOK_TEST_TYPE,
  WebhookEventType,
  WebhookStatus,
} from '../../vocabulary/webhook.ts'

/** An address that receives events of an account. */
export type WebhookRow = {
  readonly webhook_id: string
  readonly account_id: string
  readonly url: string
  readonly description: string | null
  readonly event_types: readonly WebhookEventType[]
  readonly status: WebhookStatus
  readonly disabled_reason: DisabledReason | null
  /** Sealed secret, hex; never one in the clear. */
  readonly material: string
  readonly secret_version: number
  /** Former secret, sealed, which signs too until `previous_until`. */
  readonly previous_material: string | null
  readonly previous_until: Micros | null
  readonly created_at: Micros
  readonly updated_at: Micros
  readonly deleted_at: Micros | null
  /** engine_sequence of its creation: later events are delivered. */
  readonly created_sequence: number
  readonly projection_version: number
  readonly engine_sequence: number
}

/** An event on its way to one webhook. */
export type WebhookDeliveryRow = {
  readonly delivery_id: string
  readonly webhook_id: string
  readonly account_id: string
  readonly kind: DeliveryKind
  readonly event_id: string
  readonly event_type: WebhookEventType | typeof WEBHOOK_TEST_TYPE
  readonly sequence: number
  readonly status: DeliveryStatus
  readonly attempt_count: number
  readonly created_at: Micros
  /** null: no further attempt. */
  readonly next_attempt_at: Micros | null
  readonly first_failed_at: Micros | null
  readonly concluded_at: Micros | null
}

/** One attempt of a delivery. */
export type WebhookAttemptRow = {
  readonly delivery_id: string
  readonly attempt_number: number
  readonly attempted_at: Micros
  readonly duration_ms: number
  /** null: there was no answer. */
  readonly status_code: number | null
  /** null: it was accepted. */
  readonly failure: AttemptFailure | null
  readonly message: string | null
  readonly answer: string | null
}
