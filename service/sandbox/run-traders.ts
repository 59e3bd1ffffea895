import { isTidemarkError } from '../../client/tidemark-error.ts'
import { createTradingClient, type TradingClient } from '../../client/trading/trading-client.ts'
import { waitFor } from '../../operations/live/wait-for.ts'
import { createRandom } from '../../simulator/world/random.ts'
import { BOOKED_STATUSES } from '../../vocabulary/order.ts'
import { fairPrice } from './fair-price.ts'
import {
  planQuotes,
  priceText,
  type Quote,
  type RestingOrder,
  type TradedMarket,
  wantedQuotes,
} from './maker-quotes.ts'
import type { PlannedAccount, SandboxPlan } from './sandbox-plan.ts'

/** Distance of a taker's limit price from the fair price. */
const REACH_CENTS = 5
const QUANTITY_MAX = 12

/**
 * Returns the taker's order of one turn: market, outcome, side and a few contracts, by seed and turn number. It buys as often as it sells.
 * @param at_s seconds since 1970
 */
export function takeOf(seed: string, markets: readonly TradedMarket[], turn: number, at_s: number): Quote {
  const random = createRandom(seed, 'take', turn)
  const { market_id, outcome_ids } = markets[random.below(markets.length)]!
  const ordinal = random.below(2)
  const fair = fairPrice(seed, market_id, at_s)
  const middle = ordinal === 0 ? fair : 100 - fair
  const side = random.chance(500_000) ? 'BUY' : 'SELL'
  const price_cents = side === 'BUY' ? middle + REACH_CENTS : middle - REACH_CENTS
  return { market_id, outcome_id: outcome_ids[ordinal]!, side, price_cents, quantity: random.between(1, QUANTITY_MAX) }
}

export type TradersOptions = {
  readonly base_url: string
  readonly environment: string
  readonly plan: SandboxPlan
  readonly markets: readonly TradedMarket[]
  readonly signal: AbortSignal
  /** Receives failures that persist. */
  readonly on_problem: (error: unknown) => void
}

/** Time between two turns of a maker; each turn requotes one market. */
const MAKER_TURN_MS = 1_500
const TAKER_TURN_MS = 2_000
/** Failures in a row before they are reported, and the wait after them. */
const FAILURES_REPORTED = 5
const AFTER_FAILURES_MS = 15_000
/** Time after which a market that takes no orders is tried again: an operator may have opened it. */
const TRIED_AGAIN_MS = 60_000

/**
 * Runs the traders of a sandbox until the signal is aborted: makers quote and a taker trades, each with its own key over HTTP. They keep no
 * state and read their open orders, so they continue after a restart.
 */
export async function runTraders(options: TradersOptions): Promise<void> {
  const { plan, markets } = options
  const tried_at = new Map<string, number>()
  const tradable = () => markets.filter(({ market_id }) => (tried_at.get(market_id) ?? 0) <= Date.now())
  /** Does a turn in a market, and sets the market aside where it takes no orders. */
  const inMarket = async (market: TradedMarket | undefined, turn: (market: TradedMarket) => Promise<boolean>) => {
    if (market === undefined || (await turn(market))) return
    tried_at.set(market.market_id, Date.now() + TRIED_AGAIN_MS)
  }
  const makers = plan.makers.map((account, maker) => {
    const client = clientOf(options, account)
    return atInterval(options, MAKER_TURN_MS, (turn) => {
      const open = tradable()
      return inMarket(open[turn % open.length], (market) => requote(client, plan.seed, maker, market))
    })
  })
  const taker = clientOf(options, plan.taker)
  const taking = atInterval(options, TAKER_TURN_MS, async () => {
    const open = tradable()
    if (open.length === 0) return
    const at_s = nowSeconds()
    const quote = takeOf(plan.seed, open, Math.floor((at_s * 1000) / TAKER_TURN_MS), at_s)
    const of_quote = open.find(({ market_id }) => market_id === quote.market_id)
    await inMarket(of_quote, () => take(taker, quote))
  })
  await Promise.all([...makers, taking])
}

function clientOf({ base_url, environment, signal }: TradersOptions, account: PlannedAccount): TradingClient {
  const { account_id, key_id, secret, algorithm, owner_private_key, asset_id } = account
  const credentials = { account_id, key_id, secret, algorithm, signer_private_key: owner_private_key, asset_id }
  return createTradingClient({ ...credentials, base_url, environment, signal })
}

/** Runs a turn at an interval; a failure skips only its turn. */
async function atInterval(
  { signal, on_problem }: TradersOptions,
  every_ms: number,
  work: (turn: number) => Promise<void>,
): Promise<void> {
  let failures = 0
  for (let turn = 0; !signal.aborted; turn += 1) {
    await work(turn).then(
      () => {
        failures = 0
      },
      (error: unknown) => {
        failures += 1
        if (failures === FAILURES_REPORTED && !signal.aborted) on_problem(error)
      },
    )
    await waitFor(failures >= FAILURES_REPORTED ? AFTER_FAILURES_MS : every_ms, signal)
  }
}

/** Replaces a maker's quotes in a market. @returns false: the market takes no orders */
async function requote(client: TradingClient, seed: string, maker: number, market: TradedMarket): Promise<boolean> {
  const { market_id } = market
  const resting: RestingOrder[] = []
  for await (const order of client.orders({ market_id, status: BOOKED_STATUSES })) resting.push(order)
  const { cancel, place } = planQuotes(wantedQuotes(seed, maker, market, nowSeconds()), resting)
  if (cancel === 'all') await client.cancelAll({ market_id })
  // Orders filled or canceled meanwhile need no cancel.
  else for (const order_id of cancel) await client.cancelOrder(order_id).catch(ignoreRefusal)
  if (place.length === 0) return true
  // A quote that would match another maker's stale quote is rejected; the next turn finds it gone.
  const placed = await client.placeOrders(place.map((quote) => ({ ...termsOf(quote), post_only: true })))
  return !placed.some(({ error }) => error?.code === NOT_TRADABLE)
}

/** Takes from a book. @returns false: the market takes no orders */
async function take(client: TradingClient, quote: Quote): Promise<boolean> {
  try {
    await client.placeOrder({ ...termsOf(quote), time_in_force: 'FAK' })
    return true
  } catch (error) {
    if (isTidemarkError(error) && error.code === NOT_TRADABLE) return false
    throw error
  }
}

const NOT_TRADABLE = 'MARKET_NOT_TRADABLE'

function termsOf({ market_id, outcome_id, side, price_cents, quantity }: Quote) {
  // One dollar per contract: above any fee schedule.
  const maximum_fee = `${quantity}.00`
  const limit_price = priceText(price_cents)
  return { market_id, outcome_id, side, limit_price, quantity: `${quantity}.00`, maximum_fee }
}

function ignoreRefusal(error: unknown): void {
  if (!isTidemarkError(error) || error.status === null || error.status >= 500) throw error
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
