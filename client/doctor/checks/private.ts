import { type Decimal, parseDecimal, sumDecimals } from '../../../primitives/decimal.ts'
import type { Adjustment } from '../../../protocol/resources/adjustment.ts'
import type { Fill } from '../../../protocol/resources/fill.ts'
import type { Position } from '../../../protocol/resources/position.ts'
import { baseUrl } from '../../http/base-url.ts'
import { createAccountMirror } from '../../trading/account-mirror.ts'
import type { Credentials } from '../../trading/credentials.ts'
import { requestKey } from '../../trading/credentials.ts'
import { pagesOf } from '../../trading/pages.ts'
import { createPrivateHttp, type PrivateHttp } from '../../trading/private-http.ts'
import { createAccountStream } from '../../trading/stream/account-stream.ts'
import { createTradingClient } from '../../trading/trading-client.ts'
import { type Check, type CheckContext, NotOffered } from '../check.ts'
import { tapeAt } from '../world.ts'
import { standingTrades } from './a08-last-trade.ts'

const FOLLOWED_MS = 3_000
const RECONCILE_MS = 5_000

/** A23, with a key: private events applied to an empty mirror equal REST. */
export const PRIVATE_EVENTS_AGREE: Check = {
  id: 'A23',
  title: 'Private events',
  compares: 'a mirror kept by private events, and REST: fills, positions, balances, settlements',
  share: 1,
  waits: true,
  async run(context) {
    const credentials = credentialsOf(context)
    const { base_url, find, open, pause, signal } = context
    const client = createTradingClient({ ...credentials, base_url, ...(signal === undefined ? {} : { signal }) })
    const key = requestKey(credentials)
    const stream = createAccountStream({ base_url, key, ...(open === null ? {} : { open }) })
    const mirror = createAccountMirror(client, stream)
    try {
      await mirror.start()
      await pause(FOLLOWED_MS)
      const { equal, differing } = await mirror.reconcile(RECONCILE_MS)
      const state = mirror.state()
      const counts = Object.fromEntries(Object.entries(state).map(([name, rows]) => [name, rows.length]))
      find.holds(
        equal,
        differing[0] ?? 'mirror',
        { request: 'mirror by account.* events', value: counts },
        { request: 'GET /v1/positions, /balances, /fills, /settlements', value: differing },
      )
    } finally {
      mirror.stop()
      stream.close()
    }
  },
}

/** A24, with a key: positions equal the fold of the account's fills; a statement, where there is one, equals the balances. */
export const MONEY_AGREES: Check = {
  id: 'A24',
  title: 'Money',
  compares: 'positions, and the fold of fills and adjustments; balances, and their own parts and the statement',
  share: 1,
  async run(context) {
    const credentials = credentialsOf(context)
    const http = privateHttp(context, credentials)
    await comparePositions(context, http)
    await compareBalances(context, http)
    if (![...context.world.paths].some((path) => path.includes('statement')))
      context.find.lacks('the statement of an account')
  },
}

/** @throws {NotOffered} if no key was given or the deployment has no engine */
function credentialsOf({ credentials, world }: CheckContext): Credentials {
  if (credentials === null) throw new NotOffered('needs a key: --key-file')
  if (!world.capabilities.signed_requests.available) throw new NotOffered('this process has no trading engine')
  return credentials
}

function privateHttp({ base_url, signal }: CheckContext, credentials: Credentials): PrivateHttp {
  return createPrivateHttp({
    base_url: baseUrl(base_url),
    key: requestKey(credentials),
    ...(signal === undefined ? {} : { signal }),
  })
}

async function all<T>(http: PrivateHttp, path: string): Promise<T[]> {
  const items: T[] = []
  for await (const item of pagesOf<T>(http, path)) items.push(item)
  return items
}

/** Folds the fills up to the sequence of each position; markets that were settled have left it. */
async function comparePositions({ find }: CheckContext, http: PrivateHttp): Promise<void> {
  const positions = await all<Position>(http, '/positions')
  const [fills, adjustments] = [await all<Fill>(http, '/fills'), await all<Adjustment>(http, '/adjustments')]
  const changed = new Set(adjustments.map((one) => (one as { fill_id?: string }).fill_id))
  for (const position of positions) {
    const { outcome_id, net_quantity } = position
    const own = fillsOf(position, fills)
    if (
      own.length === 0 ||
      own.some(({ fill_id }) => changed.has(fill_id)) ||
      parseDecimal(net_quantity, 'net_quantity').isZero()
    )
      continue
    // Where fills of both outcomes move one holding, a purchase of the other outcome is a sale of this one.
    const signed = own.map((fill) => {
      const rises = (fill.side === 'BUY') === (fill.outcome_id === outcome_id)
      return parseDecimal(fill.quantity, 'quantity').times(rises ? 1 : -1)
    })
    const first = { request: `GET /v1/positions (${outcome_id})`, value: net_quantity }
    find.same('net_quantity', first, { request: 'GET /v1/fills: fold', value: sumDecimals(signed).toFixed() })
  }
}

/** Returns the fills that have made a position: in a complementary market those of both outcomes. */
function fillsOf({ market_id, outcome_id, source_fill_sequence }: Position, fills: readonly Fill[]): Fill[] {
  const of_market = fills.filter((fill) => fill.market_id === market_id && fill.engine_sequence <= source_fill_sequence)
  // A service from before complementary markets does not name the field.
  const is_ladder = of_market.some(({ segments }) => segments != null)
  return is_ladder ? of_market : of_market.filter((fill) => fill.outcome_id === outcome_id)
}

type BalanceParts = Readonly<
  Record<'asset_id' | 'total' | 'available' | 'reserved' | 'withdrawal_hold' | 'pending_settlement_debit', string>
>

async function compareBalances({ find }: CheckContext, http: PrivateHttp): Promise<void> {
  for (const balance of await all<BalanceParts>(http, '/balances')) {
    const part = (name: keyof BalanceParts): Decimal => parseDecimal(balance[name], name)
    const left = part('available').plus(part('reserved')).plus(part('withdrawal_hold'))
    const right = part('total').minus(part('pending_settlement_debit'))
    const request = `GET /v1/balances (${balance.asset_id})`
    find.same(
      'total',
      { request: `${request}: total - pending_settlement_debit`, value: right.toFixed() },
      { request: `${request}: available + reserved + withdrawal_hold`, value: left.toFixed() },
    )
  }
}

/** A25, with --home: public trades, volume and open interest of markets listed here equal the fold of the accounts' fills. */
export const OWN_MARKETS_AGREE: Check = {
  id: 'A25',
  title: 'Own markets',
  compares:
    'public trades, volume and open interest, and the fold of the fills of all accounts in the operator database',
  share: 1,
  async run(context) {
    const { accounts, ask, find, world } = context
    if (accounts === null) throw new NotOffered('needs the operator database: --home')
    const listed = (await world.markets(ask)).data
    const { outcomes, sizes } = await accounts(world.at, listed)
    for (const { market_id, observed_at, field, published, of_fills } of sizes) {
      const stated = { request: `GET /v1/markets/${market_id}`, value: published }
      find.same(field, stated, { request: `trading.fill of ${market_id} up to ${observed_at}`, value: of_fills })
    }
    const markets = new Map(listed.map((market) => [market.market_id, market]))
    for (const { market_id, outcome_id, trades, volume } of outcomes) {
      const market = markets.get(market_id)
      if (market === undefined) continue
      const tape = await tapeAt(ask, market, world.at)
      if (tape.status !== 200 || !tape.complete) continue
      const standing = standingTrades(tape.data).filter((trade) => trade.outcome_id === outcome_id)
      const sum = sumDecimals(standing.map(({ quantity }) => parseDecimal(quantity, 'quantity'))).toFixed()
      const request = `${tape.request} (outcome ${outcome_id})`
      const facts = `trading.fill of ${outcome_id} up to ${world.at}`
      find.same('number of trades', { request, value: standing.length }, { request: facts, value: trades })
      find.same('volume', { request, value: sum }, { request: facts, value: volume })
    }
  },
}
