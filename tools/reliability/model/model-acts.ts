import { setTimeout as sleep } from 'node:timers/promises'
import { invariant, isServiceError } from '../../../primitives/errors.ts'
import { toScaled } from '../../../primitives/scaled.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { bustCommand } from '../../../test/support/trading/bust-command.ts'
import { concluding, submitting } from '../../../test/support/trading/settling.ts'
import type { SlowFill, SlowState } from '../../../test/trading/support/slow-records.ts'
import { slowConclude, slowReverse, slowSubmit } from '../../../test/trading/support/slow-settlement.ts'
import type { ConcludedSettlements, SubmittedSettlements } from '../../../trading/engine/settlement-commands.ts'
import type { OperatorCommand } from '../../../trading/engine/submission.ts'
import type { CommandOf } from './commands.ts'
import { type ModelPorts, recent } from './model-ports.ts'
import type { Trader } from './model-world.ts'
import { same } from './same.ts'

const PAUSED_WITHIN_MS = 120_000
const LOOK_MS = 10

/** The states of a settlement that an act moves on. */
const MOVES: Readonly<Record<CommandOf<'settle'>['act'], readonly SlowState[]>> = {
  submit: ['pending', 'failed'],
  confirm: ['submitted'],
  fail: ['submitted'],
  reverse: ['confirmed'],
}

/** Performs operators' acts through both engine and model. Each method throws InvariantError on a difference. */
export class ModelActs {
  readonly #ports: ModelPorts
  /** Attempts that were begun, by settlement_id. */
  readonly #attempts = new Map<string, number>()

  constructor(ports: ModelPorts) {
    this.#ports = ports
  }

  /** Moves the market to another status. Orders that a pause cancels are canceled soon after it, not at once. */
  async move(to: 'paused' | 'open'): Promise<void> {
    if (to === this.#ports.model.status) return
    await this.#act({ kind: 'move_market', market_id: this.#ports.world.market_id, to })
    this.#ports.model.move(to, wallClock())
    if (to === 'open') return
    const end = performance.now() + PAUSED_WITHIN_MS
    while ((await Promise.all(this.#ports.world.traders.map(this.#ports.reads.pausing))).some((waiting) => waiting)) {
      invariant(performance.now() < end, `what a pause cancels is canceled within ${PAUSED_WITHIN_MS} ms`)
      await sleep(LOOK_MS)
    }
    this.#ports.model.expire(wallClock())
  }

  async settle({ fill: back, act }: CommandOf<'settle'>): Promise<void> {
    const fill = this.#settling(back, act)
    if (fill === undefined) return
    const { settlement_id } = await this.#ports.reads.fillOf(fill, this.#ports)
    if (act === 'reverse') return this.#reverse(fill, settlement_id)
    const begun = this.#attempts.get(settlement_id) ?? 0
    if (act === 'submit') {
      const { attempts } = (await this.#act(submitting([settlement_id], begun + 1))) as SubmittedSettlements
      const began = slowSubmit(fill)
      if (began) this.#attempts.set(settlement_id, begun + 1)
      return same('submission', attempts[0]!.result === 'submitted', began)
    }
    const result = act === 'confirm' ? 'confirmed' : 'failed'
    const answer = await this.#act(concluding([settlement_id], result, Math.max(begun, 1)))
    same('conclusion', (answer as ConcludedSettlements).settlements[0]!.applied, slowConclude(fill, result))
  }

  /** Mostly one that the act moves: a reversal takes three acts on the same fill, which chance alone hardly ever gives. */
  #settling(back: number, act: CommandOf<'settle'>['act']): SlowFill | undefined {
    const { fills } = this.#ports.model
    const moved = fills.filter(({ busted, state }) => !busted && MOVES[act].includes(state))
    return recent(moved.length > 0 && back % 4 !== 0 ? moved : fills, back)
  }

  async #reverse(fill: SlowFill, settlement_id: string): Promise<void> {
    const refused = await this.#refusalOf({
      kind: 'reverse_settlement',
      reversal_id: `rev_${settlement_id}_${this.#ports.next()}`,
      settlement_id,
      reason_code: 'SETTLEMENT_REVERSED',
      rationale: 'model',
      evidence: [],
      approved_by: 'second',
    })
    same('reversal', refused === null, slowReverse(this.#ports.model, fill, wallClock()))
  }

  async bust({ fill: back }: CommandOf<'bust'>): Promise<void> {
    const fill = recent(this.#ports.model.fills, back)
    if (fill === undefined || fill.busted) return
    const { fill_id } = await this.#ports.reads.fillOf(fill, this.#ports)
    const refused = await this.#refusalOf(bustCommand(fill_id))
    same('bust', refused !== null, fill.state === 'submitted')
    if (refused === null) this.#ports.model.bust(fill, wallClock())
  }

  async moveMoney({ account_id }: Trader, { kind, amount }: CommandOf<'deposit' | 'withdraw'>): Promise<void> {
    const transfer_id = `xfer_${account_id}_${this.#ports.next()}`
    const refused = await this.#refusalOf({ kind, transfer_id, account_id, asset_id: 'asset_usd', amount })
    const units = toScaled(amount, 6) * (kind === 'deposit' ? 1n : -1n)
    const is_covered = this.#ports.model.available(account_id) + units >= 0n || units > 0n
    same(kind, refused === null, is_covered)
    if (is_covered) this.#ports.model.deposits.set(account_id, this.#ports.model.deposits.get(account_id)! + units)
  }

  #act(command: OperatorCommand): Promise<unknown> {
    return this.#ports.service.served.act(command)
  }

  async #refusalOf(command: OperatorCommand): Promise<string | null> {
    try {
      await this.#act(command)
      return null
    } catch (error) {
      if (isServiceError(error, 'VALIDATION_USAGE_INVALID')) return error.code
      throw error
    }
  }
}
