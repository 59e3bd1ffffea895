import { approvedAdoption } from '../../pipelines/governance/index-change.ts'
import { awaitsVotes } from '../../pipelines/governance/late-revision.ts'
import type { GovernanceState } from '../../pipelines/governance/proposal.ts'
import { isCorrectionReason } from '../../pipelines/index/correction.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Instant } from '../../primitives/instants.ts'
import { CORRECTION_REASONS, type CorrectionReason } from '../../vocabulary/index-level.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { readGovernance } from '../governance/read-governance.ts'
import { planCorrection, type Revision } from './plan-correction.ts'
import { writeStamped } from './write-stamped.ts'

export type { Revision } from './plan-correction.ts'

export type CorrectRequest = {
  readonly index_id: string
  /** Ticks in [from, to); null = from the first, to the last published one. */
  readonly from: Instant | null
  readonly to: Instant | null
  readonly reason: string
  /** Only shows the revisions: nothing is published. */
  readonly dry_run?: boolean
  readonly warehouse: Warehouse
  readonly signal?: AbortSignal | undefined
}

/** Revisions that were published, or would be in a dry run, and those of a governed index that wait for a vote. */
export type CorrectionReport = {
  readonly index_id: string
  readonly ticks_checked: number
  readonly revised: readonly Revision[]
  readonly waiting: readonly Revision[]
  /** Approved adoption after which the vote can be proposed; null: the index is governed already, or nothing waits. */
  readonly adoption: AwaitedAdoption | null
}

/** Adoption that is approved and not in force yet. */
export type AwaitedAdoption = { readonly proposal_id: string; readonly effective_at: Instant | null }

/**
 * Publishes revisions of the official observations whose admitted inputs changed (`planCorrection`), by the wall clock. Those of a
 * governed index, or of one whose adoption is approved, that come after the time in which a correction needs no vote are returned, and not published.
 * @throws {ServiceError} INDEX_NOT_FOUND, VALIDATION_RANGE_INVALID; VALIDATION_USAGE_INVALID for an unknown reason
 */
export async function correctIndex(request: CorrectRequest): Promise<CorrectionReport> {
  const reason = parseReason(request.reason)
  const { index_id, warehouse, signal } = request
  const { state } = await readGovernance(warehouse)
  const is_governed = awaitsVotes(state, index_id)
  const plan = await planCorrection({ ...request, reason, as_of: null, is_governed })
  const { due, waiting, ticks_checked } = plan
  const rows = [
    ...plan.linksOf(due).map((row) => ({ table: 'index_link', row, stamp: WALL }) as const),
    ...due.map(({ observation: row }) => ({ table: 'index_observation', row, stamp: WALL }) as const),
  ]
  if (request.dry_run !== true) await writeStamped(warehouse, rows, { operation: 'CORRECT_LEVELS', signal })
  const revisions = (of: typeof due) => of.map(({ revision }) => revision)
  const adoption = waiting.length === 0 ? null : awaitedAdoption(state, index_id)
  return { index_id, ticks_checked, revised: revisions(due), waiting: revisions(waiting), adoption }
}

function awaitedAdoption(state: GovernanceState, index_id: string): AwaitedAdoption | null {
  const adoption = approvedAdoption(state, index_id)
  if (adoption === null) return null
  const { proposal_id, effective_at } = adoption
  return { proposal_id, effective_at: effective_at === null ? null : formatMicros(effective_at) }
}

const WALL = { kind: 'wall' } as const

function parseReason(reason: string): CorrectionReason {
  if (isCorrectionReason(reason)) return reason
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `reason is ${JSON.stringify(reason)}; allowed: ${CORRECTION_REASONS.join(', ')}`,
    { field: 'reason', value: reason },
  )
}
