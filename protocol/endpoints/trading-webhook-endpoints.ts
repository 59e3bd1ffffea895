import Type from 'typebox'
import { DELIVERY_STATUSES, WEBHOOK_EVENT_TYPES } from '../../vocabulary/webhook.ts'
import {
  CreateWebhookRequest,
  ReplayWebhookRequest,
  RotateWebhookSecretRequest,
  TestWebhookRequest,
  UpdateWebhookRequest,
  WEBHOOK_ID,
} from '../requests/webhook-request.ts'
import {
  DeletedWebhook,
  IssuedWebhook,
  Webhook,
  WebhookDelivery,
  WebhookEvent,
  WebhookOrder,
} from '../resources/webhook.ts'
import { listOf, oneOf, PAGING } from './parameter.ts'
import type { PrivateEndpoint } from './private-endpoint.ts'
import { ONCE, READ, WRITE } from './trading-shared.ts'

const tag = 'Webhooks'
const read = { ...READ, tag, scope: 'account:read', path_parameters: {}, query: {} } as const
const write = { ...WRITE, tag, scope: 'webhooks:write' } as const
const path_parameters = { webhook_id: WEBHOOK_ID }
const one = '/webhooks/{webhook_id}'
const READABLE = 'The key also needs the scopes that read the records of these events.'
const SHORT_PAGES = 'With a filter a page may have fewer records than limit, or none, while has_more is true.'

/** Endpoints of webhooks, their deliveries, and the events that they deliver. */
export const TRADING_WEBHOOK_ENDPOINTS = {
  create_webhook: {
    ...write,
    operation_id: 'create_webhook',
    path: '/webhooks',
    summary: 'Create a webhook',
    description: `Events after this one are sent to url, in order, each until it is accepted or given up. The secret that signs them is returned only here. ${READABLE} ${ONCE}`,
    body: CreateWebhookRequest,
    data: IssuedWebhook,
    success: 201,
    errors: ['WEBHOOK_URL_REFUSED', 'WEBHOOK_LIMIT_EXCEEDED'],
  },
  list_webhooks: {
    ...read,
    operation_id: 'list_webhooks',
    path: '/webhooks',
    summary: 'List webhooks',
    description: 'All of the account, without secrets; sorted by (created_at, webhook_id).',
    query: PAGING,
    data: Webhook,
    envelope: 'collection',
    errors: [],
  },
  get_webhook: {
    ...read,
    operation_id: 'get_webhook',
    path: one,
    path_parameters,
    summary: 'Get a webhook',
    description: 'One webhook, without its secret.',
    data: Webhook,
    envelope: 'single',
    errors: ['WEBHOOK_NOT_FOUND'],
  },
  update_webhook: {
    ...write,
    method: 'PATCH',
    operation_id: 'update_webhook',
    path: one,
    path_parameters,
    summary: 'Change a webhook',
    description: `Changes the fields that are given. ${READABLE} An enabled webhook continues with the event after the last one that was concluded, also after it was disabled. ${ONCE}`,
    body: UpdateWebhookRequest,
    data: Webhook,
    errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_URL_REFUSED'],
  },
  rotate_webhook_secret: {
    ...write,
    operation_id: 'rotate_webhook_secret',
    path: `${one}/rotate-secret`,
    path_parameters,
    summary: 'Rotate the secret of a webhook',
    description: `Deliveries carry the signatures of both secrets for overlap_seconds. The new secret is returned only here. ${ONCE}`,
    body: RotateWebhookSecretRequest,
    data: IssuedWebhook,
    errors: ['WEBHOOK_NOT_FOUND'],
  },
  test_webhook: {
    ...write,
    operation_id: 'test_webhook',
    path: `${one}/test`,
    path_parameters,
    summary: 'Send a test event',
    description: `Sends an event of type webhook.test, one attempt, beside the order. Its delivery shows what came back. ${ONCE}`,
    body: TestWebhookRequest,
    data: WebhookOrder,
    errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED', 'WEBHOOK_LIMIT_EXCEEDED'],
  },
  replay_webhook: {
    ...write,
    operation_id: 'replay_webhook',
    path: `${one}/replay`,
    path_parameters,
    summary: 'Deliver events again',
    description: `With from_cursor the webhook goes on from there, back or ahead, in order. With delivery_ids the events of these deliveries are sent once more beside the order. Ids of events stay the same. ${ONCE}`,
    body: ReplayWebhookRequest,
    data: WebhookOrder,
    errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED', 'WEBHOOK_LIMIT_EXCEEDED', 'WEBHOOK_DELIVERY_NOT_FOUND'],
  },
  list_webhook_deliveries: {
    ...read,
    operation_id: 'list_webhook_deliveries',
    path: `${one}/deliveries`,
    path_parameters,
    summary: 'List the deliveries of a webhook',
    description:
      'Each with its attempts: time, status code, duration and first bytes of the answer; sorted by (created_at, delivery_id), descending. Kept for 30 days.',
    query: { status: oneOf(DELIVERY_STATUSES, 'only in this state'), ...PAGING },
    data: WebhookDelivery,
    envelope: 'collection',
    errors: ['WEBHOOK_NOT_FOUND'],
  },
  list_webhook_events: {
    ...read,
    cost: 2,
    operation_id: 'list_webhook_events',
    path: '/webhook-events',
    summary: 'List events of the account',
    description: `The events that webhooks receive, with the same ids, whether or not there is a webhook; sorted by sequence. Types whose records the key may not read are left out, and refused as a filter. ${SHORT_PAGES}`,
    query: {
      after: {
        kind: 'integer',
        schema: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
        description: 'only events with a greater sequence',
      },
      event_type: listOf(WEBHOOK_EVENT_TYPES, 'only events of these types'),
      ...PAGING,
    },
    data: WebhookEvent,
    envelope: 'collection',
    errors: [],
  },
  delete_webhook: {
    ...write,
    method: 'DELETE',
    operation_id: 'delete_webhook',
    path: one,
    path_parameters,
    summary: 'Delete a webhook',
    description: `Permanent; pending deliveries are canceled. ${ONCE}`,
    body: null,
    data: DeletedWebhook,
    errors: ['WEBHOOK_NOT_FOUND'],
  },
} as const satisfies Record<string, PrivateEndpoint>
