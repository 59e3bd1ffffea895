import type { Static, TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { STAGE_OF } from '../../client/contract/error-stages.ts'
import type { PublicMethods } from '../../client/contract/methods.ts'
import { CONTRACT_VERSION, PUBLIC_READS, PUBLIC_WRITES } from '../../client/contract/operations.ts'
import type * as contract from '../../client/contract/types.ts'
import type { GapReason } from '../../client/trading/stream/followed-topic.ts'
import type { PrivateTopicName, Resume } from '../../client/trading/stream/topic-resources.ts'
import { ERROR_CODES } from '../../primitives/error-codes.ts'
import type { Endpoint } from '../../protocol/endpoints/endpoint.ts'
import { ENDPOINTS, type OperationId } from '../../protocol/endpoints/endpoints.ts'
import { OPEN_WRITES } from '../../protocol/endpoints/notice-endpoints.ts'
import type { Parameters as QueryParameters } from '../../protocol/endpoints/parameter.ts'
import type { PRIVATE_ENDPOINTS } from '../../protocol/endpoints/trading-endpoints.ts'
import { SCHEMA_VERSION } from '../../protocol/envelope.ts'
import type * as orders from '../../protocol/requests/order-request.ts'
import type * as protections from '../../protocol/requests/protection-request.ts'
import type * as webhooks from '../../protocol/requests/webhook-request.ts'
import type * as stream from '../../protocol/stream/client-messages.ts'
import type * as topics from '../../protocol/stream/private-topics.ts'
import type { Gap } from '../../protocol/stream/server-messages.ts'

/** Types that the package declares are those of the schemas: each takes every value of the other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
function same<_Check extends Readonly<Record<string, true>>>(): void {}

type Camel<Id extends string> = Id extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Id
type Required<P extends QueryParameters> = {
  [Name in keyof P]: P[Name] extends { readonly required: true } ? Name : never
}[keyof P]
type Paging<E extends Endpoint> = E['envelope'] extends 'collection' ? 'cursor' : never
type AsGiven<T> = T extends readonly (infer Item)[] ? readonly Item[] : T
type QueryOf<E extends Endpoint> = {
  [Name in Exclude<Required<E['query']>, Paging<E>>]: AsGiven<Static<E['query'][Name]['schema']>>
} & {
  [Name in Exclude<keyof E['query'], Required<E['query']> | Paging<E>>]?: AsGiven<Static<E['query'][Name]['schema']>>
}
type PathOf<P extends Readonly<Record<string, TSchema>>> = { [Name in keyof P]: Static<P[Name]> }
type AnswerOf<E extends Endpoint> = E['envelope'] extends 'collection'
  ? AsyncGenerator<Static<E['data']>>
  : Promise<Static<E['data']>>
type Method<Id extends OperationId> = PublicMethods[Camel<Id> & keyof PublicMethods]

type Asked<Id extends OperationId> = Exclude<Parameters<Method<Id>>[0], undefined>
type Expected<Id extends OperationId> = PathOf<(typeof ENDPOINTS)[Id]['path_parameters']> &
  QueryOf<(typeof ENDPOINTS)[Id]>

same<{ [Id in OperationId]: Same<ReturnType<Method<Id>>, AnswerOf<(typeof ENDPOINTS)[Id]>> }>()
same<{ [Id in OperationId]: Same<Asked<Id>, Expected<Id>> }>()

/** Resources of the private answers by the name that the client gives them. */
type PrivateData = { [Id in keyof typeof PRIVATE_ENDPOINTS]: Static<(typeof PRIVATE_ENDPOINTS)[Id]['data']> }
same<{
  order: Same<contract.Order, PrivateData['place_order']>
  detail: Same<contract.OrderDetail, PrivateData['get_order']>
  batch: Same<contract.BatchItem[], PrivateData['place_orders']>
  quote: Same<contract.MassQuoteResult, PrivateData['mass_quote']>
  preview: Same<contract.OrderPreview, PrivateData['preview_order']>
  fill: Same<contract.Fill, PrivateData['get_fill']>
  position: Same<contract.Position, PrivateData['list_positions']>
  balance: Same<contract.Balance, PrivateData['list_balances']>
  settlement: Same<contract.Settlement, PrivateData['get_settlement']>
  statement: Same<contract.StatementEntry, PrivateData['list_statement']>
  key: Same<contract.ApiKey, PrivateData['list_api_keys']>
  webhook: Same<contract.Webhook, PrivateData['get_webhook']>
  event: Same<contract.WebhookEvent, PrivateData['list_webhook_events']>
  target: Same<contract.CancelTarget, orders.CancelTarget>
  protection: Same<contract.ProtectionRequest, protections.ProtectionRequest>
  terms: Same<contract.CreateWebhookRequest, webhooks.CreateWebhookRequest>
  gap: Same<GapReason, Gap['reason']>
  topic: Same<PrivateTopicName, topics.PrivateTopicName>
  resume: Same<Resume, stream.Resume>
}>()

const camel = (id: string) => id.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

test('the table of reads is that of the endpoints: path, and how it is answered', () => {
  const expected = Object.values<Endpoint>(ENDPOINTS).map(({ operation_id, path, envelope, query }) => [
    camel(operation_id),
    [path, envelope === 'single' ? 'record' : 'cursor' in query ? 'pages' : 'list'],
  ])
  const reads = Object.entries(PUBLIC_READS).map(([name, [path, kind]]) => [name, [path, kind]])
  expect(Object.fromEntries(reads)).toEqual(Object.fromEntries(expected))
  const writes = Object.values<Endpoint>(OPEN_WRITES).map(({ operation_id, path }) => [camel(operation_id), path])
  expect(PUBLIC_WRITES).toEqual(Object.fromEntries(writes))
})

test('the client speaks the contract of the service, and knows the stage of each error of a request', () => {
  expect(CONTRACT_VERSION).toBe(SCHEMA_VERSION)
  expect(Object.keys(STAGE_OF).filter((code) => !(code in ERROR_CODES))).toEqual([])
  expect(STAGE_OF).toMatchObject({ VALIDATION_PARAMETER_INVALID: 5, AUTH_CREDENTIALS_INVALID: 6 })
})
