import { invariant } from '../../../primitives/errors.ts'
import { toScaled } from '../../../primitives/scaled.ts'
import type { Balance } from '../../../protocol/resources/balance.ts'
import type { Fill } from '../../../protocol/resources/fill.ts'
import type { Order } from '../../../protocol/resources/order.ts'
import type { Position } from '../../../protocol/resources/position.ts'
import type { SlowCore } from '../../../test/trading/support/slow-core.ts'
import { type SlowFill, type SlowOrder, UNIT, WORKING } from '../../../test/trading/support/slow-records.ts'
import { reservedFor } from '../../../test/trading/support/slow-reserved.ts'
import { slowSettled, slowWaiting } from '../../../test/trading/support/slow-settlement.ts'
import { readOf, sendWire } from '../wire-request.ts'
import type { ListFilter, Terms } from './commands.ts'
import { type ModelService, type ModelWorld, outcomeOf, type Trader } from './model-world.ts'
import { same } from './same.ts'

/** Model side of a comparison; the orders that were recorded as rejected come with their code. */
export type ModelSide = {
  readonly model: SlowCore
  readonly rejected: Map<string, { readonly trader: Trader; readonly code: string; readonly terms: Terms }>
}

const OUTCOMES = ['yes', 'no'] as const
const ALL = 1000

/** Reads of accounts, compared with the model. */
export type ModelReads = ReturnType<typeof modelReads>

/** The reads of one run. Each throws InvariantError with the first difference. */
export function modelReads({ agent, base_url }: ModelService, world: ModelWorld) {
  const get = async <T>({ key }: Trader, path: string): Promise<Envelope<T>> => {
    const answer = await sendWire(agent, base_url, readOf(key, path))
    invariant(answer.status === 200, `GET ${path} is answered: ${answer.text}`)
    return JSON.parse(answer.text) as Envelope<T>
  }
  /** Page by page to the end. */
  const list = async <T>(trader: Trader, path: string, limit: number): Promise<T[]> => {
    const found: T[] = []
    for (let cursor = ''; ; ) {
      const { data, page } = await get<T[]>(trader, `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor}`)
      found.push(...data)
      invariant(data.length <= limit, `a page of ${path} has at most ${limit}`)
      if (page.next_cursor === null) return found
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
    }
  }

  const compareOrder = (shown: Order, order: SlowOrder, { model }: ModelSide): void => {
    const mine = model.fills.filter((fill) => fill.order === order && !fill.busted)
    const sum = (of: (fill: SlowFill) => bigint) => mine.reduce((total, fill) => total + of(fill), 0n)
    const expected = [
      `${order.status} ${order.reason} remaining ${order.remaining} filled ${model.filled(order)}`,
      `notional ${sum(({ price, quantity }) => price * quantity * UNIT)} fees ${sum(({ fee }) => fee)}`,
      `reserved ${reservedFor(model, order)}`,
    ].join(' ')
    same(`order ${order.intent.order_id}`, textOf(shown), expected)
    const { original_quantity, filled_quantity, remaining_quantity, canceled_quantity } = shown
    const parts = [filled_quantity, remaining_quantity, canceled_quantity].reduce(
      (total, part) => total + toScaled(part, 2),
      0n,
    )
    const busted = model.fills.some((fill) => fill.order === order && fill.busted)
    if (!busted) same(`quantities of ${order.intent.order_id}`, parts, toScaled(original_quantity, 2))
  }

  const compareOrders = (trader: Trader, run: ModelSide, shown: readonly Order[], filter: ListFilter): void => {
    const of_account = run.model.orders.filter(({ intent }) => intent.account_id === trader.account_id)
    const accepted = of_account.filter(
      ({ intent, status }) =>
        (filter.status ?? status) === status &&
        (filter.side ?? intent.side) === intent.side &&
        `out_${filter.outcome ?? intent.outcome_id.slice(4)}` === intent.outcome_id,
    )
    const refused = [...run.rejected].filter(
      ([, { trader: of, terms }]) =>
        of === trader &&
        (filter.status ?? 'rejected') === 'rejected' &&
        (filter.side ?? terms.side) === terms.side &&
        (filter.outcome ?? terms.outcome) === terms.outcome,
    )
    const expected = [...accepted.map(({ intent }) => intent.order_id), ...refused.map(([order_id]) => order_id)]
    const shown_ids = shown.map(({ order_id }) => order_id)
    same(`orders of ${trader.account_id}`, [...shown_ids].sort().join(), expected.sort().join())
    const newest_first = [...shown].sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1)).map(({ order_id }) => order_id)
    same(`the order of orders of ${trader.account_id}`, shown_ids.join(), newest_first.join())
    for (const order of shown) {
      const known = accepted.find(({ intent }) => intent.order_id === order.order_id)
      if (known !== undefined) compareOrder(order, known, run)
      else
        same(
          `order ${order.order_id}`,
          `${order.status} ${order.rejection?.code}`,
          `rejected ${run.rejected.get(order.order_id)!.code}`,
        )
    }
  }

  const compareBalance = ({ account_id }: Trader, { model }: ModelSide, balances: readonly Balance[]): void => {
    same(`balances of ${account_id}`, balances.length, 1)
    const { total, reserved, debit, credit } = model.balance(account_id)
    const expected = [total, model.available(account_id), reserved, debit, credit].join(' ')
    const shown = balances[0]!
    const { pending_settlement_debit, pending_settlement_credit } = shown
    const fields = [shown.total, shown.available, shown.reserved, pending_settlement_debit, pending_settlement_credit]
    same(`balance of ${account_id}`, fields.map((field) => toScaled(field, 6)).join(' '), expected)
  }

  const comparePositions = ({ account_id }: Trader, { model }: ModelSide, positions: readonly Position[]): void => {
    for (const outcome of OUTCOMES) {
      const id = `out_${outcome}`
      const sells = model
        .working(account_id)
        .filter(({ intent }) => intent.side === 'SELL' && intent.outcome_id === id)
        .reduce((sum, { remaining }) => sum + remaining, 0n)
      const [net, settled] = [model.net(account_id, id), slowSettled(model, account_id, id)]
      const expected = `${net} ${settled} ${net - settled} ${sells} ${slowWaiting(model, account_id, id)}`
      const shown = positions.find(({ outcome_id }) => outcome_id === outcomeOf(world, outcome))
      same(`${id} of ${account_id}`, shown === undefined ? '0 0 0 0 0' : positionText(shown), expected)
    }
  }

  return {
    compareOrder,
    order: async (trader: Trader, order_id: string) => (await get<Order>(trader, `/orders/${order_id}`)).data,
    /** Whether a pause still has something to cancel. */
    pausing: async (trader: Trader) =>
      (await list<Order>(trader, '/orders', ALL)).some(
        ({ cancel_on_pause, status }) => cancel_on_pause && (status === 'cancel_pending' || WORKING.includes(status)),
      ),
    compareOrderList: async (
      trader: Trader,
      run: ModelSide,
      { filter, limit }: { filter: ListFilter; limit: number },
    ) => {
      const { status, side, outcome } = filter
      const outcome_id = outcome === undefined ? undefined : outcomeOf(world, outcome)
      const asked = Object.entries({ market_id: world.market_id, outcome_id, status, side })
      const query = asked.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}=${value}`)
      compareOrders(trader, run, await list<Order>(trader, `/orders?${query.join('&')}`, limit), filter)
    },
    compareFillList: async (trader: Trader, run: ModelSide, limit: number) => {
      const shown = (await list<Fill>(trader, '/fills', limit)).reverse()
      const mine = run.model.fills.filter(({ order }) => order.intent.account_id === trader.account_id)
      const expected = mine.map((fill) => fillText(fill))
      same(`fills of ${trader.account_id}`, shown.map(shownFillText).join('\n'), expected.join('\n'))
    },
    /** The fill of the API that is the model's. */
    fillOf: async (fill: SlowFill, { model }: ModelSide): Promise<Fill> => {
      const { account_id } = fill.order.intent
      const trader = world.traders.find((one) => one.account_id === account_id)!
      const mine = model.fills.filter(({ order }) => order.intent.account_id === account_id)
      const shown = (await list<Fill>(trader, '/fills', ALL)).reverse()[mine.indexOf(fill)]
      invariant(shown !== undefined, `fill ${mine.indexOf(fill)} of ${account_id} is listed`)
      return shown
    },
    /** Balances and positions as text, without the instant that they are as of; and that instant. null: now. */
    shown: async (trader: Trader, as_of: string | null) => {
      const query = as_of === null ? '' : `?as_of=${encodeURIComponent(as_of)}`
      const { data: balances } = await get<Balance[]>(trader, `/balances${query}`)
      const { data: positions } = await get<Position[]>(trader, `/positions${query}`)
      const text = (rows: readonly (Balance | Position)[]) => JSON.stringify(rows.map(({ as_of: _, ...row }) => row))
      return { as_of: balances[0]?.as_of ?? null, balances: text(balances), positions: text(positions) }
    },
    compare: async (trader: Trader, run: ModelSide) => {
      const [balances, positions, orders] = await Promise.all([
        get<Balance[]>(trader, '/balances'),
        get<Position[]>(trader, '/positions'),
        list<Order>(trader, '/orders', ALL),
      ])
      compareBalance(trader, run, balances.data)
      comparePositions(trader, run, positions.data)
      compareOrders(trader, run, orders, {})
    },
  }
}

type Envelope<T> = { readonly data: T; readonly page: { readonly next_cursor: string | null } }

function sortKey({ created_at, order_id }: Order): string {
  return `${created_at} ${order_id}`
}

function textOf(shown: Order): string {
  const [quantity, money] = [(text: string) => toScaled(text, 2), (text: string) => toScaled(text, 6)]
  return [
    `${shown.status} ${shown.terminal_reason} remaining ${quantity(shown.remaining_quantity)} filled ${quantity(shown.filled_quantity)}`,
    `notional ${money(shown.filled_notional)} fees ${money(shown.accrued_fee)}`,
    `reserved ${money(shown.reserved_amount)}`,
  ].join(' ')
}

function positionText({
  net_quantity,
  settled_quantity,
  unsettled_quantity,
  reserved_sell_quantity,
  ...of
}: Position): string {
  const quantities = [net_quantity, settled_quantity, unsettled_quantity, reserved_sell_quantity]
  return `${quantities.map((text) => toScaled(text, 2)).join(' ')} ${of.pending_settlement_ids.length}`
}

function fillText({ order, price, quantity, fee, maker, state, busted }: SlowFill): string {
  return `${order.intent.order_id} ${price} ${quantity} ${fee} ${maker ? 'maker' : 'taker'} ${state} ${busted ? 1 : 0}`
}

function shownFillText({
  order_id,
  price,
  quantity,
  fee,
  liquidity_role,
  settlement_state,
  adjustment_ids,
}: Fill): string {
  const money = toScaled(fee.amount, 6)
  return `${order_id} ${toScaled(price, 2)} ${toScaled(quantity, 2)} ${money} ${liquidity_role} ${settlement_state} ${adjustment_ids.length}`
}
