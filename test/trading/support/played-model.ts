import { expect } from 'vitest'
import { fromScaled } from '../../../primitives/scaled.ts'
import type { OrderIntent } from '../../../trading/order/order-intent.ts'
import { type Example, outcomeName, outcomeOf, readOrder } from './examples.ts'
import { SlowLadder } from './slow-ladder.ts'
import { ladderViolations } from './slow-ladder-invariants.ts'
import { ladderPool, ladderProfit } from './slow-ladder-money.ts'
import { type LadderFill, NO, YES } from './slow-ladder-records.ts'
import { slowReverse } from './slow-settlement.ts'

const ACCOUNTS = ['acct_a', 'acct_b', 'acct_c'] as const
const PLAIN: OrderIntent = {
  order_id: '',
  client_order_id: '',
  account_id: '',
  market_id: 'mkt_1',
  outcome_id: YES,
  side: 'BUY',
  limit_price: '0.50',
  quantity: '1',
  time_in_force: 'GTC',
  expires_at: null,
  post_only: false,
  reduce_only: false,
  cancel_on_pause: false,
  self_trade_prevention: 'cancel_taker',
  maximum_fee: '1000000',
  maximum_notional: '1000000',
  settlement_asset_id: 'asset_usd',
}

/** An order as the model takes it. */
export function plainOrder(order_id: string, account_id: string, terms: Partial<OrderIntent>): OrderIntent {
  return { ...PLAIN, order_id, client_order_id: order_id, account_id, ...terms }
}

/** A rate over 10,000. */
export function rateOf(text: string): bigint {
  return BigInt(Math.round(Number(text) * 10_000))
}

/** An example under way in the slow model of a complementary market; its promises hold after every step. */
export class PlayedModel {
  readonly core: SlowLadder
  #brought = 0n
  #now = 0

  constructor({ taker_rate = '0.02', maker_rate = '0', shorting_permitted = 'true' }: Example) {
    this.core = new SlowLadder({
      taker_rate: rateOf(taker_rate),
      maker_rate: rateOf(maker_rate),
      shorting: shorting_permitted === 'true',
      crossing: 'cap',
      limit: null,
    })
    for (const account_id of ACCOUNTS) this.#bring(account_id, 1_000_000_000n)
  }

  step(text: string): void {
    this.#now += 1
    this.#take(text)
    expect(ladderViolations(this.core, ACCOUNTS, this.#brought), text).toEqual([])
  }

  balance(account_id: string) {
    const { total, reserved, debit, credit } = this.core.balance(account_id)
    return {
      total: money(total),
      reserved: money(reserved),
      pending_settlement_debit: money(debit),
      pending_settlement_credit: money(credit),
      available: money(total - reserved - debit),
    }
  }

  /** @param name an account, and an outcome: YES where none is named */
  position(name: string) {
    const [account_id, outcome] = name.split(' ')
    const outcome_id = outcomeOf(outcome)
    const { x, average, realized } = ladderProfit(this.core, account_id!)
    const net = this.core.net(account_id!, outcome_id)
    return {
      net_quantity: size(net),
      average_entry_price: net === 0n || x === 0n ? null : fromScaled(average, 10),
      realized_pnl: money(realized[outcome_id === NO ? NO : YES]),
    }
  }

  order(name: string) {
    const order = this.core.orders.find(({ intent }) => intent.order_id === name)!
    const filled = this.core.filled(order)
    return {
      status: order.status,
      terminal_reason: order.reason,
      filled_quantity: size(filled),
      remaining_quantity: size(order.remaining),
      canceled_quantity: size(order.original - filled - order.remaining),
      trimmed_quantity: size(order.trimmed),
      reserved_amount: money(this.core.reservedFor(order)),
    }
  }

  fills(account_id: string): string {
    return this.#fills(account_id).map(fillText).join(', ')
  }

  pool() {
    const { cash, sets } = ladderPool(this.core)
    return { cash: money(cash), sets: size(sets) }
  }

  #take(text: string): void {
    const [word, account_id, amount] = text.split(' ')
    if (word === 'pause' || word === 'open') this.core.move(word === 'pause' ? 'paused' : 'open', this.#now)
    else if (word === 'confirm') this.#fill(account_id!, amount!).state = 'confirmed'
    else if (word === 'reverse') slowReverse(this.core, this.#fill(account_id!, amount!), this.#now)
    else if (word === 'bust') this.core.bust(this.#fill(account_id!, amount!), this.#now)
    else if (word === 'withdraw') this.#withdraw(account_id!, amount!)
    else if (word === 'limit') Object.assign(this.core.rules, { limit: BigInt(account_id!) * 100n })
    else if (word === 'fees')
      Object.assign(this.core.rules, { taker_rate: rateOf(account_id!), maker_rate: rateOf(amount!) })
    else this.#place(text)
  }

  #place(text: string): void {
    const { name, account_id, intent, code } = readOrder(text)
    expect(this.core.place(plainOrder(name, account_id, intent), this.#now) ?? undefined, text).toBe(code)
  }

  #withdraw(account_id: string, amount: string): void {
    const available = this.core.available(account_id)
    this.#bring(account_id, amount === 'all' ? -available : -BigInt(Math.round(Number(amount) * 1_000_000)))
  }

  #bring(account_id: string, amount: bigint): void {
    this.core.deposits.set(account_id, (this.core.deposits.get(account_id) ?? 0n) + amount)
    this.#brought += amount
  }

  #fills(account_id: string): LadderFill[] {
    return this.core.fills.filter(({ order }) => order.intent.account_id === account_id)
  }

  #fill(account_id: string, nth: string): LadderFill {
    return this.#fills(account_id)[Number(nth) - 1]!
  }
}

const money = (amount: bigint) => fromScaled(amount, 6)
const size = (quantity: bigint) => fromScaled(quantity, 2)

function fillText({ order: { intent }, quantity, price, fee, segments }: LadderFill): string {
  const parts = segments.map((segment) => {
    const passes = segment.outcome_id === null ? [] : [outcomeName(segment.outcome_id)]
    return [segment.match_kind, ...passes, size(segment.quantity)].join(' ')
  })
  const at = `${intent.side} ${outcomeName(intent.outcome_id)} ${size(quantity)} @ ${fromScaled(price, 2)}`
  return [at, 'fee', money(fee), ...parts].join(' ')
}
