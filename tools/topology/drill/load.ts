import { setTimeout as sleep } from 'node:timers/promises'
import { createTradingClient, type TradingClient } from '../../../client/index.ts'
import { requestKey } from '../../../client/trading/credentials.ts'
import type { ReadyAccount } from '../../../service/up/ready-file.ts'
import type { Random } from '../../../simulator/world/random.ts'
import { readOf, type WireRequest, writeOf } from '../../reliability/wire-request.ts'
import { ask, fetchThrough, type Proxied } from '../proxied.ts'

/** Order whose acceptance reached its client; `is_canceled` once its cancel was acknowledged. */
type Acknowledged = { readonly order_id: string; is_canceled: boolean }

/** Answers that callers had, and what they asked without one. */
export type Told = {
  readonly acknowledged: Map<string, Acknowledged>
  /** Client order ids of orders without an answer: each has at most one order. */
  readonly unknown: Map<string, string>
}

/** Outcomes of a market at which both accounts quote: resting offers of both sides, as no price of one meets the other's. */
export type QuotedMarket = { readonly market_id: string; readonly outcomes: readonly [string, string] }

/** Successes of a request that is repeated without retries, from which the length of an outage is read. */
class Probe {
  readonly name: string
  /** Instants of success and failure, in milliseconds of this process. */
  readonly #times: { readonly at: number; readonly is_ok: boolean }[] = []

  constructor(name: string) {
    this.name = name
  }

  note(at: number, is_ok: boolean): void {
    this.#times.push({ at, is_ok })
  }

  /** Returns the longest time between two successes in a window, in milliseconds: callers waited or were refused for so long. */
  gapIn(from: number, to: number): number {
    const successes = this.#times.filter(({ at, is_ok }) => is_ok && at >= from && at <= to).map(({ at }) => at)
    const until = [...successes, to]
    return Math.round(Math.max(...until.map((at, n) => at - (successes[n - 1] ?? from))))
  }

  succeededSince(from: number): boolean {
    return this.#times.findLast(({ at, is_ok }) => is_ok && at >= from) !== undefined
  }

  counts(): { ok: number; failed: number } {
    const ok = this.#times.filter(({ is_ok }) => is_ok).length
    return { ok, failed: this.#times.length - ok }
  }
}

export type Load = { readonly told: Told; readonly probes: readonly Probe[]; stop(): Promise<void> }

export type LoadOptions = {
  readonly proxy: Proxied
  readonly accounts: readonly ReadyAccount[]
  readonly markets: readonly QuotedMarket[]
  readonly random: Random
}

/** Pause between two requests of a caller. */
const PAUSE_MS = 250
const PROBE_MS = 100
/** Orders of an account that rest; above it the oldest is canceled. */
const RESTING_MAX = 20

/** Trades, reads and probes through the proxy until it is stopped. */
export function startLoad({ proxy, accounts, markets, random }: LoadOptions): Load {
  const told: Told = { acknowledged: new Map(), unknown: new Map() }
  const ending = new AbortController()
  const key = requestKey(accounts[0]!)
  const probes = [
    { probe: new Probe('write'), wire: () => writeOf(key, '/orders/cancel-all', keepOrders(accounts[0]!)) },
    { probe: new Probe('read'), wire: () => publicRead('/markets?limit=1') },
    { probe: new Probe('own read'), wire: () => readOf(key, '/balances') },
  ]
  const running = [
    ...accounts.map((account, n) => trade({ proxy, account, side: n % 2, markets, random, told }, ending.signal)),
    ...probes.map(({ probe, wire }) => repeat(probe, () => ask(proxy, wire()), ending.signal)),
  ]
  return {
    told,
    probes: probes.map(({ probe }) => probe),
    async stop() {
      ending.abort()
      await Promise.all(running)
    },
  }
}

/** A cancel-all that cancels nothing, because no order asked to be canceled on a pause: a write without an effect. */
const keepOrders = ({ account_id }: ReadyAccount) => ({ account_id, cancel_on_pause_only: true })
const publicRead = (path: string): WireRequest => ({ method: 'GET', target: `/v1${path}`, headers: {}, body: '' })

async function repeat(probe: Probe, request: () => Promise<{ status: number }>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { status } = await request()
    // A refusal for rate is an answer of a service that works.
    probe.note(performance.now(), status === 200 || status === 429)
    await sleep(PROBE_MS)
  }
}

type Trading = Pick<LoadOptions, 'proxy' | 'markets' | 'random'> & {
  readonly account: ReadyAccount
  /** Outcome that the account buys, 0 or 1: what both buy below one half does not meet. */
  readonly side: number
  readonly told: Told
}

/** Places orders and cancels the oldest, one request after the other; now and then both sides meet. */
async function trade(trading: Trading, signal: AbortSignal): Promise<void> {
  const { account, random, told, proxy } = trading
  const { owner_private_key, ...credentials } = account
  const client = createTradingClient({
    ...credentials,
    base_url: proxy.proxy_url,
    signer_private_key: owner_private_key,
    fetch: fetchThrough(proxy),
  })
  const resting: string[] = []
  for (let n = 0; !signal.aborted; n++) {
    const oldest = resting.length > RESTING_MAX ? resting.shift() : undefined
    if (oldest !== undefined) await cancel(client, oldest, told)
    else {
      const placed = await place(client, trading, `drill-${account.account_id.slice(-6)}-${n}`)
      if (placed !== null) resting.push(placed)
    }
    await sleep(random.between(PAUSE_MS / 2, 2 * PAUSE_MS))
  }
}

async function place(client: TradingClient, { markets, side, random, told }: Trading, name: string) {
  const market = markets[random.below(markets.length)]!
  // Quotes of 0.38 to 0.42 on both outcomes rest; 0.65 meets the quotes of the other account.
  const limit_price = random.below(10) === 0 ? '0.65' : `0.${random.between(38, 42)}`
  const client_order_id = `${name}-${random.digits(9)}`
  try {
    const { order_id } = await client.placeOrder({
      market_id: market.market_id,
      outcome_id: market.outcomes[side]!,
      side: 'BUY',
      limit_price,
      quantity: '1.00',
      maximum_fee: '1.00',
      client_order_id,
    })
    told.acknowledged.set(client_order_id, { order_id, is_canceled: false })
    return client_order_id
  } catch (error) {
    told.unknown.set(client_order_id, String(error))
    return null
  }
}

async function cancel(client: TradingClient, client_order_id: string, told: Told): Promise<void> {
  const order = told.acknowledged.get(client_order_id)!
  try {
    const { status } = await client.cancelOrder(order.order_id)
    order.is_canceled = status === 'canceled'
  } catch {
    // It was filled, or there was no answer: nothing was acknowledged.
  }
}
