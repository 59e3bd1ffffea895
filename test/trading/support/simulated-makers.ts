import type { EngineState } from '../../../trading/engine/state.ts'
import type { Answer, Submission } from '../../../trading/engine/submission.ts'
import type { OrderIntent } from '../../../trading/order/order-intent.ts'
import { pick } from '../../support/random.ts'
import type { SubmissionMaker } from '../../support/trading/submissions.ts'
import type { SecondCore } from './second-core.ts'
import { codeOf } from './simulated-settlements.ts'

/** Access of a part of a simulated history to both cores. */
export type MakerPorts = {
  readonly random: () => number
  readonly slow: SecondCore
  readonly state: EngineState
  readonly maker: SubmissionMaker
  readonly accounts: readonly string[]
  readonly now: () => number
  readonly terms: (account_id: string) => Partial<OrderIntent>
  readonly submit: (submission: Submission) => Answer[]
  readonly same: (what: string, real: unknown, slow: unknown) => void
}

const SETS = ['near', 'far']
const QUOTES_MAX = 5
const MILLI = 1_000

/** Mass quotes and protections through both cores: ladders that cross themselves, limits that fills reach, freezes. */
export class SimulatedMakers {
  readonly #ports: MakerPorts

  constructor(ports: MakerPorts) {
    this.#ports = ports
  }

  /** @returns number of orders that were asked for */
  quote(): number {
    const { random, accounts, maker, submit, slow, now, same, terms } = this.#ports
    const [account_id, set] = [pick(accounts, random), pick(SETS, random)]
    const orders = Array.from({ length: Math.floor(random() * (QUOTES_MAX + 1)) }, () => ({
      ...terms(account_id),
      ...this.#apart(),
    }))
    const quote = maker.massQuote(account_id, set, orders)
    const [answer] = submit(quote)
    const expected = slow.quote(
      account_id,
      set,
      quote.orders.map(({ intent }) => intent),
      now(),
    )
    const told = answer!.error === null ? itemsOf(answer!) : codeOf(answer!)
    same('mass quote', String(told), String(expected))
    return orders.length
  }

  /** Mostly the two sides of a ladder, which do not meet; else whatever comes, which often does. */
  #apart(): Partial<OrderIntent> {
    const { random } = this.#ports
    if (random() < 0.1) return {}
    const side = pick(['BUY', 'SELL'] as const, random)
    const cents = side === 'BUY' ? 46 + Math.floor(random() * 4) : 50 + Math.floor(random() * 4)
    return { side, outcome_id: 'out_yes', limit_price: `0.${cents}` }
  }

  protect(): void {
    const { random, accounts, maker, submit, slow, now, same } = this.#ports
    const account_id = pick(accounts, random)
    const chance = random()
    if (chance < 0.3) {
      const kind = chance < 0.2 ? 'reset' : 'remove'
      const [answer] = submit(maker.changeProtection(account_id, `${kind}_protection`))
      same(`${kind} of a protection`, codeOf(answer!), slow.protect(account_id, kind, now()))
      return
    }
    const [count, quantity] = [1 + Math.floor(random() * 4), pick([null, null, '0.35', '2'], random)]
    const [window_ms, frozen_ms] = [pick([1_000, 5_000, 600_000], random), pick([1, 1_500, 6_000], random)]
    const limits = { fill_count_max: count, quantity_max: quantity, window_ms, frozen_ms }
    const [answer] = submit(maker.setProtection(account_id, limits))
    const change = { count, quantity: quantity === null ? null : hundredths(quantity) }
    const times = { window: window_ms * MILLI, frozen: frozen_ms * MILLI }
    same('protection', codeOf(answer!), slow.protect(account_id, { ...change, ...times }, now()))
  }

  /** A freeze lasts as long in both cores, and as many limits were reached. */
  compare(): void {
    const { state, accounts, slow, same } = this.#ports
    for (const account_id of accounts) {
      const real = state.accounts.get(account_id)?.protections.get('mkt_1')
      const other = slow.protections.get(account_id)
      same(`protection of ${account_id}`, real?.fill_count_max, other?.count)
      same(`freeze of ${account_id}`, real?.frozen_until ?? 0, other?.frozen_until ?? 0)
    }
  }
}

function itemsOf({ data }: Answer): readonly (string | null)[] {
  const { orders } = JSON.parse(data!) as { readonly orders: readonly { readonly error: { code: string } | null }[] }
  return orders.map(({ error }) => error?.code ?? null)
}

function hundredths(quantity: string): bigint {
  return BigInt(Math.round(Number(quantity) * 100))
}
