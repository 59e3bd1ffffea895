import type {
  CreateWebhookRequest,
  ReplayWebhookRequest,
  RotateWebhookSecretRequest,
  UpdateWebhookRequest,
} from '../../../protocol/requests/webhook-request.ts'
import type { Refusal } from '../../../trading/engine/submission.ts'
import { deliveryResource, webhookResource } from '../../../trading/projections/webhook.ts'
import type { WebhookRow } from '../../../trading/projections/webhook-rows.ts'
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../../vocabulary/webhook.ts'
import { missing } from '../../missing-resource.ts'
import { readableTypes, requireReadable } from '../../webhooks/event-scopes.ts'
import { readWebhookEvents } from '../../webhooks/read-webhook-events.ts'
import { newWebhookSecret } from '../../webhooks/webhook-secret.ts'
import { openTarget } from '../../webhooks/webhook-target.ts'
import { refusedReference } from '../account-refusal.ts'
import { newPrefixedId } from '../new-prefixed-id.ts'
import { type PrivateAnswer, type PrivateHandlers, type PrivateRequest, shown } from '../private-request.ts'
import { identityOf, submit } from '../submit.ts'
import { integerOrNull, partOf, shownPage, textOrNull } from './parameters.ts'

export const WEBHOOK_ROUTES = {
  create_webhook: createWebhook,
  list_webhooks: listWebhooks,
  get_webhook: getWebhook,
  update_webhook: updateWebhook,
  delete_webhook: deleteWebhook,
  rotate_webhook_secret: rotateSecret,
  test_webhook: testWebhook,
  replay_webhook: replayWebhook,
  list_webhook_deliveries: listDeliveries,
  list_webhook_events: listEvents,
} as const satisfies Partial<PrivateHandlers>

async function createWebhook(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading, caller, now } = request
  const { url, event_types, description = null } = request.body as CreateWebhookRequest
  requireReadable(caller.scopes, event_types)
  const refusal = await refusedUrl(request, url)
  if (refusal !== null) return refusedReference(refusal)
  const webhook_id = newPrefixedId('whk', now)
  const { secret, material } = newWebhookSecret(webhook_id, trading.sealing)
  const webhook = { webhook_id, url, event_types, description, material }
  return submit(request, { kind: 'create_webhook', identity: identityOf(request), webhook, secret })
}

/** Checks a receiver as each attempt will; a name may point elsewhere by then, so they all check. */
async function refusedUrl({ trading }: PrivateRequest, url: string): Promise<Refusal | null> {
  const target = await openTarget(url, trading.webhook_targets)
  if (!('failure' in target)) return null
  const message = `url is ${JSON.stringify(url)}: ${target.message}`
  return { code: 'WEBHOOK_URL_REFUSED', message, facts: { field: 'url', value: url } }
}

async function listWebhooks(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading, caller, now } = request
  const page = await trading.reads.webhooks(caller.account_id, partOf(request))
  return shownPage(request, page, {
    keyOf: ({ created_at, webhook_id }) => [created_at, webhook_id],
    recordOf: (row) => webhookResource(row, now),
  })
}

async function getWebhook(request: PrivateRequest): Promise<PrivateAnswer> {
  return shown(webhookResource(await ownWebhook(request), request.now))
}

/** Finds the webhook of the path. @throws {ServiceError} WEBHOOK_NOT_FOUND: unknown, or another account's */
async function ownWebhook({ trading, caller, parameters }: PrivateRequest): Promise<WebhookRow> {
  const webhook_id = webhookOf(parameters)
  const row = await trading.reads.webhook(caller.account_id, webhook_id)
  if (row === null) throw missing('webhook', webhook_id)
  return row
}

function webhookOf(parameters: PrivateRequest['parameters']): string {
  return parameters.webhook_id as string
}

async function updateWebhook(request: PrivateRequest): Promise<PrivateAnswer> {
  const changes = request.body as UpdateWebhookRequest
  const { url, event_types } = changes
  // Whoever sends events elsewhere must be able to read all of them, too.
  if (url !== undefined || event_types !== undefined)
    requireReadable(request.caller.scopes, event_types ?? (await ownWebhook(request)).event_types)
  const refusal = url === undefined ? null : await refusedUrl(request, url)
  if (refusal !== null) return refusedReference(refusal)
  const webhook_id = webhookOf(request.parameters)
  return submit(request, { kind: 'update_webhook', identity: identityOf(request), webhook_id, changes })
}

async function deleteWebhook(request: PrivateRequest): Promise<PrivateAnswer> {
  const webhook_id = webhookOf(request.parameters)
  return submit(request, { kind: 'delete_webhook', identity: identityOf(request), webhook_id })
}

async function rotateSecret(request: PrivateRequest): Promise<PrivateAnswer> {
  const { overlap_seconds } = request.body as RotateWebhookSecretRequest
  const webhook_id = webhookOf(request.parameters)
  const rotation = { webhook_id, overlap_seconds, ...newWebhookSecret(webhook_id, request.trading.sealing) }
  return submit(request, { kind: 'rotate_webhook_secret', identity: identityOf(request), ...rotation })
}

async function testWebhook(request: PrivateRequest): Promise<PrivateAnswer> {
  const webhook_id = webhookOf(request.parameters)
  return submit(request, { kind: 'test_webhook', identity: identityOf(request), webhook_id })
}

async function replayWebhook(request: PrivateRequest): Promise<PrivateAnswer> {
  const { from_cursor = null, delivery_ids = [] } = request.body as ReplayWebhookRequest
  const webhook_id = webhookOf(request.parameters)
  const absent = delivery_ids.length === 0 ? null : await absentDelivery(request, delivery_ids)
  if (absent !== null) return refusedReference(absent)
  const replay = { webhook_id, from_cursor, delivery_ids }
  return submit(request, { kind: 'replay_webhook', identity: identityOf(request), ...replay })
}

async function absentDelivery(request: PrivateRequest, delivery_ids: readonly string[]): Promise<Refusal | null> {
  const { webhook_id } = await ownWebhook(request)
  const known = new Set(await request.trading.reads.knownDeliveries(webhook_id, delivery_ids))
  const absent = delivery_ids.find((id) => !known.has(id))
  if (absent === undefined) return null
  const message = `delivery_ids has ${absent}; allowed: deliveries of GET /v1/webhooks/${webhook_id}/deliveries`
  return { code: 'WEBHOOK_DELIVERY_NOT_FOUND', message, facts: { field: 'delivery_ids', value: absent } }
}

async function listDeliveries(request: PrivateRequest): Promise<PrivateAnswer> {
  const { webhook_id } = await ownWebhook(request)
  const filters = { status: textOrNull(request, 'status') }
  const page = await request.trading.reads.webhookDeliveries(webhook_id, filters, partOf(request))
  return shownPage(request, page, {
    keyOf: ({ created_at, delivery_id }) => [created_at, delivery_id],
    recordOf: (row) => deliveryResource(row, row.attempts),
  })
}

async function listEvents(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading, caller, parameters, cursor, now } = request
  const wanted = parameters.event_type as readonly WebhookEventType[] | undefined
  if (wanted !== undefined) requireReadable(caller.scopes, wanted)
  const types = wanted ?? readableTypes(caller.scopes, WEBHOOK_EVENT_TYPES)
  const after = (cursor?.key[0] as number | undefined) ?? integerOrNull(request, 'after') ?? 0
  const asked = { account_id: caller.account_id, types, after, limit: parameters.limit as number }
  const { events, read_to, is_whole } = await readWebhookEvents(trading.stream_reads, asked)
  return shown(events, { next: is_whole ? null : { as_of: now, key: [read_to] } })
}
