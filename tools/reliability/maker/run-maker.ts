import { setTimeout as sleep } from 'node:timers/promises'
import { openSocket } from '../../../cli/doctor/open-socket.ts'
import { isTidemarkError } from '../../../client/tidemark-error.ts'
import { type AccountMirror, createAccountMirror } from '../../../client/trading/account-mirror.ts'
import { requestKey } from '../../../client/trading/credentials.ts'
import { type AccountStream, createAccountStream } from '../../../client/trading/stream/account-stream.ts'
import { createTradingClient, type TradingClient } from '../../../client/trading/trading-client.ts'
import { priceText, type Quote, type TradedMarket, wantedQuotes } from '../../../service/sandbox/maker-quotes.ts'
import { takeOf } from '../../../service/sandbox/run-traders.ts'
import type { ReadyAccount } from '../../../service/up/ready-file.ts'
import { type Service, startService, until } from '../../../test/support/service-process.ts'
import { type Footprint, footprintOf } from '../hostile/footprint.ts'
import { differencesOf } from './differences.ts'
import { listMarkets } from './listed-markets.ts'

export type MakerOptions = {
  readonly home: string
  readonly seconds: number
  readonly markets: number
  /** Sees each check when it is made. */
  readonly onCheck?: (check: MakerCheck) => void
}

/** Comparison of the mirror with REST, and what the service holds then. */
type MakerCheck = Footprint & {
  readonly at_s: number
  readonly fills: number
  readonly differing: readonly string[]
}

export type MakerReport = {
  readonly quotes: number
  readonly takes: number
  readonly checks: readonly MakerCheck[]
  readonly violations: readonly string[]
}

const QUOTE_EVERY_MS = 500
const TAKE_EVERY_MS = 400
const CHECKS = 12
/** An account that moves all the time needs several reads until two of them agree. */
const RECONCILE_MS = 60_000
const SETTLED_MS = 120_000

/**
 * Starts the service, and quotes both sides of many complementary markets from one account, while two others trade. At intervals the
 * account's mirror is compared with REST; in the end its statement and its fills are compared with balances and positions.
 */
export async function runMaker({ home, seconds, markets: count, onCheck }: MakerOptions): Promise<MakerReport> {
  const service = await startService(home, ['--sandbox-accounts', '3', '--no-temporal'])
  try {
    const markets = await listMarkets(home, count)
    const [maker, ...takers] = service.ready.sandbox_accounts
    const world = new World(service, home, markets, maker!)
    await world.mirror.start()
    const over = new AbortController()
    const working = Promise.all([
      world.quote(over.signal),
      ...takers.map((taker, n) => world.take(taker, n, over.signal)),
    ])
    for (let check = 1; check <= CHECKS; check += 1) {
      await sleep((seconds * 1000) / CHECKS)
      onCheck?.(await world.check())
    }
    over.abort()
    await working
    return await world.conclude(maker!.balance)
  } finally {
    await service.stop('SIGTERM')
  }
}

class World {
  readonly mirror: AccountMirror
  readonly #maker: TradingClient
  readonly #stream: AccountStream
  readonly #checks: MakerCheck[] = []
  readonly #began = performance.now()
  readonly #service: Service
  readonly #home: string
  readonly #markets: readonly TradedMarket[]
  #quotes = 0
  #takes = 0

  constructor(service: Service, home: string, markets: readonly TradedMarket[], maker: ReadyAccount) {
    this.#service = service
    this.#home = home
    this.#markets = markets
    this.#maker = this.#clientOf(maker)
    const { stream_url, environment } = service.ready
    const base_url = stream_url.replace(/^ws/, 'http')
    const stream = createAccountStream({ base_url, key: requestKey({ ...maker, environment }), open: openSocket })
    this.mirror = createAccountMirror(this.#maker, stream)
    this.#stream = stream
  }

  /** Replaces the quotes of one market after the other, each by one mass quote. */
  async quote(signal: AbortSignal): Promise<void> {
    for (let turn = 0; !signal.aborted; turn += 1) {
      const market = this.#markets[turn % this.#markets.length]!
      const wanted = wantedQuotes(SEED, 0, market, Date.now() / 1000)
      const orders = wanted.map((quote) => ({ ...termsOf(quote), post_only: true }))
      const quoted = await this.#maker.massQuote({ market_id: market.market_id, quote_set_id: SEED, orders })
      this.#quotes += quoted.orders.length
      await sleep(QUOTE_EVERY_MS)
    }
  }

  /** Takes from the books at random. */
  async take(account: ReadyAccount, ordinal: number, signal: AbortSignal): Promise<void> {
    const client = this.#clientOf(account)
    for (let turn = 0; !signal.aborted; turn += 1) {
      const quote = takeOf(`${SEED} ${ordinal}`, this.#markets, turn, Date.now() / 1000)
      await client.placeOrder({ ...termsOf(quote), time_in_force: 'FAK' }).catch((error: unknown) => {
        if (!isTidemarkError(error) || (error.status ?? 500) >= 500) throw error
      })
      this.#takes += 1
      await sleep(TAKE_EVERY_MS)
    }
  }

  async check(): Promise<MakerCheck> {
    const { differing } = await this.mirror.reconcile(RECONCILE_MS)
    const at_s = Math.round((performance.now() - this.#began) / 1000)
    const fills = this.mirror.state().fills.length
    const check = { at_s, fills, differing, ...footprintOf(this.#service.child.pid!, this.#home) }
    this.#checks.push(check)
    return check
  }

  /** Ends all orders, waits until everything is settled, and compares the account's whole story. */
  async conclude(initial: string): Promise<MakerReport> {
    await this.#maker.cancelAll({ scope: 'all_open_orders' })
    await until(() => this.#isSettled(), SETTLED_MS, this.#service.notes)
    const last = await this.check()
    this.mirror.stop()
    this.#stream.close()
    const differences = await differencesOf(this.#maker, initial)
    const violations = this.#checks.flatMap(({ at_s, differing }) =>
      differing.map((id) => `after ${at_s} s the mirror differs in ${id}`),
    )
    const idle = last.fills === 0 ? ['nobody traded with the maker'] : []
    return {
      quotes: this.#quotes,
      takes: this.#takes,
      checks: this.#checks,
      violations: [...violations, ...differences, ...idle],
    }
  }

  async #isSettled(): Promise<boolean> {
    for await (const { pending_settlement_credit, pending_settlement_debit } of this.#maker.balances()) {
      if (Number(pending_settlement_credit) !== 0 || Number(pending_settlement_debit) !== 0) return false
    }
    return true
  }

  #clientOf(account: ReadyAccount): TradingClient {
    const { base_url, environment } = this.#service.ready
    return createTradingClient({ ...account, base_url, environment, signer_private_key: account.owner_private_key })
  }
}

const SEED = 'maker'

function termsOf({ market_id, outcome_id, side, price_cents, quantity }: Quote) {
  const limit_price = priceText(price_cents)
  return { market_id, outcome_id, side, limit_price, quantity: `${quantity}.00`, maximum_fee: `${quantity}.00` }
}
