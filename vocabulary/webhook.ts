/** States of a webhook: only an enabled one receives events. */
export const WEBHOOK_STATUSES = ['enabled', 'disabled'] as const
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number]

/** Why a webhook is disabled: by its account, because its receiver answered 410, or because it accepted nothing for days. */
export const DISABLED_REASONS = ['requested', 'gone', 'failing'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** Changes of a webhook, which are events of the account. */
type WebhookChange = 'created' | 'updated' | 'secret_rotated' | 'disabled' | 'deleted'

/** Requests to a webhook, which the process that delivers carries out. */
export const WEBHOOK_REQUESTS = ['test_requested', 'replay_requested'] as const
export type WebhookRequest = (typeof WEBHOOK_REQUESTS)[number]
export type WebhookAction = WebhookChange | WebhookRequest

/** Types of the events that a webhook can receive. */
export const WEBHOOK_EVENT_TYPES = [
  'settlement.created',
  'settlement.confirmed',
  'settlement.failed',
  'settlement.reversed',
  'settlement.adjusted',
  'payout.created',
  'payout.confirmed',
  'payout.failed',
  'payout.reversed',
  'payout_correction.created',
  'payout_correction.confirmed',
  'payout_correction.failed',
  'payout_correction.reversed',
  'adjustment.created',
  'transfer.requested',
  'transfer.held',
  'transfer.confirmed',
  'transfer.failed',
  'transfer.canceled',
  'order.canceled',
  'order.failed',
  'account.suspended',
  'account.resumed',
  'account.cancel_after_fired',
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'market.paused',
  'market.resumed',
  'market.closed',
  'market.resolved',
  'market.voided',
  'webhook.created',
  'webhook.updated',
  'webhook.secret_rotated',
  'webhook.disabled',
  'webhook.deleted',
] as const
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number]

/** Type of the event that a test sends; no event of the account has it. */
export const WEBHOOK_TEST_TYPE = 'webhook.test'

/** Kinds of deliveries: in order, a test, or an event that was asked for again by its delivery. */
export const DELIVERY_KINDS = ['event', 'test', 'redelivery'] as const
export type DeliveryKind = (typeof DELIVERY_KINDS)[number]

/** States of a delivery; `canceled`: its webhook was deleted or sent back to an earlier event first. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'canceled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Why an attempt was not accepted. */
export const ATTEMPT_FAILURES = [
  'status_refused',
  'redirect_refused',
  'target_refused',
  'name_unresolved',
  'connection_failed',
  'timed_out',
] as const
export type AttemptFailure = (typeof ATTEMPT_FAILURES)[number]
