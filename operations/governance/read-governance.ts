import { parseGovernanceAct } from '../../pipelines/governance/acts.ts'
import { decideAct } from '../../pipelines/governance/decide.ts'
import { rosterOf } from '../../pipelines/governance/documents.ts'
import { type DueAct, moveDue } from '../../pipelines/governance/due.ts'
import { type GovernanceState, NO_GOVERNANCE, type Proposal } from '../../pipelines/governance/proposal.ts'
import { recordDecision } from '../../pipelines/governance/record-decision.ts'
import type { Roster } from '../../pipelines/governance/roster.ts'
import { SERVICE_NAME } from '../../pipelines/governance/roster-form.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import { SERVICE_ACTS } from '../../vocabulary/governance.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import { wholeWarehouse } from '../../warehouse/recorded-clock.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/** Everything that is recorded about governance. */
export type Governance = { readonly state: GovernanceState; readonly acts: readonly Row[] }

/** Acts that were read of a warehouse, and the end of their table then. */
type Known = { readonly version: number; readonly head_stamp: Micros | null; readonly governance: Governance }

/** Newest acts that were read of each warehouse: one act asks for them several times, and each adds one to them. */
const NEWEST = new WeakMap<Warehouse, Known>()

/** Reads the acts known at an instant, and derives the state from them. @param as_of null: now */
export async function readGovernance(warehouse: Warehouse, as_of: Micros | null = null): Promise<Governance> {
  if (as_of !== null) return readActs(warehouse, as_of)
  const whole = wholeWarehouse(warehouse)
  // Before the acts: those of a later version are newer than asked, never older.
  const { version, head_stamp } = await warehouse.log('governance_act').snapshot()
  const known = NEWEST.get(whole)
  if (known?.version === version && known.head_stamp === head_stamp) return known.governance
  const governance = await readAfter(warehouse, known ?? null, head_stamp)
  NEWEST.set(whole, { version, head_stamp, governance })
  return governance
}

/** Reads the acts after known ones, and all of them for an earlier instant than that of the known ones. */
async function readAfter(warehouse: Warehouse, known: Known | null, head_stamp: Micros | null): Promise<Governance> {
  const through = known?.head_stamp ?? null
  if (known === null || through === null || through > (head_stamp ?? 0)) return readActs(warehouse, null)
  const tables = ['governance_act'] as const
  const session = await openReadSession(warehouse, {
    ...{ as_of: null, tables, pin: false },
    published_after: { governance_act: through },
  })
  try {
    const { acts, state } = known.governance
    const sql = readSql(import.meta.url, 'sql/new_governance_acts.sql')
    const added = await session.query(sql, { sequence: acts.length })
    return { acts: [...acts, ...added], state: added.reduce(replayAct, state) }
  } finally {
    await session.close()
  }
}

async function readActs(warehouse: Warehouse, as_of: Micros | null): Promise<Governance> {
  const session = await openReadSession(warehouse, { as_of, tables: ['governance_act'], pin: false })
  try {
    return await governanceIn(session)
  } finally {
    await session.close()
  }
}

/** Reads the acts that a session shows, and derives the state from them. */
export async function governanceIn(session: ReadSession): Promise<Governance> {
  const acts = await session.query(readSql(import.meta.url, 'sql/governance_acts.sql'))
  return { acts, state: acts.reduce(replayAct, NO_GOVERNANCE) }
}

/** Returns each state of each proposal that the acts led to, by proposal and revision (`stateKey`). */
export function statesOfProposals(acts: readonly Row[]): ReadonlyMap<string, Proposal> {
  const states = new Map<string, Proposal>()
  let state = NO_GOVERNANCE
  for (const row of acts) {
    state = replayAct(state, row)
    const proposal = state.proposals.get(String(row.subject_id))
    if (proposal !== undefined) states.set(stateKey(proposal), proposal)
  }
  return states
}

/** Returns the name of one state of a proposal. */
export function stateKey({ proposal_id, revision }: Row | Proposal): string {
  return `${proposal_id} ${revision}`
}

/** Returns the state after a recorded act. @throws {ServiceError} the act is none that could follow */
function replayAct(state: GovernanceState, row: Row): GovernanceState {
  const act = parseGovernanceAct(String(row.signed_text))
  const recorded_at = toMicros(row.recorded_at)
  const service_act = SERVICE_ACTS.find((name) => name === act.act)
  if (act.actor_id === SERVICE_NAME && service_act !== undefined) {
    const { since, reason, head } = act.details
    const due: DueAct = {
      act: service_act,
      proposal_id: act.subject_id,
      since: toMicros(since, 'since'),
      reason: reason === null ? null : String(reason),
      ...(head === undefined ? {} : { head: head === null ? null : String(head) }),
    }
    return recordDecision(state, { proposal: moveDue(state, due, recorded_at) }, recorded_at)
  }
  const { decision } = decideAct(state, { act, public_key: String(row.public_key), recorded_at })
  return recordDecision(state, decision, recorded_at)
}

/** Returns the roster in force at an instant; null: the home was not governed then. @param at null: now */
export function governedRoster({ state }: Governance, at: Micros | null = null): Roster | null {
  const adopted = state.rosters.findLast(({ effective_from }) => at === null || effective_from <= at)
  return adopted === undefined ? null : rosterOf(adopted.document)
}
