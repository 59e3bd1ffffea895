import type {
  CreateWebhookRequest,
  DeletedWebhook,
  IssuedWebhook,
  UpdateWebhookRequest,
  Webhook,
  WebhookDelivery,
  WebhookEvent,
  WebhookEventType,
  WebhookOrder,
} from '../contract/types.ts'
import { CALL_OPTIONS, checkedObject, knownOptions, ONCE_OPTIONS, pathPart } from '../given.ts'
import { recordOf } from '../http/answer.ts'
import type { Call } from '../http/call.ts'
import type { Once } from './once.ts'
import { pagesOf } from './pages.ts'
import type { PrivateHttp, PrivateRequest } from './private-http.ts'

/** Terms of a new webhook. */
export type WebhookTerms = CreateWebhookRequest
/** Fields of a webhook to change. */
export type WebhookChanges = UpdateWebhookRequest
/** Events to deliver again: all after a sequence, in order, or those of single deliveries. */
export type WebhookReplay = { readonly from_cursor: number } | { readonly delivery_ids: readonly string[] }
export type WebhookEventFilter = {
  /** Only events with a greater sequence. */
  readonly after?: number
  readonly event_type?: readonly WebhookEventType[]
}

export type WebhookCalls = {
  /** Creates a webhook; the answer alone has the secret. */
  create(terms: WebhookTerms, once?: Once): Promise<IssuedWebhook>
  list(call?: Call): AsyncGenerator<Webhook>
  get(webhook_id: string, call?: Call): Promise<Webhook>
  update(webhook_id: string, changes: WebhookChanges, once?: Once): Promise<Webhook>
  delete(webhook_id: string, once?: Once): Promise<DeletedWebhook>
  /** @param overlap_seconds 0 to 86,400, during which the previous secret signs, too */
  rotateSecret(webhook_id: string, overlap_seconds: number, once?: Once): Promise<IssuedWebhook>
  /** Sends a test event; its delivery shows what came back. */
  test(webhook_id: string, once?: Once): Promise<WebhookOrder>
  replay(webhook_id: string, replay: WebhookReplay, once?: Once): Promise<WebhookOrder>
  /** Newest first. */
  deliveries(
    webhook_id: string,
    filter?: { readonly status?: WebhookDelivery['status'] },
    call?: Call,
  ): AsyncGenerator<WebhookDelivery>
  /** The events of the account, oldest first, whether or not there is a webhook. */
  events(filter?: WebhookEventFilter, call?: Call): AsyncGenerator<WebhookEvent>
}

/** Creates the calls for webhooks of an account; writes need the scope `webhooks:write`, reads `account:read`. */
export function createWebhookCalls(http: PrivateHttp): WebhookCalls {
  const send = async <T>(request: PrivateRequest, once: Once = {}): Promise<T> => {
    const options = knownOptions(once, request.method === 'GET' ? CALL_OPTIONS : ONCE_OPTIONS)
    const { data } = await http.send<T>({ ...options, ...request })
    return recordOf(data)
  }
  const of = (webhook_id: string, rest = '') => `/webhooks/${pathPart(webhook_id, 'webhook_id')}${rest}`
  return {
    create: async (terms, once) =>
      send({ method: 'POST', path: '/webhooks', body: checkedObject(terms, 'terms') }, once),
    list: (call) => pagesOf<Webhook>(http, '/webhooks', {}, call),
    get: async (id, call) => send({ method: 'GET', path: of(id) }, call),
    update: async (id, changes, once) =>
      send({ method: 'PATCH', path: of(id), body: checkedObject(changes, 'changes') }, once),
    delete: async (id, once) => send({ method: 'DELETE', path: of(id) }, once),
    rotateSecret: async (id, overlap_seconds, once) =>
      send({ method: 'POST', path: of(id, '/rotate-secret'), body: { overlap_seconds } }, once),
    test: async (id, once) => send({ method: 'POST', path: of(id, '/test'), body: {} }, once),
    replay: async (id, replay, once) =>
      send({ method: 'POST', path: of(id, '/replay'), body: checkedObject(replay, 'replay') }, once),
    async *deliveries(id, filter, call) {
      yield* pagesOf<WebhookDelivery>(http, of(id, '/deliveries'), filter, call)
    },
    events: (filter, call) => pagesOf<WebhookEvent>(http, '/webhook-events', filter, call),
  }
}
