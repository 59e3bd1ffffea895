import { fromScaled } from '../../../primitives/scaled.ts'
import { type PaidBefore, positionKey } from '../../../trading/engine/facts.ts'
import type { OutcomePayout, PaidResolution } from '../../../trading/engine/settlement-commands.ts'
import { pick } from '../../support/random.ts'
import { bustCommand } from '../../support/trading/bust-command.ts'
import { codeOf, dataOf, SimulatedSettlements, type SimulationPorts } from './simulated-settlements.ts'
import type { SlowPayment } from './slow-records.ts'
import type { SlowResolution } from './slow-settlement.ts'

const RESOLVING = { evidence: [], resolver: { kind: 'operator', resolver_id: null } } as const
const CORRECTIONS_MAX = 3
const REFUSED = 'VALIDATION_USAGE_INVALID'

/**
 * The end of a simulated market in both cores: proposed, disputed or not, final; then payouts, attempts, failures, reversals, busts,
 * withdrawals and corrections as they come, and at last everything settled and paid.
 */
export class SimulatedEnd {
  readonly #ports: SimulationPorts
  readonly #accounts: readonly string[]
  readonly #settlements: SimulatedSettlements
  readonly #steps: number
  #taken = 0
  #resolution: SlowResolution | null = null
  /** Proposals before it that were withdrawn. */
  #withdrawn = 0

  constructor(ports: SimulationPorts, accounts: readonly string[]) {
    this.#ports = ports
    this.#accounts = accounts
    this.#settlements = new SimulatedSettlements(ports)
    this.#steps = 15 + Math.floor(ports.random() * 30)
  }

  /** @returns whether there is more */
  next(): boolean {
    if (this.#resolution === null) this.#resolve()
    else if (this.#taken < this.#steps) this.#step(this.#resolution)
    else {
      this.#settleAll(this.#resolution)
      return false
    }
    this.#taken += 1
    return true
  }

  #resolve(): void {
    const { operate, slow, now, random, same } = this.#ports
    const [written, payouts] = this.#payouts()
    const resolution_id = `res_${this.#withdrawn + 1}`
    const proposal = { market_id: 'mkt_1', verdict: 'resolved', payouts: written, dispute_window_ms: 60_000 } as const
    const [proposed] = operate({ kind: 'propose_resolution', resolution_id, ...proposal, ...RESOLVING })
    same('proposal', codeOf(proposed!), null)
    if (this.#withdrawn === 0) slow.close(now())
    if (random() < 0.5 && this.#isUpheld(resolution_id)) {
      this.#withdrawn += 1
      return
    }
    let final = codeOf(operate({ kind: 'finalize_resolution', resolution_id })[0]!)
    same('finalization before the window has ended', final, REFUSED)
    for (let second = 0; final !== null && second < 70; second += 1) {
      final = codeOf(operate({ kind: 'finalize_resolution', resolution_id })[0]!)
    }
    same('finalization', final, null)
    this.#resolution = { revision: this.#withdrawn + 1, payouts }
  }

  #isUpheld(resolution_id: string): boolean {
    const { operate, random, same } = this.#ports
    const upheld = random() < 0.5 && this.#withdrawn < 2
    const dispute_id = `dsp_${resolution_id}`
    const answers = operate(
      { kind: 'dispute_resolution', resolution_id, dispute_id, filer: 'acct_a', basis: 'simulated' },
      { kind: 'decide_dispute', resolution_id, dispute_id, upheld, decision: 'simulated' },
    )
    same('dispute', answers.map(codeOf).join(), ',')
    return upheld
  }

  #step(resolution: SlowResolution): void {
    const { slow, random } = this.#ports
    const chance = random()
    const place = Math.floor(random() * slow.fills.length)
    if (slow.sets.length > 0 && chance < 0.08) this.#settlements.stepSet(Math.floor(random() * slow.sets.length))
    else if (chance < 0.35) this.#settlements.step(place)
    else if (chance < 0.6) this.#movePayment(Math.floor(random() * slow.payments.length))
    else if (chance < 0.75) this.#pay(resolution)
    else if (chance < 0.82) this.#bust(place)
    else if (chance < 0.92) this.#withdraw(pick(this.#accounts, random), random() < 0.5)
    else if (resolution.revision - this.#withdrawn <= CORRECTIONS_MAX) this.#correct(resolution)
  }

  #pay(resolution: SlowResolution, is_whole = false): boolean {
    const { operate, slow, now, same, facts } = this.#ports
    const resolution_id = `res_${resolution.revision}`
    facts.paid_before.set(resolution_id, { positions: this.#paidBefore(resolution_id), is_whole: true })
    const portion = this.#portion(is_whole)
    const before = this.#ports.payouts.length
    const [answer] = operate({ kind: 'pay_resolution', resolution_id, limit: portion ?? 100 })
    slow.expire(now())
    const { paid, waiting, done } = dataOf<PaidResolution>(answer!)
    // Which positions a portion pays is the core's choice.
    const rows = this.#ports.payouts.slice(before)
    const named = new Set(rows.map(({ account_id, outcome_id }) => `${account_id} ${outcome_id}`))
    const expected = slow.pay(this.#accounts, resolution, portion === null ? undefined : named)
    const is_done = expected.waiting === 0 && expected.left === 0
    same('payment', `${paid} ${waiting} ${done}`, `${expected.paid} ${expected.waiting} ${is_done}`)
    if (portion !== null) same('portion', paid === portion || expected.left === 0, true)
    return done
  }

  /** Greatest number of positions to pay at once; null: all. */
  #portion(is_whole: boolean): number | null {
    const { slow, random } = this.#ports
    return is_whole || slow.sets.length === 0 || random() < 0.5 ? null : 1 + Math.floor(random() * 3)
  }

  /** Returns the amounts already paid, as the database would find them. */
  #paidBefore(resolution_id: string): Map<string, PaidBefore> {
    const { payouts } = this.#ports
    const sums = new Map<string, PaidBefore>()
    for (const { account_id, outcome_id, net_quantity, amount } of payouts) {
      const key = positionKey(account_id, outcome_id)
      sums.set(key, { account_id, outcome_id, net_quantity, amount: (sums.get(key)?.amount ?? 0) + amount })
    }
    for (const row of payouts) {
      if (row.resolution_id === resolution_id) sums.delete(positionKey(row.account_id, row.outcome_id))
    }
    return sums
  }

  #movePayment(place: number): void {
    const payment = this.#ports.slow.payments[place]
    const settlement_id = payment === undefined ? null : this.#settlementOf(payment)
    if (settlement_id !== null) this.#settlements.move(payment!, settlement_id)
  }

  /** null: nothing was to be moved. */
  #settlementOf({ account_id, outcome_id, revision }: SlowPayment): string | null {
    const resolution_id = `res_${revision}`
    const row = this.#ports.payouts.find(
      (paid) =>
        paid.resolution_id === resolution_id && paid.account_id === account_id && paid.outcome_id === outcome_id,
    )
    return row?.settlement_id ?? null
  }

  /** Busts a fill; the core refuses it once a resolution has paid the position, and while a rail works on the settlement. */
  #bust(place: number): void {
    const { slow, operate, now, same, fill } = this.#ports
    const slow_fill = slow.fills[place]
    if (slow_fill === undefined || slow_fill.busted) return
    const refused = slow_fill.state === 'submitted' || slow.isPaid(slow_fill)
    const [answer] = operate(bustCommand(fill(place).fill_id))
    same('bust at the end', codeOf(answer!), refused ? REFUSED : null)
    if (refused) slow.expire(now())
    else slow.bust(slow_fill, now())
  }

  #withdraw(account_id: string, is_all: boolean): void {
    const { slow, operate, now, same } = this.#ports
    const available = slow.available(account_id)
    const part = is_all ? available : available / 2n
    if (part === 0n) return
    const amount = fromScaled(part, 6)
    const transfer_id = `tr_${account_id}_${this.#taken}`
    const [answer] = operate({ kind: 'withdraw', transfer_id, account_id, asset_id: 'asset_usd', amount })
    same('withdrawal', codeOf(answer!), null)
    slow.expire(now())
    slow.deposits.set(account_id, slow.deposits.get(account_id)! - part)
  }

  #correct({ revision }: SlowResolution): void {
    const { slow, operate, now, same, random } = this.#ports
    if (random() < 0.5) for (const account_id of this.#accounts) this.#withdraw(account_id, true)
    const [written, payouts] = this.#payouts()
    const [answer] = operate({
      kind: 'correct_resolution',
      resolution_id: `res_${revision + 1}`,
      supersedes_id: `res_${revision}`,
      payouts: written,
      correction_reason: 'simulated',
      approved_by: 'second',
      ...RESOLVING,
    })
    same('correction', codeOf(answer!), null)
    slow.expire(now())
    this.#resolution = { revision: revision + 1, payouts }
  }

  /** Trades that a rail took back are undone or stay; all others settle; everybody is paid. */
  #settleAll(resolution: SlowResolution): void {
    const { slow, fill, same } = this.#ports
    for (const [place, { state }] of slow.fills.entries()) {
      if (state === 'reversed') this.#bust(place)
      else if (state !== 'confirmed') this.#settlements.settle(slow.fills[place]!, fill(place).settlement_id)
    }
    for (const [place, set] of slow.sets.entries()) {
      if (set.state !== 'confirmed') this.#settlements.settle(set, this.#ports.set(place))
    }
    const done = this.#pay(this.#correctBetweenPortions(resolution), true)
    for (const payment of slow.payments) {
      const settlement_id = this.#settlementOf(payment)
      if (payment.state !== 'confirmed' && settlement_id !== null) this.#settlements.settle(payment, settlement_id)
    }
    if (!done) return
    const held = this.#accounts.filter((account_id) =>
      ['out_yes', 'out_no'].some((outcome_id) => slow.net(account_id, outcome_id) !== 0n),
    )
    same('who holds something at the end', held.join(), '')
  }

  /** On one ladder, some positions are paid before a correction and some after it. */
  #correctBetweenPortions(resolution: SlowResolution): SlowResolution {
    const { slow, random } = this.#ports
    if (slow.sets.length === 0 || random() < 0.5) return resolution
    this.#pay(resolution)
    this.#correct(resolution)
    return this.#resolution!
  }

  #payouts(): [OutcomePayout[], Record<string, bigint>] {
    const yes = pick([10_000, 0, 5_000, 3_725, 10_000, 0], this.#ports.random)
    const text = (units: number) => fromScaled(BigInt(units), 4)
    const written = [
      { outcome_id: 'out_yes', payout: text(yes) },
      { outcome_id: 'out_no', payout: text(10_000 - yes) },
    ]
    return [written, { out_yes: BigInt(yes), out_no: BigInt(10_000 - yes) }]
  }
}
