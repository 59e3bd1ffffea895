import { type GovernanceAct, governanceActId } from '../../pipelines/governance/acts.ts'
import type { Decision } from '../../pipelines/governance/decide.ts'
import { type DueAct, moveDue, nextDue, nextInstant, refusedActivation } from '../../pipelines/governance/due.ts'
import { HELD_BY_APPROVAL } from '../../pipelines/governance/late-revision.ts'
import type { GovernanceState, Proposal } from '../../pipelines/governance/proposal.ts'
import { SERVICE_NAME } from '../../pipelines/governance/roster-form.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type AppendGuard, openAppendGuard, PlanOvertaken } from '../import/append-guard.ts'
import { checkPublishable, isRefusal } from './check-proposed.ts'
import { actRow, DERIVED_TABLES, type DerivedRows, derivedRows, type RecordedAct } from './governance-rows.ts'
import { publishChange } from './publish-change.ts'
import { readGovernance } from './read-governance.ts'

/** Acts performed, and the next instant at which time alone makes something due; null: none. */
export type Advanced = { readonly performed: number; readonly next_at: Micros | null }

/**
 * Performs what is due: votes that ended, notices that ran out, emergencies that nobody ratified. It may run in several processes,
 * and be interrupted anywhere: each step is recorded once, and the next run publishes what an interrupted one left.
 * A change that can no longer be carried out is ended instead.
 */
export async function advanceGovernance(warehouse: Warehouse, signal?: AbortSignal): Promise<Advanced> {
  for (let performed = 0; ; ) {
    signal?.throwIfAborted()
    const guard = await openAppendGuard(warehouse, ['governance_act'])
    const governance = await readGovernance(warehouse)
    const { state, acts } = governance
    await publishRecords(warehouse, acts.at(-1) ?? null)
    await publishChange(warehouse, governance, acts.at(-1) ?? null)
    const recorded_at = await recordingInstant(warehouse, acts)
    const next = nextDue(state, recorded_at)
    if (next === null) return { performed, next_at: nextInstant(state, recorded_at) }
    const before = state.proposals.get(next.proposal_id)!
    const { due, detail } = await checkedDue(warehouse, state, next, recorded_at)
    const proposal = moveDue(state, due, recorded_at)
    const act = dueAct(due, before, { at: recorded_at, detail })
    const recorded = { act, sequence: acts.length + 1, recorded_at, roles: [], signed: null }
    try {
      await recordAct(warehouse, guard, recorded, { decision: { proposal }, before })
      performed += 1
    } catch (error) {
      if (!(error instanceof PlanOvertaken)) throw error
    }
  }
}

/** Returns the instant of the next record: now, never before the last one. */
export async function recordingInstant(warehouse: Warehouse, acts: readonly Row[]): Promise<Micros> {
  const last = acts.at(-1)
  return Math.max(await warehouse.now(), last === undefined ? 0 : toMicros(last.recorded_at))
}

type CheckedDue = { readonly due: DueAct; readonly detail: string | null }

/** Checks an activation against the published records; one that they refuse becomes the end of the proposal. */
async function checkedDue(warehouse: Warehouse, state: GovernanceState, due: DueAct, at: Micros): Promise<CheckedDue> {
  if (due.act !== 'activate') return { due, detail: null }
  try {
    await checkPublishable(warehouse, state, state.proposals.get(due.proposal_id)!, at)
    return { due, detail: null }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { due: refusedActivation(due), detail: error.message }
  }
}

/** Returns the service's act: unsigned, it states since when it was due and why. */
function dueAct(
  { act, proposal_id, since, reason, head }: DueAct,
  { kind }: Proposal,
  { at, detail }: { readonly at: Micros; readonly detail: string | null },
): GovernanceAct {
  const held = act === 'approve' && kind === 'index_adoption' ? HELD_BY_APPROVAL : {}
  const optional = { ...(detail === null ? {} : { detail }), ...(head === undefined ? {} : { head }) }
  const details = { since: formatMicros(since), reason, ...optional, ...held }
  return { act, kind, subject_id: proposal_id, details, actor_id: SERVICE_NAME, acted_at: at }
}

/** Appends an act, and then the records that follow from it. @throws {PlanOvertaken} another act came first */
export async function recordAct(
  warehouse: Warehouse,
  guard: AppendGuard,
  recorded: RecordedAct,
  { decision, before }: { readonly decision: Decision; readonly before: Proposal | null },
): Promise<void> {
  const act_id = governanceActId(recorded.act)
  const row = actRow(recorded, derivedRows(decision, before, { act_id, recorded_at: recorded.recorded_at }))
  await guard.append('governance_act', [row], { ...stepOf(act_id), operation: 'GOVERNANCE_ACT' })
  await publishRecords(warehouse, row)
}

/** Publishes the records of an act; run twice, each once. Only the last act can lack them: each waits for those before it. */
async function publishRecords(warehouse: Warehouse, act: Row | null): Promise<void> {
  if (act === null) return
  const rows = JSON.parse(String(act.records)) as DerivedRows
  for (const table of DERIVED_TABLES) {
    const row = rows[table]
    if (row !== undefined)
      await warehouse.append(table, [row], { ...stepOf(String(act.act_id)), operation: 'GOVERNANCE' })
  }
}

function stepOf(act_id: string) {
  return { app_id: act_id, app_sequence: 1, stamp: { kind: 'wall' } } as const
}
