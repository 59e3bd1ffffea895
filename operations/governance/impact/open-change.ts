import { baseHashOf } from '../../../pipelines/governance/base-of-change.ts'
import { recordHash } from '../../../pipelines/governance/documents.ts'
import { runnerReports } from '../../../pipelines/governance/impact/runner-reports.ts'
import { type Change, changeIdOf, type GovernanceState } from '../../../pipelines/governance/proposal.ts'
import { type Instant, toMicros } from '../../../primitives/instants.ts'
import { openReadSession, type ReadSession } from '../../../warehouse/read/session.ts'
import type { TableName } from '../../../warehouse/tables.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { readGovernance } from '../read-governance.ts'

/** Knowledge and window that somebody asks an impact for; null: as in the first report of the change, else a default. */
type ChangeRequest = {
  readonly from: Instant | null
  readonly to: Instant | null
  readonly as_of: Instant | null
  readonly warehouse: Warehouse
}

/** Hashes of a change, by which runners sign before it is proposed. */
export type NamedChange = {
  readonly change_id: string
  readonly base_hash: string | null
  readonly content_hash: string
}

/** Knowledge of an impact, the change in it, and the window that was asked for. */
type OpenedChange<C> = {
  readonly session: ReadSession
  readonly change: C
  readonly from: Instant | null
  readonly to: Instant | null
}

/**
 * Opens the asked knowledge; unless asked otherwise that of the first report, so that runners sign the same one.
 * @param changeIn reads the change from a session, with the governance known by then
 */
export async function openChange<C extends NamedChange>(
  request: ChangeRequest,
  tables: readonly TableName[],
  changeIn: (session: ReadSession, state: GovernanceState) => Promise<C>,
): Promise<OpenedChange<C>> {
  const open = async (as_of: Instant | null) => {
    const at = as_of === null ? await request.warehouse.now() : toMicros(as_of, 'as_of')
    const session = await openReadSession(request.warehouse, { as_of: at, tables })
    try {
      const { state } = await readGovernance(request.warehouse, session.as_of)
      return { session, change: await changeIn(session, state) }
    } catch (error) {
      await session.close()
      throw error
    }
  }
  const opened = await open(request.as_of)
  const is_asked = [request.as_of, request.from, request.to].some((one) => one !== null)
  if (is_asked) return { ...opened, from: request.from, to: request.to }
  const { acts } = await readGovernance(request.warehouse)
  const [first] = runnerReports(acts, opened.change.change_id)
  if (first === undefined) return { ...opened, from: null, to: null }
  const { report } = first
  await opened.session.close()
  const window = 'from' in report ? { from: report.from, to: report.to } : { from: null, to: null }
  return { ...(await open(report.as_of)), ...window }
}

/** Returns the names of a change after the record in force. */
export function namedChange(state: GovernanceState, change: Pick<Change, 'kind' | 'content'>): NamedChange {
  const [base_hash, content_hash] = [baseHashOf(state, change), recordHash(change.content)]
  return { change_id: changeIdOf({ base_hash, content_hash }), base_hash, content_hash }
}
