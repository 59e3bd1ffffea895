import { MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'
import type { WorldBatch } from '../../world/events.ts'
import { HOUR } from '../../world/hour-bars.ts'
import type { PoolMarket } from '../../world/market-state.ts'
import type { World } from '../../world/timeline.ts'
import type { Frame, Subscription, VenueWire } from '../venue-wire.ts'
import { wireJson } from '../wire-json.ts'
import { manifoldBet } from './bet.ts'
import { type Contract, isBinary, manifoldContracts, openedAt } from './contracts.ts'
import type { ManifoldEndpoint } from './endpoint.ts'
import { millis } from './market.ts'
import { respondManifold } from './respond.ts'

const TOPIC = 'global/new-bet'
const ENDPOINT: ManifoldEndpoint = `ws ${TOPIC}`
const PROBS_MAX = 100

/** Creates Manifold's view of a world: the API v0 and new bets over its websocket. */
export function createManifoldWire(world: World<PoolMarket>): VenueWire {
  const contracts = manifoldContracts(world)
  const { options } = world.plan
  return {
    subscribe: (now, markets) => subscribe(world, contracts, now, markets),
    marketOf: () => null,
    respond: (request, now) => respondManifold({ world, contracts, now }, request),
    polls: [
      {
        every: HOUR,
        first: 0,
        requests: () => ['/v0/markets?limit=1000', ...answerRequests(contracts)],
      },
      {
        every: HOUR,
        first: HOUR + MICROS_PER_SECOND,
        requests: (now) => [`/v0/bets?limit=1000&afterTime=${millis(now - (3 * HOUR) / 2)}`],
      },
      {
        every: options.interval,
        first: 5 * MICROS_PER_SECOND,
        requests: (now) => probRequests(contracts, lastListing(world, now)),
      },
    ],
  }
}

function subscribe(
  world: World<PoolMarket>,
  contracts: readonly Contract[],
  now: Micros,
  markets: ReadonlySet<number> | null,
): Subscription {
  const frame = (at: Micros, text: string): Frame => ({ endpoint: ENDPOINT, channel: TOPIC, at, text })
  return {
    opening: [frame(now, wireJson({ type: 'ack', txid: 1, success: true }))],
    add: () => [], // its only topic is all markets
    frames: ({ events, market }: WorldBatch) => {
      if (!(markets?.has(market) ?? true)) return []
      const contract = contracts[world.plan.markets[market]!.event]!
      return events.flatMap((event) => {
        if (event.type !== 'bet_placed') return []
        const bets = [manifoldBet(event.bet, contract, world.plan.options.seed)]
        return [frame(event.at, wireJson({ type: 'broadcast', topic: TOPIC, data: { bets } }))]
      })
    },
  }
}

/** Requests each market with answers by itself, because lists omit answers. */
function answerRequests(contracts: readonly Contract[]): string[] {
  return contracts
    .filter((contract) => !isBinary(contract) && openedAt(contract) !== null)
    .map(({ id }) => `/v0/market/${id}`)
}

/** Requests probabilities of all listed markets, up to 100 per request. */
function probRequests(contracts: readonly Contract[], listed_at: Micros): string[] {
  const known = contracts.filter((contract) => (openedAt(contract) ?? Number.POSITIVE_INFINITY) <= listed_at)
  const chunks = Math.ceil(known.length / PROBS_MAX)
  return Array.from({ length: chunks }, (_, chunk) => {
    const ids = known.slice(chunk * PROBS_MAX, (chunk + 1) * PROBS_MAX).map(({ id }) => `ids=${id}`)
    return `/v0/market-probs?${ids.join('&')}`
  })
}

/** Returns when the list of markets was last read: hourly, unless the venue was down. */
function lastListing({ plan, isDown }: World, now: Micros): Micros {
  const { start } = plan.options
  let at = now - ((now - start) % HOUR)
  while (isDown(at) && at > start) at -= HOUR
  return at
}
