import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../../primitives/errors.ts'
import type { SettlementInstruction } from '../../../trading/engine/settlement-commands.ts'
import { type RailAnswer, railAnswer, type SettlementRail } from '../../../trading/settlement/settlement-rail.ts'
import { type FaultRates, faultOf, type RailFault } from './fault-plan.ts'
import type { RailRecord, RailTransfer } from './rail-record.ts'

export type FaultRailOptions = {
  readonly seed: string
  readonly rates: FaultRates
  /** Executed settlements; outlives this process. */
  readonly record: RailRecord
  readonly now_ms: () => number
  readonly finality_ms?: number
  /** Delay of a `late` confirmation, in milliseconds. */
  readonly late_ms?: number
  /** From this attempt on a settlement that was rejected, or whose asset did not match, is executed: somebody has looked at it. */
  readonly mended_from_attempt?: number
}

type Settled = { readonly answers: readonly RailAnswer[]; readonly silent: boolean }

/**
 * A rail that fails as a seed decides, and keeps what it executed: time-outs before and after the execution, refusals, answers that
 * come twice or late. What its record marks as taken back it tells as reversed. Idempotent by settlement_id, like every rail.
 */
export function faultRail(options: FaultRailOptions): SettlementRail {
  const { record, finality_ms = 5_000 } = options
  const statusOf = async (settlement_id: string) => {
    const transfer = await record.find(settlement_id)
    return transfer === null ? railAnswer(settlement_id, 'unknown') : statusOfTransfer(transfer, options)
  }
  return {
    name: 'fault_injecting',
    finality_ms,
    submit: async (instructions, signal) => {
      const settled = await Promise.all(instructions.map((instruction) => settle(instruction, options)))
      if (settled.length > 0 && settled.every(({ silent }) => silent)) await silence(signal)
      return settled.flatMap(({ answers }) => answers)
    },
    statusOf: (settlement_ids) => Promise.all(settlement_ids.map(statusOf)),
    reversals: async () => Promise.all((await record.takenBack()).map(statusOf)),
  }
}

const SILENCE_MS = 200

/** The caller waits, and learns nothing. */
async function silence(signal: AbortSignal): Promise<never> {
  await sleep(SILENCE_MS, undefined, { signal }).catch(() => undefined)
  throw new ServiceError('SERVICE_UNAVAILABLE', 'the rail did not answer in time')
}

async function settle(instruction: SettlementInstruction, options: FaultRailOptions): Promise<Settled> {
  const { settlement_id, attempt_number } = instruction
  const known = await options.record.find(settlement_id)
  if (known !== null) return told(await statusOfTransfer(known, options))
  const fault = faultOf(options.seed, options.rates, instruction)
  const refused = refusalOf(fault, instruction, options.mended_from_attempt ?? 2)
  if (refused !== null) return told(refused)
  if (fault === 'lost' && attempt_number === 1) return { answers: [], silent: true }
  const answer = await statusOfTransfer(await execute(instruction, fault, options), options)
  if (fault === 'lost_answer') return { answers: [], silent: true }
  return { answers: fault === 'duplicate' ? [answer, answer] : [answer], silent: false }
}

function told(answer: RailAnswer): Settled {
  return { answers: [answer], silent: false }
}

function refusalOf(fault: RailFault, instruction: SettlementInstruction, mended_from: number): RailAnswer | null {
  const { settlement_id, attempt_id, attempt_number, asset_id } = instruction
  const rail_response_reference = `fault/${attempt_id}`
  if (fault === 'unavailable' && attempt_number === 1) {
    return railAnswer(settlement_id, 'unavailable', {
      message: 'the rail is closed for a moment',
      rail_response_reference,
    })
  }
  if (attempt_number >= mended_from) return null
  if (fault === 'rejected') {
    const failure_code = 'SETTLEMENT_SUBMISSION_REJECTED'
    const message = 'the rail does not take this transfer'
    return railAnswer(settlement_id, 'rejected', { failure_code, message, rail_response_reference })
  }
  if (fault !== 'asset_mismatch') return null
  const message = `the rail does not know ${asset_id}`
  return railAnswer(settlement_id, 'rejected', {
    failure_code: 'SETTLEMENT_ASSET_MISMATCH',
    message,
    rail_response_reference,
  })
}

/** The reference names the attempt that it was executed under: one that is executed again would have another. */
function execute(
  { settlement_id, attempt_id }: SettlementInstruction,
  fault: RailFault,
  options: FaultRailOptions,
): Promise<RailTransfer> {
  const { record, now_ms, late_ms = 500 } = options
  const executed_at_ms = now_ms()
  return record.execute({
    settlement_id,
    external_reference: `fault/${attempt_id}`,
    executed_at_ms,
    final_at_ms: executed_at_ms + (fault === 'late' ? late_ms : 0),
  })
}

async function statusOfTransfer(
  { settlement_id, external_reference, final_at_ms }: RailTransfer,
  { record, now_ms }: FaultRailOptions,
): Promise<RailAnswer> {
  const reference = { external_reference, rail_response_reference: external_reference }
  if (await record.isTakenBack(settlement_id)) {
    return railAnswer(settlement_id, 'reversed', { ...reference, message: 'the rail took the transfer back' })
  }
  return railAnswer(settlement_id, now_ms() < final_at_ms ? 'accepted' : 'confirmed', reference)
}
