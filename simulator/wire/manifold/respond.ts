import type { Micros } from '../../../primitives/instants.ts'
import type { Bet, PoolMarket } from '../../world/market-state.ts'
import type { World } from '../../world/timeline.ts'
import { parseRequest, type Request, wholeNumber, withQuery } from '../request.ts'
import { answer, notFound, type WireResponse } from '../venue-wire.ts'
import { type WireValue, wireJson } from '../wire-json.ts'
import { manifoldBet } from './bet.ts'
import { type Contract, openedAt, shortId } from './contracts.ts'
import type { ManifoldEndpoint } from './endpoint.ts'
import { fullMarket, liteMarket, probState } from './market.ts'

/** A venue at an instant, with its contracts. */
export type ManifoldView = {
  readonly world: World<PoolMarket>
  readonly contracts: readonly Contract[]
  readonly now: Micros
}

const PROBS_MAX = 100

/** Answers a request like the API v0. */
export function respondManifold(view: ManifoldView, request: string): WireResponse {
  const asked = parseRequest(request)
  const [version, first, second, third] = asked.path
  if (version === 'v0' && first === 'markets' && second === undefined) return markets(view, request, asked)
  if (version === 'v0' && first === 'market-probs') return probs(view, asked)
  if (version === 'v0' && first === 'bets') return bets(view, request, asked)
  if (version === 'v0' && first === 'market' && second !== undefined) return market(view, second, third === 'prob')
  return notFound(`GET /${asked.path.join('/')}`, 'not found')
}

function shown({ contracts }: ManifoldView): readonly Contract[] {
  return contracts.filter((contract) => openedAt(contract) !== null)
}

/** Lists markets, newest first; `before` is the id of the last one on the previous page. */
function markets(view: ManifoldView, request: string, { query }: Request): WireResponse {
  const newest = shown(view).toSorted(
    (a, b) => (openedAt(b) ?? 0) - (openedAt(a) ?? 0) || b.event.ordinal - a.event.ordinal,
  )
  const endpoint: ManifoldEndpoint = 'GET /v0/markets'
  return beforePage({ endpoint, request, query, limit: 500 }, newest, ({ id }) => id, liteMarket)
}

function market(view: ManifoldView, id: string, prob_only: boolean): WireResponse {
  const endpoint: ManifoldEndpoint = prob_only ? 'GET /v0/market/{id}/prob' : 'GET /v0/market/{id}'
  const found = shown(view).find((contract) => contract.id === id)
  if (found === undefined) return notFound(endpoint, 'Market not found')
  return answer(endpoint, wireJson(prob_only ? probState(found) : fullMarket(found)))
}

function probs(view: ManifoldView, { query }: Request): WireResponse {
  const endpoint: ManifoldEndpoint = 'GET /v0/market-probs'
  const ids = query.getAll('ids').flatMap((text) => text.split(','))
  if (ids.length > PROBS_MAX) return { ...notFound(endpoint, `ids: at most ${PROBS_MAX}`), status: 400 }
  const found = shown(view).filter(({ id }) => ids.includes(id))
  return answer(endpoint, wireJson(Object.fromEntries(found.map((contract) => [contract.id, probState(contract)]))))
}

/** Lists bets after `afterTime` and before `beforeTime` (milliseconds), newest first, as far as the venue's memory reaches. */
function bets({ world, contracts }: ManifoldView, request: string, { query }: Request): WireResponse {
  const { seed } = world.plan.options
  const after = wholeNumber(query, 'afterTime', 0, Number.MAX_SAFE_INTEGER, 0)
  const before = wholeNumber(query, 'beforeTime', 0, 9_000_000_000_000, 9_000_000_000_000)
  const wanted = query.get('contractId')
  const contractOf = (bet: Bet) => contracts[world.plan.markets[bet.market]!.event]!
  const newest = world.markets
    .flatMap((one) => one.bets)
    .filter(
      (bet) => bet.at > after * 1000 && bet.at < before * 1000 && (wanted === null || contractOf(bet).id === wanted),
    )
    .sort((a, b) => b.at - a.at || b.market - a.market)
  const endpoint: ManifoldEndpoint = 'GET /v0/bets'
  const idOf = (bet: Bet) => shortId(seed, 'bet', bet.market, bet.number)
  return beforePage({ endpoint, request, query, limit: 1_000 }, newest, idOf, (bet) =>
    manifoldBet(bet, contractOf(bet), seed),
  )
}

type Page = {
  readonly endpoint: ManifoldEndpoint
  readonly request: string
  readonly query: URLSearchParams
  /** Default limit. */
  readonly limit: number
}

/** Returns one page of a list, newest first: a bare list that begins after the id `before`. */
function beforePage<T>(
  page: Page,
  items: readonly T[],
  idOf: (item: T) => string,
  objectOf: (item: T) => WireValue,
): WireResponse {
  const limit = wholeNumber(page.query, 'limit', 1, 1_000, page.limit)
  const before = page.query.get('before')
  const from = before === null ? 0 : items.findIndex((item) => idOf(item) === before) + 1
  const shown_items = items.slice(from, from + limit)
  const last = shown_items.at(-1)
  const next =
    items.length > from + limit && last !== undefined ? withQuery(page.request, { before: idOf(last) }) : null
  return answer(page.endpoint, wireJson(shown_items.map(objectOf)), next)
}
