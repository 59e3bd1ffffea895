import { isServiceError } from '../../primitives/errors.ts'
import { deriveId } from '../../primitives/ids.ts'
import type { PaidResolution } from '../../trading/engine/settlement-commands.ts'
import type { OpenResolution } from '../../trading/store/settlement/settlement-work.ts'
import { act, type SettlementPorts } from './settlement-ports.ts'

/**
 * State of a resolution's settlement:
 * - window: open to dispute until its window ends
 * - disputed: until a dispute is decided
 * - paying: final, positions are being paid
 * - held: final, the remaining positions wait for settlements of their trades
 * - ended: paid out, or withdrawn
 */
export type ResolutionState = 'window' | 'disputed' | 'paying' | 'held' | 'ended'

export type ResolutionProgress = {
  readonly state: ResolutionState
  /** Time until the next look; null: nothing is left to do. */
  readonly wait_ms: number | null
  /** Settlements that hold payouts up, as the step before found them. */
  readonly unconfirmed: number | null
}

export type ResolutionOf = { readonly resolution_id: string; readonly unconfirmed: number | null }

const DISPUTE_LOOK_MS = 10_000
const HELD_LOOK_MS = 1_000
const REFUSED_LOOK_MS = 5_000
/** No timer is longer: the engine's clock decides, not ours. */
const WINDOW_LOOK_MAX_MS = 3_600_000
const PORTIONS_MAX = 50
const ACTOR = 'workflow:resolution'
const ENDED: ResolutionProgress = { state: 'ended', wait_ms: null, unconfirmed: null }

/**
 * Takes a resolution as far as it goes now: finalizes it after its window, pays what can be paid. Can be done again at any time, by
 * whomever.
 * @param of what the step before found of settlements: where that is still so, nothing can be paid, and the engine is not asked
 * @throws {ServiceError} no engine answers
 */
export async function resolutionStep(of: ResolutionOf, ports: SettlementPorts): Promise<ResolutionProgress> {
  const [row] = await ports.work.openResolutions(of.resolution_id)
  if (row === undefined) return ENDED
  try {
    return await stepOf(row, of, ports)
  } catch (error) {
    // The engine's clock is behind ours, or a dispute was filed first: read the state again.
    if (!isServiceError(error, 'VALIDATION_USAGE_INVALID')) throw error
    ports.on_problem(error)
    return { state: row.finality === 'final' ? 'paying' : 'window', wait_ms: REFUSED_LOOK_MS, unconfirmed: null }
  }
}

async function stepOf(row: OpenResolution, of: ResolutionOf, ports: SettlementPorts): Promise<ResolutionProgress> {
  const { resolution_id, finality, dispute_window_ends_at } = row
  if (finality === 'disputed') return { state: 'disputed', wait_ms: DISPUTE_LOOK_MS, unconfirmed: null }
  if (finality === 'final') return pay(row, of, ports)
  const left_ms = Math.ceil((dispute_window_ends_at - ports.now()) / 1_000)
  if (left_ms >= 0) {
    return { state: 'window', wait_ms: Math.min(left_ms + 1, WINDOW_LOOK_MAX_MS), unconfirmed: null }
  }
  await ports.reached?.('before-finalize')
  const act_id = deriveId('act', 'finalize_resolution', resolution_id)
  const by = { act_id, actor: ACTOR, reason: 'the dispute window has ended' }
  await act(ports, by, { kind: 'finalize_resolution', resolution_id })
  await ports.reached?.('after-finalize')
  return { state: 'paying', wait_ms: 0, unconfirmed: null }
}

/** One act per portion. The engine decides what a portion pays, so a repeated act pays nothing twice. */
async function pay(row: OpenResolution, of: ResolutionOf, ports: SettlementPorts): Promise<ResolutionProgress> {
  const { resolution_id, unconfirmed, engine_sequence } = row
  const held = { state: 'held', wait_ms: HELD_LOOK_MS, unconfirmed } as const
  if (unconfirmed > 0 && of.unconfirmed === unconfirmed) return held
  for (let portion = 0; portion < PORTIONS_MAX && !ports.signal.aborted; portion += 1) {
    const act_id = deriveId('act', 'pay_resolution', resolution_id, engine_sequence, ports.now(), portion)
    const by = { act_id, actor: ACTOR, reason: 'payout of a final resolution' }
    const command = { kind: 'pay_resolution', resolution_id, limit: ports.policy.payouts_max } as const
    const paid = (await act(ports, by, command)) as Partial<PaidResolution>
    await ports.reached?.('after-pay')
    if (paid.done === true) return ENDED
    // The answer to a repeated act may lack it: the next step reads what is left.
    if (paid.paid === 0) return held
    if (paid.paid === undefined) break
  }
  return { state: 'paying', wait_ms: 0, unconfirmed: null }
}
