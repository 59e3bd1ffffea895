import type { LoadAccount, LoadMarket } from '../../../bench/load/load-world.ts'
import type { OrderToSign } from '../../../protocol/order/order-terms.ts'
import type { Random } from '../../../simulator/world/random.ts'
import type { Intent } from './journal.ts'

type MakerPorts = {
  readonly random: Random
  readonly account: LoadAccount
  readonly markets: readonly LoadMarket[]
  /** Signs an order under new ids. */
  readonly signed: (terms: MakerTerms) => { readonly body: string; readonly client_order_id: string }
}

/** Terms of an order that its caller chooses. */
export type MakerTerms = Pick<OrderToSign, 'market_id' | 'outcome_id' | 'side' | 'limit_price' | 'time_in_force'>

/** A request without the ids of its client. */
export type MakerWrite = Pick<Intent, 'kind' | 'path'> & {
  readonly method: 'POST' | 'PUT'
  readonly body: string
  /** Client ids of the orders of a ladder, in their order. */
  readonly ladder: readonly string[]
}

const SETS = ['near', 'far']
const RUNGS_MAX = 5
const MIDDLE = 50
/** Low limits, so that protections are triggered; freezes are short, or their markets would trade no more. */
const FILLS_MAX = 4
const WINDOW_MS = [1_000, 60_000] as const
const FROZEN_MS = [50, 1_000] as const
/** Some switches are due while nobody is there to renew them. */
const SWITCH_MS = [5_000, 9_000] as const

/** Requests of a market maker beside orders: ladders, protections, and a dead-man's switch. */
export class MakerWrites {
  readonly #ports: MakerPorts

  constructor(ports: MakerPorts) {
    this.#ports = ports
  }

  next(): MakerWrite {
    const chance = this.#ports.random.below(10)
    if (chance < 6) return this.#quote()
    if (chance < 8) return this.#protect()
    return chance < 9 ? this.#reset() : this.#switch()
  }

  /** Bids and offers of one outcome that do not meet each other, but meet what others place. Sometimes none, which ends the ladder. */
  #quote(): MakerWrite {
    const { random, signed } = this.#ports
    const { market_id, outcome_ids } = this.#market()
    const outcome_id = outcome_ids[0]!
    const rungs = random.chance(100_000) ? 0 : random.between(1, RUNGS_MAX)
    const orders = Array.from({ length: rungs }, (_, rung) =>
      (['BUY', 'SELL'] as const).map((side) => {
        const price = MIDDLE + (side === 'BUY' ? -1 : 1) * (rung + random.between(0, 1)) + (side === 'BUY' ? 0 : 2)
        return signed({ market_id, outcome_id, side, limit_price: `0.${price}`, time_in_force: 'GTC' })
      }),
    ).flat()
    const quote_set_id = SETS[random.below(SETS.length)]!
    const body = `{"market_id":"${market_id}","quote_set_id":"${quote_set_id}","orders":[${orders.map((order) => order.body).join()}]}`
    const ladder = orders.map(({ client_order_id }) => client_order_id)
    return { kind: 'quote', method: 'POST', path: '/v1/orders/mass-quote', body, ladder }
  }

  #protect(): MakerWrite {
    const { random } = this.#ports
    const limits = {
      fill_count_max: random.between(1, FILLS_MAX),
      quantity_max: random.chance(500_000) ? `${random.between(5, 60)}.00` : null,
      window_ms: random.between(...WINDOW_MS),
      frozen_ms: random.between(...FROZEN_MS),
    }
    return { kind: 'protect', method: 'PUT', path: this.#protection(), body: JSON.stringify(limits), ladder: [] }
  }

  #reset(): MakerWrite {
    return { kind: 'reset', method: 'POST', path: `${this.#protection()}/reset`, body: '{}', ladder: [] }
  }

  #switch(): MakerWrite {
    const { random } = this.#ports
    const timeout_ms = random.chance(300_000) ? 0 : random.between(...SWITCH_MS)
    const body = JSON.stringify({ timeout_ms })
    return { kind: 'switch', method: 'PUT', path: '/v1/account/cancel-after', body, ladder: [] }
  }

  #protection(): string {
    return `/v1/account/market-maker-protections/${this.#market().market_id}`
  }

  #market(): LoadMarket {
    const { random, markets } = this.#ports
    return markets[random.below(markets.length)]!
  }
}
