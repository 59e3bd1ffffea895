import { toScaled } from '../../../primitives/scaled.ts'
import { SlowCore } from '../../../test/trading/support/slow-core.ts'
import type { CommandOf, ModelCommand, RunRules } from './commands.ts'
import { ModelActs } from './model-acts.ts'
import { ModelOrders } from './model-orders.ts'
import { type ModelPorts, recent } from './model-ports.ts'
import { modelReads } from './model-reads.ts'
import { type ModelService, type ModelWorld, type Trader, traderOf } from './model-world.ts'
import { same } from './same.ts'

/** Everything is compared after so many commands, and at the end. */
const COMPARED_EVERY = 6

/** Answers to an account's reads as of an instant. */
type Look = { readonly trader: Trader; readonly as_of: string; readonly balances: string; readonly positions: string }

/** One history of commands through the API and through the model: what they are told must be the same. */
export class ModelRun {
  readonly #ports: ModelPorts
  readonly #orders: ModelOrders
  readonly #acts: ModelActs
  readonly #looks: Look[] = []
  #done = 0
  #looked_back = 0

  constructor(service: ModelService, world: ModelWorld, rules: RunRules) {
    let made = 0
    const next = () => {
      made += 1
      return made
    }
    const reads = modelReads(service, world)
    this.#ports = { service, world, reads, model: modelOf(world, rules), rejected: new Map(), next }
    this.#orders = new ModelOrders(this.#ports)
    this.#acts = new ModelActs(this.#ports)
  }

  get counts() {
    const { model, rejected } = this.#ports
    const [orders, fills] = [model.orders.length, model.fills.length]
    return { orders, rejected: rejected.size, fills, looked_back: this.#looked_back }
  }

  /** @throws {InvariantError} the first difference between what is told and what the model says */
  async do(command: ModelCommand): Promise<void> {
    await this.#act(command)
    this.#done += 1
    if (this.#done % COMPARED_EVERY === 0) await this.compare()
  }

  /** Everything that an account is shown, of each of them. */
  async compare(): Promise<void> {
    const { world, reads } = this.#ports
    for (const trader of world.traders) await reads.compare(trader, this.#ports)
  }

  #act(command: ModelCommand): Promise<void> {
    const { world, reads } = this.#ports
    switch (command.kind) {
      case 'place':
        return this.#orders.place(traderOf(world, command), command.terms, command.again)
      case 'preview':
        return this.#orders.preview(traderOf(world, command), command.terms)
      case 'batch':
        return this.#orders.batch(traderOf(world, command), command)
      case 'amend':
        return this.#orders.amend(command)
      case 'cancel':
        return this.#orders.cancel(command)
      case 'cancel_all':
        return this.#orders.cancelAll(traderOf(world, command), command)
      case 'pause':
      case 'open':
        return this.#acts.move(command.kind === 'pause' ? 'paused' : 'open')
      case 'settle':
        return this.#acts.settle(command)
      case 'bust':
        return this.#acts.bust(command)
      case 'deposit':
      case 'withdraw':
        return this.#acts.moveMoney(traderOf(world, command), command)
      case 'list_orders':
        return reads.compareOrderList(traderOf(world, command), this.#ports, command)
      case 'list_fills':
        return reads.compareFillList(traderOf(world, command), this.#ports, command.limit)
      case 'look':
        return this.#look(traderOf(world, command))
      case 'look_back':
        return this.#lookBack(command)
    }
  }

  async #look(trader: Trader): Promise<void> {
    const { as_of, balances, positions } = await this.#ports.reads.shown(trader, null)
    this.#looks.push({ trader, as_of: as_of!, balances, positions })
    await this.#ports.reads.compare(trader, this.#ports)
  }

  /** Repeats an earlier read as of its instant; the answer must not have changed. */
  async #lookBack({ look: back }: CommandOf<'look_back'>): Promise<void> {
    const look = recent(this.#looks, back)
    if (look === undefined) return
    const { balances, positions } = await this.#ports.reads.shown(look.trader, look.as_of)
    same(`balances as of ${look.as_of}`, balances, look.balances)
    same(`positions as of ${look.as_of}`, positions, look.positions)
    this.#looked_back += 1
  }
}

function modelOf(
  { traders }: ModelWorld,
  { taker_rate, maker_rate, shorting, crossing, limit, open_orders, deposit }: RunRules,
): SlowCore {
  const model = new SlowCore({
    taker_rate: toScaled(taker_rate, 4),
    maker_rate: toScaled(maker_rate, 4),
    shorting,
    crossing,
    limit: limit === null ? null : toScaled(limit, 2),
    open_orders,
  })
  for (const { account_id } of traders) model.deposits.set(account_id, toScaled(deposit, 6))
  return model
}
