import Type, { type Static } from 'typebox'
import { WEBHOOK_EVENT_TYPES, WEBHOOK_STATUSES } from '../../vocabulary/webhook.ts'
import { WEBHOOKS } from '../limits.ts'
import { closed, idOf, orNull, texts } from '../scalars.ts'

export const WEBHOOK_ID = idOf('whk', 'webhook_id')

const Url = Type.String({
  minLength: 1,
  maxLength: WEBHOOKS.url_length_max,
  pattern: '^https?://[\\x21-\\x7e]+$',
  description: 'https address of the receiver; its host must resolve to public addresses only',
  examples: ['https://hooks.example.com/tidemark'],
})
const EventTypes = Type.Array(texts(WEBHOOK_EVENT_TYPES), {
  minItems: 1,
  maxItems: WEBHOOK_EVENT_TYPES.length,
  uniqueItems: true,
  description: 'types of the events to deliver',
})
const Description = Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\x00-\\x1f\\x7f]*$' })

export const CreateWebhookRequest = Type.Object(
  { url: Url, event_types: EventTypes, description: Type.Optional(orNull(Description)) },
  { ...closed, title: 'CreateWebhookRequest' },
)
export type CreateWebhookRequest = Static<typeof CreateWebhookRequest>

export const UpdateWebhookRequest = Type.Object(
  {
    url: Type.Optional(Url),
    event_types: Type.Optional(EventTypes),
    description: Type.Optional(orNull(Description)),
    status: Type.Optional(texts(WEBHOOK_STATUSES)),
  },
  { ...closed, title: 'UpdateWebhookRequest', minProperties: 1, description: 'the fields to change' },
)
export type UpdateWebhookRequest = Static<typeof UpdateWebhookRequest>

export const RotateWebhookSecretRequest = Type.Object(
  {
    overlap_seconds: Type.Integer({
      minimum: 0,
      maximum: WEBHOOKS.overlap_max_s,
      description: 'how long deliveries are signed with the previous secret as well',
    }),
  },
  { ...closed, title: 'RotateWebhookSecretRequest' },
)
export type RotateWebhookSecretRequest = Static<typeof RotateWebhookSecretRequest>

export const TestWebhookRequest = Type.Object({}, { ...closed, title: 'TestWebhookRequest' })

export const ReplayWebhookRequest = Type.Object(
  {
    from_cursor: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'deliver the events with a greater sequence, in order; 0: all of them',
      }),
    ),
    delivery_ids: Type.Optional(
      Type.Array(idOf('whd', 'delivery_id'), {
        minItems: 1,
        maxItems: WEBHOOKS.redeliveries_max,
        uniqueItems: true,
        description: 'deliver the events of these deliveries once more, one attempt each, beside the order',
      }),
    ),
  },
  { ...closed, title: 'ReplayWebhookRequest', description: 'exactly one of from_cursor, delivery_ids' },
)
export type ReplayWebhookRequest = Static<typeof ReplayWebhookRequest>
