import { randomUUID } from 'node:crypto'
import { signOrder } from '../../../client/signing/sign-order.ts'
import { invariant } from '../../../primitives/errors.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import { toScaled } from '../../../primitives/scaled.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { BatchItem, Order } from '../../../protocol/resources/order.ts'
import type { OrderPreview } from '../../../protocol/resources/order-preview.ts'
import { ENVIRONMENT, signerOf } from '../../../test/support/trading/served-accounts.ts'
import { type SlowOrder, WORKING } from '../../../test/trading/support/slow-records.ts'
import type { OrderIntent } from '../../../trading/order/order-intent.ts'
import { sendWire, type WireAnswer, writeOf } from '../wire-request.ts'
import type { CommandOf, Terms } from './commands.ts'
import { type ModelPorts, recent } from './model-ports.ts'
import { outcomeOf, type Trader } from './model-world.ts'
import { same } from './same.ts'

const HOUR_US = 3_600_000_000

/** Orders through the API, signed, and through the model. Each throws InvariantError where they differ. */
export class ModelOrders {
  readonly #ports: ModelPorts

  constructor(ports: ModelPorts) {
    this.#ports = ports
  }

  async place(trader: Trader, terms: Terms, again: boolean): Promise<void> {
    const order = await this.#order(trader, terms)
    this.#placed('place', order, await this.#write(trader, '/orders', order.body, again))
  }

  #placed(what: string, order: Written, answer: WireAnswer): void {
    const shown = dataOf<Order | null>(answer)
    invariant(shown !== null, `${what} answers with the order: ${answer.text}`)
    const code = this.#ports.model.place(intentOf(order, shown.order_id), wallClock())
    same(what, answer.code, code)
    same(`status of ${what}`, answer.status, code === null ? 201 : 422)
    if (code === null) this.#ports.reads.compareOrder(shown, this.#orderOf(shown.order_id), this.#ports)
    else this.#ports.rejected.set(shown.order_id, { trader: order.trader, code, terms: order.terms })
  }

  /** Compares the preview of an order that is then placed unchanged: a preview uses nothing up. */
  async preview(trader: Trader, terms: Terms): Promise<void> {
    const order = await this.#order(trader, terms)
    const preview = await this.#write(trader, '/orders/preview', order.body, false)
    same('status of preview', preview.status, 200)
    const said = dataOf<OrderPreview>(preview)
    const placed = await this.#write(trader, '/orders', order.body, false)
    this.#placed('place after preview', order, placed)
    same('preview', said.rejection?.code ?? null, placed.code)
    if (placed.code !== null) return
    const { filled_quantity, status, terminal_reason } = dataOf<Order>(placed)
    same('state of a preview', `${said.order_status} ${said.terminal_reason}`, `${status} ${terminal_reason}`)
    same('executable quantity of a preview', toScaled(said.executable_quantity!, 2), toScaled(filled_quantity, 2))
  }

  async batch(trader: Trader, { orders: all, again }: CommandOf<'batch'>): Promise<void> {
    const orders = await Promise.all(all.map((terms) => this.#order(trader, terms)))
    const answer = await this.#write(trader, '/orders/batch', { orders: orders.map(({ body }) => body) }, again)
    same('status of batch', answer.status, 200)
    for (const [n, { index, status, order_id, error }] of dataOf<BatchItem[]>(answer).entries()) {
      invariant(order_id !== null, `item ${n} has an order: ${answer.text}`)
      const code = this.#ports.model.place(intentOf(orders[n]!, order_id), wallClock())
      same(
        `item ${n}`,
        `${index} ${status} ${error?.code ?? null}`,
        `${n} ${code === null ? 'accepted' : 'rejected'} ${code}`,
      )
      if (code !== null) this.#ports.rejected.set(order_id, { trader, code, terms: all[n]! })
    }
  }

  async amend({ order: back, terms, stale }: CommandOf<'amend'>): Promise<void> {
    const old = recent(this.#ports.model.orders, back)
    if (old === undefined) return
    const trader = this.#traderOf(old)
    const { order_id, side, outcome_id } = old.intent
    const { version } = await this.#ports.reads.order(trader, order_id)
    const outcome = outcome_id === 'out_yes' ? 'yes' : 'no'
    const order = await this.#order(trader, { ...terms, side, outcome })
    const is_stale = stale && version > 1 && WORKING.includes(old.status)
    const body = { ...order.body, expected_order_version: is_stale ? version - 1 : version }
    const answer = await this.#write(trader, `/orders/${order_id}/amend`, body, false)
    if (is_stale) return same('amend of an older version', answer.code, 'ORDER_VERSION_CONFLICT')
    const made = answer.code === null ? dataOf<{ replacement: Order }>(answer).replacement : null
    const code = this.#ports.model.amend(order_id, intentOf(order, made?.order_id ?? ''), wallClock())
    same('amend', answer.code, code)
    if (made !== null) this.#ports.reads.compareOrder(made, this.#orderOf(made.order_id), this.#ports)
  }

  async cancel({ order: back, by, again }: CommandOf<'cancel'>): Promise<void> {
    const order = recent(this.#ports.model.orders, back)
    if (order === undefined) return
    const { account_id, order_id } = order.intent
    const { traders } = this.#ports.world
    const other = traders[(traders.findIndex((one) => one.account_id === account_id) + 1) % traders.length]!
    const path = `/orders/${order_id}/cancel`
    if (by === 'other') {
      const answer = await this.#write(other, path, {}, again)
      return same("cancel of another's order", `${answer.status} ${answer.code}`, '404 ORDER_NOT_FOUND')
    }
    const answer = await this.#write(this.#traderOf(order), path, {}, again)
    same('cancel', answer.code, this.#ports.model.cancel(account_id, order_id, wallClock()))
  }

  async cancelAll(trader: Trader, { scope }: CommandOf<'cancel_all'>): Promise<void> {
    const { account_id } = trader
    const { market_id } = this.#ports.world
    const asked = {
      all: { scope: 'all_open_orders' },
      market: { market_id },
      cancel_on_pause: { cancel_on_pause_only: true },
    }
    const body = { account_id, ...asked[scope] }
    const answer = await this.#write(trader, '/orders/cancel-all', body, false)
    same('status of cancel-all', answer.status, 200)
    const told = dataOf<{ orders: readonly { order_id: string }[]; failures: readonly unknown[] }>(answer)
    const ended = this.#ports.model
      .working(account_id)
      .filter(({ intent }) => scope !== 'cancel_on_pause' || intent.cancel_on_pause)
    for (const { intent } of ended) this.#ports.model.cancelAll(account_id, wallClock(), intent.order_id)
    same('failures of cancel-all', told.failures.length, 0)
    const ids = (orders: readonly { order_id: string }[]) =>
      orders
        .map(({ order_id }) => order_id)
        .sort()
        .join()
    same('orders of cancel-all', ids(told.orders), ids(ended.map(({ intent }) => intent)))
  }

  async #order(trader: Trader, terms: Terms): Promise<Written> {
    const { account_id, signer } = trader
    const { outcome, ...rest } = terms
    const expires_at = terms.time_in_force === 'GTD' ? Math.floor((wallClock() + HOUR_US) / 1e6) * 1e6 : null
    const body = await signOrder(
      {
        ...rest,
        account_id,
        market_id: this.#ports.world.market_id,
        outcome_id: outcomeOf(this.#ports.world, outcome),
        client_order_id: `c${this.#ports.next()}`,
        expires_at: expires_at === null ? null : formatMicros(expires_at).replace(/\.\d+Z$/, 'Z'),
        maximum_fee: '1000000',
        maximum_notional: '1000000',
      },
      signerOf(signer),
      ENVIRONMENT,
    )
    return { trader, terms, body: { ...body }, expires_at }
  }

  /** A request under a key of its own; `again`: twice, and the second is told what the first was. */
  async #write({ key }: Trader, path: string, content: unknown, again: boolean): Promise<WireAnswer> {
    const { agent, base_url } = this.#ports.service
    const idempotency_key = randomUUID()
    const send = () => sendWire(agent, base_url, writeOf(key, path, content, { idempotency_key }))
    const answer = await send()
    invariant(answer.status < 500, `${path} is answered: ${answer.text}`)
    if (!again) return answer
    const second = await send()
    same(
      `${path} once more`,
      `${second.status} ${second.code} ${second.data}`,
      `${answer.status} ${answer.code} ${answer.data}`,
    )
    if (answer.status < 300) same(`${path} once more is a replay`, second.replayed, true)
    return answer
  }

  #traderOf({ intent }: SlowOrder): Trader {
    return this.#ports.world.traders.find(({ account_id }) => account_id === intent.account_id)!
  }

  #orderOf(order_id: string): SlowOrder {
    return this.#ports.model.orders.find(({ intent }) => intent.order_id === order_id)!
  }
}

/** An order as it is sent. */
type Written = {
  readonly trader: Trader
  readonly terms: Terms
  readonly body: Readonly<Record<string, unknown>>
  /** Microseconds. */
  readonly expires_at: number | null
}

/** Returns the order in the model's form: in the model's own market, whose outcomes are out_yes and out_no. */
function intentOf({ trader, terms: { outcome, ...terms }, expires_at }: Written, order_id: string): OrderIntent {
  return {
    ...terms,
    order_id,
    client_order_id: order_id,
    account_id: trader.account_id,
    market_id: 'mkt_1',
    outcome_id: `out_${outcome}`,
    expires_at,
    maximum_fee: '1000000',
    maximum_notional: '1000000',
    settlement_asset_id: 'asset_usd',
  }
}

function dataOf<T>({ data }: WireAnswer): T {
  return JSON.parse(data ?? 'null') as T
}
