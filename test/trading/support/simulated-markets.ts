import type { BookEvent, OrderEvent, TradeCorrectionEvent } from '../../../trading/engine/events.ts'
import type { EngineState } from '../../../trading/engine/state.ts'
import { HOUSE } from '../../../trading/ledger/entries.ts'
import { positionRow } from '../../../trading/projections/current-rows.ts'
import type { FillRow, OrderRow } from '../../../trading/projections/rows.ts'
import type { SecondCore } from './second-core.ts'
import type { SlowCore } from './slow-core.ts'
import { SlowLadder } from './slow-ladder.ts'
import { closable } from './slow-ladder-cover.ts'
import { holdingOf, ladderPool, ladderProfit, ladderReceivable } from './slow-ladder-money.ts'
import { LADDER_HOUSE, mirrored, NO, YES } from './slow-ladder-records.ts'
import { min, WORKING } from './slow-records.ts'
import { SLOW_OUTCOMES, slowEarned, slowOpen, slowSettled } from './slow-settlement.ts'

/** What a comparison reads of the core, beside the slow one. */
export type Compared = {
  readonly state: EngineState
  readonly accounts: readonly string[]
  readonly fills: readonly FillRow[]
  readonly orders: ReadonlyMap<string, OrderRow>
  /** Newest event of each order. */
  readonly told: ReadonlyMap<string, OrderEvent>
  readonly corrected: readonly TradeCorrectionEvent[]
  /** Newest event of each price level. */
  readonly levels: ReadonlyMap<string, BookEvent>
  readonly same: (what: string, real: unknown, slow: unknown) => void
}

const ASSET = 'asset_usd'
const POOL = 'acct_house_pool_mkt_1'

/** Compares positions and the house of a market whose outcomes have books of their own. */
export function comparePlain(compared: Compared, slow: SlowCore): void {
  const { accounts, same } = compared
  for (const account_id of accounts) {
    for (const outcome_id of SLOW_OUTCOMES) comparePosition(compared, slow, account_id, outcome_id)
  }
  same('what the house has laid out', `${0 - totalOf(compared, HOUSE.receivable)}`, `${slow.lent}`)
  compareFees(compared, slow)
}

/** Compares a position; its earnings only once nothing is held, within one unit per trade, as averages are rounded. */
function comparePosition({ state, same }: Compared, slow: SlowCore, account_id: string, outcome_id: string): void {
  const position = state.accounts.get(account_id)!.positions.get(outcome_id)
  if (position === undefined) return
  const { net_quantity, settled_quantity, open_settlements, pending_short_credit, realized_pnl } = position
  const [net, open] = [slow.net(account_id, outcome_id), slowOpen(slow, account_id, outcome_id)]
  const credit = slow.shortCredit(account_id, outcome_id)
  const name = `${outcome_id} of ${account_id}`
  const settled = slowSettled(slow, account_id, outcome_id)
  const seen = `${net_quantity} ${settled_quantity} ${open_settlements} ${pending_short_credit}`
  same(name, seen, `${net} ${settled} ${open} ${credit}`)
  const earned = Number(slowEarned(slow, account_id, outcome_id))
  const is_right = net_quantity !== 0 || Math.abs(earned - realized_pnl) <= slow.fills.length
  same(`what ${name} earned`, is_right ? earned : realized_pnl, earned)
}

/** Compares holdings, profits, segments, the pool, the house and both books of a complementary market. */
export function compareLadder(compared: Compared, slow: SlowLadder): void {
  for (const account_id of [...compared.accounts, LADDER_HOUSE]) {
    for (const outcome_id of SLOW_OUTCOMES) compareHolding(compared, slow, account_id, outcome_id)
  }
  for (const [n, fill] of slow.fills.entries()) {
    const row = compared.fills[n]
    const parts = fill.segments.map(({ match_kind, outcome_id, quantity }) => ({
      match_kind,
      outcome_id,
      quantity: Number(quantity),
    }))
    const split = `${JSON.stringify(parts)} ${fill.closed} ${fill.closing_fee}`
    compared.same(
      `segments of fill ${n}`,
      `${JSON.stringify(row?.segments)} ${row?.closed_quantity} ${row?.closing_fee}`,
      split,
    )
  }
  for (const order of slow.orders) {
    const { order_id } = order.intent
    const { trimmed_quantity, canceled_quantity } = compared.orders.get(order_id)!
    const canceled = order.original - slow.filled(order) - order.remaining
    compared.same(`cuts of ${order_id}`, `${trimmed_quantity} ${canceled_quantity}`, `${order.trimmed} ${canceled}`)
  }
  comparePool(compared, slow)
  compareFees(compared, slow)
  for (const outcome_id of SLOW_OUTCOMES) compareBook(compared, slow, outcome_id)
}

function compareHolding({ state, same }: Compared, slow: SlowLadder, account_id: string, outcome_id: string): void {
  const position = state.accounts.get(account_id)!.positions.get(outcome_id)
  if (position === undefined) return
  const row = positionRow(position)
  const net = slow.net(account_id, outcome_id)
  const { average, realized } = ladderProfit(slow, account_id)
  const closing = slow.working(account_id).filter(({ bids }) => bids === (outcome_id === NO))
  const closes = min(
    closable(slow, account_id, outcome_id === NO),
    closing.reduce((sum, one) => sum + one.remaining, 0n),
  )
  const requirement = outcome_id === YES ? slow.balance(account_id).reserved : 0n
  const settled = holdingOf(slow, account_id, outcome_id, true)
  same(
    `${outcome_id} of ${account_id}`,
    `${row.net_quantity} ${row.settled_quantity} ${row.reserved_sell_quantity} ${row.requirement} ${row.average_entry_price}`,
    `${net} ${settled} ${closes} ${requirement} ${net === 0n ? null : average}`,
  )
  same(
    `what ${outcome_id} of ${account_id} earned`,
    row.realized_pnl,
    Number(realized[outcome_id as typeof YES | typeof NO]),
  )
}

function comparePool(compared: Compared, slow: SlowLadder): void {
  const { state, same } = compared
  const money = (account_id: string) => {
    const balance = state.accounts.get(account_id)?.balances.get(ASSET)
    const { total = 0, pending_settlement_debit: debit = 0, pending_settlement_credit: credit = 0 } = balance ?? {}
    return `${total} ${debit} ${credit}`
  }
  const pool = ladderPool(slow)
  same('money of the pool', money(POOL), `${pool.total} ${pool.debit} ${pool.credit}`)
  const { total, debit, credit } = ladderReceivable(slow)
  same('money of the house', money(HOUSE.receivable), `${total} ${debit} ${credit}`)
  const owed = SLOW_OUTCOMES.map((outcome) => 0 - (state.accounts.get(POOL)?.positions.get(outcome)?.net_quantity ?? 0))
  const left = SLOW_OUTCOMES.map((outcome) => {
    const paid = slow.payments.filter(({ outcome_id }) => outcome_id === outcome)
    return pool.sets - paid.reduce((sum, { net }) => sum + net, 0n)
  })
  same('sets of the pool', owed.join(), left.join())
}

function compareBook({ levels, same }: Compared, slow: SlowLadder, outcome_id: string): void {
  const resting = slow.orders.filter(({ status }) => WORKING.includes(status))
  const expected = new Map<string, [bigint, number, bigint, number]>()
  for (const { tick, bids, remaining, intent } of resting) {
    const side = bids === (outcome_id === YES) ? 'BUY' : 'SELL'
    const key = `${outcome_id} ${side} ${mirrored(outcome_id, tick)}`
    const [quantity, count, derived, derived_count] = expected.get(key) ?? [0n, 0, 0n, 0]
    const is_derived = intent.outcome_id !== outcome_id
    expected.set(key, [
      quantity + remaining,
      count + 1,
      is_derived ? derived + remaining : derived,
      is_derived ? derived_count + 1 : derived_count,
    ])
  }
  const seen = [...levels].filter(([, level]) => level.outcome_id === outcome_id && level.quantity > 0)
  const shown = seen.map(([key, { quantity, order_count, derived_quantity = 0, derived_order_count = 0 }]) =>
    [key, quantity, order_count, derived_quantity, derived_order_count].join(' '),
  )
  const wanted = [...expected].map(([key, numbers]) => [key, ...numbers].join(' '))
  same(`book of ${outcome_id}`, shown.sort().join(), wanted.sort().join())
}

function compareFees(compared: Compared, { fills }: SlowCore | SlowLadder): void {
  const settled = [...fills].filter(({ state, busted }) => state === 'confirmed' && !busted)
  const fees = settled.reduce((sum, { fee }) => sum + fee, 0n)
  compared.same('what the house has of fees', `${totalOf(compared, HOUSE.fees)}`, `${fees}`)
}

function totalOf({ state }: Compared, account_id: string): number {
  return state.accounts.get(account_id)!.balances.get(ASSET)?.total ?? 0
}

/** Counts the matches of a complementary market by what became of the sets, and its trimmed orders. */
export function splitsOf(slow: SecondCore) {
  if (!(slow instanceof SlowLadder)) return { merged: 0, passed: 0, minted: 0, trimmed: 0 }
  const kinds = slow.fills.flatMap(({ segments }) => segments.map(({ match_kind }) => match_kind))
  const sum = (kind: string) => kinds.filter((one) => one === kind).length / 2
  const trimmed = slow.orders.filter((order) => order.trimmed > 0n).length
  return { merged: sum('merge'), passed: sum('transfer'), minted: sum('mint'), trimmed }
}
