import type { Static, TSchema } from 'typebox'
import type { Endpoint } from '../../protocol/endpoints/endpoint.ts'
import { ENDPOINTS, type OperationId } from '../../protocol/endpoints/endpoints.ts'
import { OPEN_WRITES } from '../../protocol/endpoints/notice-endpoints.ts'
import type { Parameters } from '../../protocol/endpoints/parameter.ts'
import type { RequestKey } from '../signing/sign-request.ts'
import { createLogFiles, type LogFiles } from './log-files.ts'
import { type AnswerApi, createPublicApi, type OnWait, type Query } from './public-api.ts'

/** Name of an operation's method: `list_indexes` is `listIndexes`. */
type MethodName<Id extends string> = Id extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<MethodName<Tail>>}`
  : Id

/** Parameters by which a collection is read in pages; the client does that. */
type PagingName = 'cursor' | 'limit'
type Simple<T> = { readonly [Name in keyof T]: T[Name] }
type RequiredNames<P extends Parameters> = {
  [Name in keyof P]: P[Name] extends { readonly required: true } ? Name : never
}[keyof P]
type QueryOf<P extends Parameters> = {
  [Name in Exclude<RequiredNames<P>, PagingName>]: Static<P[Name]['schema']>
} & { [Name in Exclude<keyof P, RequiredNames<P> | PagingName>]?: Static<P[Name]['schema']> }
type PathOf<P extends Readonly<Record<string, TSchema>>> = { [Name in keyof P]: Static<P[Name]> }
type ParametersOf<E extends Endpoint> = Simple<PathOf<E['path_parameters']> & QueryOf<E['query']>>

/** Parameters may be left out where none is required. */
type Arguments<P> = Record<never, never> extends P ? [parameters?: P] : [parameters: P]
type MethodOf<E extends Endpoint> = E['envelope'] extends 'collection'
  ? (...given: Arguments<ParametersOf<E>>) => AsyncGenerator<Static<E['data']>>
  : (...given: Arguments<ParametersOf<E>>) => Promise<Static<E['data']>>

/** Method of each public read: a record, or the items of a collection, whose next page is read when it is reached. */
type PublicReads = {
  readonly [Id in OperationId as MethodName<Id>]: MethodOf<(typeof ENDPOINTS)[Id]>
}

type Writes = typeof OPEN_WRITES
/** Method of each write that needs no key. */
type PublicWrites = {
  readonly [Id in keyof Writes & string as MethodName<Id>]: (
    body: Static<Writes[Id]['body']>,
  ) => Promise<Static<Writes[Id]['data']>>
}

/**
 * Every public operation of a service as a method, named as in its OpenAPI document, in camelCase: `list_governance_notices` is
 * `listGovernanceNotices`.
 */
export type PublicClient = PublicReads & PublicWrites & LogFiles & { readonly api: AnswerApi }

export type PublicClientOptions = {
  readonly signal?: AbortSignal
  /** Called before each wait with its length and the code of the rejection. */
  readonly on_wait?: OnWait
  /** Signs each request, for the rate limits of a key. */
  readonly key?: RequestKey
}

/**
 * Creates a client of the public API. `api` reads any path, with the whole answer and its `meta`.
 * @param base_url  http or https, without /v1
 * @throws {ServiceError} VALIDATION_USAGE_INVALID; each call: the service's own code, or SERVICE_UNAVAILABLE
 */
export function createPublicClient(base_url: string, options: PublicClientOptions = {}): PublicClient {
  const { signal, on_wait, key = null } = options
  const api = createPublicApi(base_url, signal, on_wait, key)
  const reads = Object.values<Endpoint>(ENDPOINTS).map((endpoint) => [
    methodName(endpoint.operation_id),
    (given: Given = {}) => readOf(api, endpoint, given),
  ])
  const writes = Object.values<Endpoint>(OPEN_WRITES).map(({ operation_id, path }) => [
    methodName(operation_id),
    (body: unknown) => api.send(path, body),
  ])
  return { ...Object.fromEntries([...reads, ...writes]), ...createLogFiles(base_url, signal), api } as PublicClient
}

type Given = Readonly<Record<string, Query[string] | readonly string[]>>

function readOf(api: AnswerApi, { path, path_parameters, query, envelope }: Endpoint, given: Given) {
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])))
  const asked = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      name in path_parameters ? [] : [[name, Array.isArray(value) ? value.join(',') : value] as const],
    ),
  ) as Query
  if (envelope === 'single') return api.read(target, asked)
  return 'cursor' in query ? itemsOf(api.pages(target, asked)) : itemsOf(onePage(api.read(target, asked)))
}

async function* itemsOf(pages: AsyncGenerator<readonly unknown[]>): AsyncGenerator<unknown> {
  for await (const page of pages) yield* page
}

async function* onePage(answer: Promise<readonly unknown[]>): AsyncGenerator<readonly unknown[]> {
  yield await answer
}

function methodName(operation_id: string): string {
  return operation_id.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
