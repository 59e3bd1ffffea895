import type { PublicMethods } from '../contract/methods.ts'
import { PUBLIC_READS, PUBLIC_WRITES, type ReadKind } from '../contract/operations.ts'
import { checkOptions, checkQuery, pathPart } from '../given.ts'
import { checkedKey, type RequestKey, signRequest } from '../signing/sign-request.ts'
import { recordOf, recordsOf } from './answer.ts'
import type { Call } from './call.ts'
import { createContractNotice, type OnWarning, warnOnConsole } from './contract-notice.ts'
import { createLogFiles, type LogFiles } from './log-files.ts'
import { type AnswerApi, type OnWait, openPublicApi } from './public-api.ts'
import type { Query } from './query.ts'
import type { Transport } from './transport.ts'

/**
 * Every public operation of a service as a method, named as in its OpenAPI document, in camelCase: `list_governance_notices` is
 * `listGovernanceNotices`.
 */
export type PublicClient = PublicMethods & LogFiles & { readonly api: AnswerApi }

export type PublicClientOptions = Transport & {
  /** Ends every call of the client. */
  readonly signal?: AbortSignal
  /** Bound of one attempt; default: a minute. */
  readonly timeout_ms?: number
  /** Called before each wait with its length and the code of the rejection. */
  readonly on_wait?: OnWait
  /** Called once if the service speaks a newer contract; default: a warning on the console. */
  readonly on_warning?: OnWarning
  /** Signs each request, for the rate limits of a key. */
  readonly key?: RequestKey
}

/** Attempts of a read that nothing answers: a connection that breaks is common. */
const UNANSWERED_MAX = 3

/**
 * Creates a client of the public API. `api` reads any path, with the whole answer and its `meta`.
 * @param base_url  http or https, without /v1
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID; each call: the service's own code, or SERVICE_UNAVAILABLE
 */
export function createPublicClient(base_url: string, options: PublicClientOptions = {}): PublicClient {
  checkOptions(options, ['fetch', 'on_exchange', 'on_wait', 'on_warning'])
  const { key, on_warning = warnOnConsole, ...means } = options
  if (key !== undefined) checkedKey(key)
  const notice = createContractNotice(on_warning)
  const api = openPublicApi(base_url, {
    ...means,
    ...(key === undefined ? {} : { signed: { key, sign: signRequest } }),
    on_meta: ({ schema_version }) => notice(schema_version),
    unanswered_max: UNANSWERED_MAX,
  })
  const reads = Object.entries(PUBLIC_READS).map(([name, [path, kind]]) => [
    name,
    (given: Given = {}, call: Call = {}) => readOf(api, { path, kind, given, call }),
  ])
  const writes = Object.entries(PUBLIC_WRITES).map(([name, path]) => [
    name,
    (body: unknown, call: Call = {}) => api.send(path, body, call),
  ])
  return { ...Object.fromEntries([...reads, ...writes]), ...createLogFiles(base_url, means), api } as PublicClient
}

type Given = Readonly<Record<string, Query[string]>>
type Read = { readonly path: string; readonly kind: ReadKind; readonly given: Given; readonly call: Call }

function readOf(api: AnswerApi, read: Read) {
  return read.kind === 'record' ? readRecord(api, read) : itemsOf(api, read)
}

async function readRecord(api: AnswerApi, read: Read): Promise<unknown> {
  const { target, asked } = requestOf(read)
  return recordOf(await api.read(target, asked, read.call))
}

async function* itemsOf(api: AnswerApi, read: Read): AsyncGenerator<unknown> {
  const { target, asked } = requestOf(read)
  if (read.kind === 'list') yield* recordsOf(await api.read<readonly unknown[]>(target, asked, read.call))
  else for await (const page of api.pages(target, asked, read.call)) yield* page
}

/** Separates the parameters of the path from those of the query. */
function requestOf({ path, given }: Read): { readonly target: string; readonly asked: Query } {
  checkQuery(given)
  const in_path = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => pathPart(partText(given[name]), name))
  const asked = Object.entries(given).filter(([name]) => !in_path.includes(name))
  return { target, asked: Object.fromEntries(asked) as Query }
}

/** Returns a part of a path as text: a version may be given as a number. */
function partText(part: Given[string]): string {
  return (typeof part === 'number' ? String(part) : part) as string
}
