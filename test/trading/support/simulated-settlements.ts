import type { Facts } from '../../../trading/engine/facts.ts'
import type { ConcludedSettlements, SubmittedSettlements } from '../../../trading/engine/settlement-commands.ts'
import type { Answer, OperatorCommand } from '../../../trading/engine/submission.ts'
import type { FillRow, PayoutRow } from '../../../trading/projections/rows.ts'
import { concluding, submitting } from '../../support/trading/settling.ts'
import type { SecondCore } from './second-core.ts'
import type { SecondFill, SlowMoving } from './slow-records.ts'
import { slowConclude, slowReverse, slowSubmit } from './slow-settlement.ts'

/** Access that a part of a simulated history has to the whole. */
export type SimulationPorts = {
  readonly random: () => number
  readonly slow: SecondCore
  readonly facts: Facts
  readonly payouts: readonly PayoutRow[]
  readonly now: () => number
  /** The n-th fill of the core. */
  readonly fill: (place: number) => FillRow
  /** Settlement of the pool's n-th record. */
  readonly set: (place: number) => string
  /** One batch. */
  readonly operate: (...commands: readonly OperatorCommand[]) => Answer[]
  /** Notes a difference between the cores. */
  readonly same: (what: string, real: unknown, slow: unknown) => void
}

/** Attempts of settlements through both cores: some fail, some are told twice, some are taken back. */
export class SimulatedSettlements {
  readonly #ports: SimulationPorts

  constructor(ports: SimulationPorts) {
    this.#ports = ports
  }

  /** Something that a rail may do with the n-th fill, allowed or not. */
  step(place: number): void {
    const fill = this.#ports.slow.fills[place]
    if (fill === undefined) return
    const { settlement_id } = this.#ports.fill(place)
    const wanted = fill.state === 'confirmed' ? 0.5 : 0.05
    if (this.#ports.random() < wanted) this.#reverse(fill, settlement_id)
    else this.move(fill, settlement_id)
  }

  /** The same for the n-th record of the pool, which nobody may reverse. */
  stepSet(place: number): void {
    const set = this.#ports.slow.sets[place]
    if (set !== undefined) this.move(set, this.#ports.set(place))
  }

  /** Begins, ends or both, allowed or not. */
  move(moving: SlowMoving, settlement_id: string): void {
    const { random } = this.#ports
    if (random() < 0.7) this.#submit(moving, settlement_id)
    if (random() < 0.75) this.#conclude(moving, settlement_id, random() < 0.7 ? 'confirmed' : 'failed')
  }

  /** To its end. */
  settle(moving: SlowMoving, settlement_id: string): void {
    if (moving.state !== 'submitted') this.#submit(moving, settlement_id)
    this.#conclude(moving, settlement_id, 'confirmed')
  }

  #submit(moving: SlowMoving, settlement_id: string): void {
    const { operate, slow, now, same } = this.#ports
    const [answer] = operate(submitting([settlement_id], this.#attempts(settlement_id) + 1))
    slow.expire(now())
    const { attempts } = dataOf<SubmittedSettlements>(answer!)
    same(`submission of ${settlement_id}`, attempts[0]!.result === 'submitted', slowSubmit(moving))
  }

  #conclude(moving: SlowMoving, settlement_id: string, result: 'confirmed' | 'failed'): void {
    const { operate, slow, now, same, random } = this.#ports
    const command = concluding([settlement_id], result, Math.max(this.#attempts(settlement_id), 1))
    // A rail may say the same twice.
    const [answer] = operate(...(random() < 0.2 ? [command, command] : [command]))
    slow.expire(now())
    const { settlements } = dataOf<ConcludedSettlements>(answer!)
    same(`conclusion of ${settlement_id}`, settlements[0]!.applied, slowConclude(moving, result))
  }

  #reverse(fill: SecondFill, settlement_id: string): void {
    const { operate, slow, now, same } = this.#ports
    const [answer] = operate({
      kind: 'reverse_settlement',
      reversal_id: `rev_${settlement_id}`,
      settlement_id,
      reason_code: 'SETTLEMENT_REVERSED',
      rationale: 'simulated',
      evidence: [],
      approved_by: 'second',
    })
    same(`reversal of ${settlement_id}`, codeOf(answer!) === null, slowReverse(slow, fill, now()))
  }

  #attempts(settlement_id: string): number {
    return this.#ports.facts.settlements.get(settlement_id)!.attempt_count
  }
}

export function codeOf({ error }: Answer): string | null {
  return error?.code ?? null
}

export function dataOf<D>({ data }: Answer): D {
  return JSON.parse(data!) as D
}
