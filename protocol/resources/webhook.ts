import Type, { type Static } from 'typebox'
import {
  ATTEMPT_FAILURES,
  DELIVERY_KINDS,
  DELIVERY_STATUSES,
  DISABLED_REASONS,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_STATUSES,
  WEBHOOK_TEST_TYPE,
} from '../../vocabulary/webhook.ts'
import { Count, closed, Id, Instant, orNull, Sequence, Text, texts } from '../scalars.ts'

const record = {
  webhook_id: Id,
  account_id: Id,
  url: Text,
  description: orNull(Text),
  event_types: Type.Array(texts(WEBHOOK_EVENT_TYPES)),
  status: texts(WEBHOOK_STATUSES),
  disabled_reason: orNull(texts(DISABLED_REASONS), 'null: it is enabled'),
  secret_version: Count,
  previous_secret_valid_until: orNull(Instant, 'end of the time in which the previous secret signs, too'),
  created_at: Instant,
  updated_at: Instant,
  projection_version: Count,
  engine_sequence: Sequence,
} as const

/** An address that receives events of the account; without its secret. */
export const Webhook = Type.Object(record, { ...closed, title: 'Webhook' })
export type Webhook = Static<typeof Webhook>

/** A new webhook, or a rotated one, with its secret, which no other response contains. */
export const IssuedWebhook = Type.Object(
  { ...record, secret: orNull(Text), secret_already_returned: Type.Boolean() },
  { ...closed, title: 'IssuedWebhook' },
)
export type IssuedWebhook = Static<typeof IssuedWebhook>

/** The record that a deleted webhook leaves. */
export const DeletedWebhook = Type.Object(
  { webhook_id: Id, deleted_at: Instant },
  { ...closed, title: 'DeletedWebhook' },
)
export type DeletedWebhook = Static<typeof DeletedWebhook>

/** A test or replay that was accepted; its deliveries follow. */
export const WebhookOrder = Type.Object(
  {
    webhook_id: Id,
    requested_at: Instant,
    from_cursor: orNull(Sequence),
    delivery_ids: Type.Array(Id, { description: 'ids of the deliveries to come; none for from_cursor' }),
    engine_sequence: Sequence,
  },
  { ...closed, title: 'WebhookOrder' },
)
export type WebhookOrder = Static<typeof WebhookOrder>

/** An event of the account, as webhooks receive it. `data` is the record as the REST API returned it right after the event. */
export const WebhookEvent = Type.Object(
  {
    event_id: Id,
    event_type: texts([...WEBHOOK_EVENT_TYPES, WEBHOOK_TEST_TYPE]),
    account_id: Id,
    sequence: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'engine_sequence; ascends within the account, gaps have no meaning; the cursor of a replay',
    }),
    occurred_at: Instant,
    data: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      description: 'record of the REST API; of market.* its market_id and status',
    }),
  },
  { ...closed, title: 'WebhookEvent' },
)
export type WebhookEvent = Static<typeof WebhookEvent>

const Attempt = Type.Object(
  {
    attempt_number: Count,
    attempted_at: Instant,
    duration_ms: Count,
    status_code: orNull(Count, 'null: there was no answer'),
    failure: orNull(texts(ATTEMPT_FAILURES), 'null: it was accepted'),
    message: orNull(Text, 'the failure in words'),
    answer: orNull(Text, 'first bytes of the answer; null: none was read'),
  },
  { ...closed, title: 'WebhookAttempt' },
)

/** An event on its way to one webhook, with each attempt. */
export const WebhookDelivery = Type.Object(
  {
    delivery_id: Id,
    webhook_id: Id,
    account_id: Id,
    kind: texts(DELIVERY_KINDS),
    status: texts(DELIVERY_STATUSES),
    event_id: Id,
    event_type: texts([...WEBHOOK_EVENT_TYPES, WEBHOOK_TEST_TYPE]),
    sequence: Sequence,
    created_at: Instant,
    next_attempt_at: orNull(Instant, 'null: there is no further attempt'),
    concluded_at: orNull(Instant),
    attempt_count: Count,
    attempts: Type.Array(Attempt),
  },
  { ...closed, title: 'WebhookDelivery' },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>
