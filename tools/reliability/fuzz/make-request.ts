import { randomUUID } from 'node:crypto'
import { type RequestKey, signRequest } from '../../../client/signing/sign-request.ts'
import type { OperationId } from '../../../protocol/endpoints/endpoints.ts'
import { PRIVATE_ENDPOINTS, type PrivateOperationId } from '../../../protocol/endpoints/trading-endpoints.ts'
import type { Random } from '../../../simulator/world/random.ts'
import type { AnyOperationId } from '../../../test/support/described-answers.ts'
import { mutatePayload } from '../../../test/support/mutate-payload.ts'
import { sendableTarget } from '../../../test/support/query-strings.ts'
import { type Named, NOBODY, REQUESTS } from '../../../test/support/trading/private-requests.ts'
import type { ServedAccounts } from '../../../test/support/trading/served-accounts.ts'
import type { KnownRecords } from '../requests/known-records.ts'
import { OPERATIONS, publicRequest, targetOf } from '../requests/public-request.ts'
import { HEADER_NAMES, METHODS, ODD_BODIES, ODD_HEADERS, ODD_SEGMENTS } from './odd-values.ts'

export type Method = (typeof METHODS)[number]

/** A request as the service gets it. */
export type FuzzRequest = {
  /** Operation whose route it reaches; null: a fault in method or path leads elsewhere. */
  readonly operation_id: AnyOperationId | null
  readonly method: Method
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

/** Sources of requests. */
export type FuzzSources = {
  readonly served: ServedAccounts
  readonly known: KnownRecords
  readonly random: Random
  /** Records of acct_a, by the ids that paths name. */
  readonly named: Named
  /** Gives the next generated query string. */
  readonly nextQuery: () => string
}

type Draft = { -readonly [field in keyof FuzzRequest]: FuzzRequest[field] }

const PRIVATE = Object.keys(PRIVATE_ENDPOINTS) as PrivateOperationId[]
/** Shares in millionths. */
const SHARES = {
  private: 550_000,
  unhurt: 50_000,
  fresh: 20_000,
  signed: 800_000,
  signed_last: 800_000,
  known: 700_000,
} as const
const FAULTS_MAX = 3
const HURT_CHARACTERS_MAX = 20_000
const ACCOUNTS = ['acct_a', 'acct_b'] as const

/**
 * Makes requests with one to three faults each, a few without. Most requests of accounts are signed, most of these over the faults, so
 * that they pass the signature and reach what is behind it.
 */
export class RequestMaker {
  readonly #sources: FuzzSources
  /** A valid request of each private operation, signed orders in it, which is costly to make. */
  readonly #bases = new Map<PrivateOperationId, Omit<Draft, 'headers'>>()

  constructor(sources: FuzzSources) {
    this.#sources = sources
  }

  async next(): Promise<FuzzRequest> {
    const { random, served } = this.#sources
    const is_private = random.chance(SHARES.private)
    const draft = is_private ? await this.#privateDraft() : this.#publicDraft()
    const key = random.chance(is_private ? SHARES.signed : 100_000) ? served.keys[pick(ACCOUNTS, random)] : null
    const signs_last = random.chance(SHARES.signed_last)
    if (key !== null && !signs_last) sign(draft, key)
    if (!random.chance(SHARES.unhurt)) this.#hurt(draft)
    if (key !== null && signs_last) sign(draft, key)
    return draft
  }

  #publicDraft(): Draft {
    const { known, random } = this.#sources
    const operation_id: OperationId = pick(OPERATIONS, random)
    const url = `/v1${targetOf(publicRequest(operation_id, known, random))}`
    return { operation_id, method: 'GET', url, headers: {}, body: null }
  }

  async #privateDraft(): Promise<Draft> {
    const { random } = this.#sources
    const operation_id = pick(PRIVATE, random)
    const known = this.#bases.get(operation_id)
    const base = known === undefined || random.chance(SHARES.fresh) ? await this.#newBase(operation_id) : known
    this.#bases.set(operation_id, base)
    const writes = base.body !== null
    const headers = writes ? { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() } : {}
    return { ...base, headers }
  }

  async #newBase(operation_id: PrivateOperationId): Promise<Omit<Draft, 'headers'>> {
    const { served, named, random } = this.#sources
    const about = random.chance(SHARES.known) ? named : NOBODY
    const { method, url, body } = await REQUESTS[operation_id](served, pick(ACCOUNTS, random), about)
    return { operation_id, method, url, body: body === undefined ? null : JSON.stringify(body) }
  }

  #hurt(draft: Draft): void {
    const { random } = this.#sources
    const kinds = draft.body === null ? READ_FAULTS : WRITE_FAULTS
    for (let faults = random.between(1, FAULTS_MAX); faults > 0; faults -= 1) this.#fault(draft, pick(kinds, random))
    draft.url = sendableTarget(draft.url)
  }

  #fault(draft: Draft, kind: (typeof READ_FAULTS | typeof WRITE_FAULTS)[number]): void {
    const { random, nextQuery } = this.#sources
    switch (kind) {
      case 'query':
        draft.url = withQuery(draft.url, nextQuery(), random)
        break
      case 'value':
        draft.url = withOddValue(draft.url, nextQuery(), random)
        break
      case 'path':
        hurtPath(draft, random)
        break
      case 'method':
        draft.method = pick(METHODS, random)
        draft.operation_id = null
        break
      case 'header':
        draft.headers = { ...draft.headers, [pick(HEADER_NAMES, random)]: pick(ODD_HEADERS, random) }
        break
      case 'no header':
        draft.headers = without(draft.headers, random)
        break
      case 'body':
        draft.body = hurtBody(draft.body, random)
    }
  }
}

/** Faults by weight: most leave the route as it is, so that requests get far. */
const READ_FAULTS = ['query', ...Array.from({ length: 6 }, () => 'value' as const), 'path', 'header', 'method'] as const
const WRITE_FAULTS = [
  ...Array.from({ length: 12 }, () => 'body' as const),
  ...(['query', 'path', 'header', 'no header', 'method'] as const),
] as const

/** Replaces or extends the query by a generated one. */
function withQuery(url: string, added: string, random: Random): string {
  const [path, query = ''] = url.split('?')
  return `${path}?${random.chance(500_000) ? `${query}&${added}` : added}`
}

/** Gives one parameter of the query the value of a generated one; a query without parameters gets an instant. */
function withOddValue(url: string, generated: string, random: Random): string {
  const [path, query = ''] = url.split('?')
  const values = generated.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1))
  const value = pick(values, random)
  if (query === '') return `${path}?as_of=${value}`
  const pairs = query.split('&')
  const place = random.below(pairs.length)
  return `${path}?${pairs.with(place, `${pairs[place]!.split('=')[0]}=${value}`).join('&')}`
}

function hurtPath(draft: Draft, random: Random): void {
  const [path = '', ...query] = draft.url.split('?')
  const parts = path.split('/')
  // The version stays, or nearly every such request would end at the router.
  const place = 2 + random.below(Math.max(1, parts.length - 2))
  parts[place] = pick(ODD_SEGMENTS, random)
  draft.url = [parts.join('/'), ...query].join('?')
  draft.operation_id = null
}

function hurtBody(body: FuzzRequest['body'], random: Random): string | Uint8Array {
  // A body that was replaced before is too deep or too long to get further faults.
  if (typeof body !== 'string' || body.length > HURT_CHARACTERS_MAX || random.chance(100_000))
    return pick(ODD_BODIES, random)
  return mutatePayload(body, () => random.below(2 ** 32) / 2 ** 32)
}

function without(headers: FuzzRequest['headers'], random: Random): FuzzRequest['headers'] {
  const left = pick(Object.keys(headers), random)
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== left))
}

function sign(draft: Draft, key: RequestKey): void {
  const { method, url, body } = draft
  try {
    const signed = signRequest({ method, target: url, ...(body !== null && { body }) }, key)
    draft.headers = { ...draft.headers, ...signed }
  } catch {
    // The client library signs no such target; it is sent without a signature.
  }
}

function pick<T>(items: readonly T[], random: Random): T {
  return items[random.below(items.length)]!
}
