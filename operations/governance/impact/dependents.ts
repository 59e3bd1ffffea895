import {
  type Composition,
  type Dependents,
  dependentsOf,
  sharedWeight,
  sharingIndexes,
} from '../../../pipelines/governance/impact/index-end.ts'
import type { GovernanceState, Proposal } from '../../../pipelines/governance/proposal.ts'
import { PROPOSAL_MOVES } from '../../../pipelines/governance/proposal-states.ts'
import { formatDecimal, SCALE } from '../../../primitives/decimal.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { ReadSession } from '../../../warehouse/read/session.ts'
import { readSql } from '../../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { findIndex } from '../../index/load-index.ts'
import { readProFormas } from '../../selection/read-pro-formas.ts'

/** Returns what depends on an index, as a session and the governance known with it show. */
export async function dependentsOn(
  session: ReadSession,
  {
    warehouse,
    state,
    index_id,
  }: { readonly warehouse: Warehouse; readonly state: GovernanceState; readonly index_id: string },
): Promise<Dependents> {
  const compositions = await compositionsOf(session)
  const own = compositions.find((one) => one.index_id === index_id)
  const running = [...state.proposals.values()].filter(isRunning)
  return dependentsOf({
    proposals: running
      .filter(({ target }) => target === index_id || target === `${index_id}:status`)
      .map(({ proposal_id, kind, state: at }) => ({ proposal_id, kind, state: at }))
      .sort((a, b) => (a.proposal_id < b.proposal_id ? -1 : 1)),
    substitute_of: namedBy(state, index_id),
    market_ids: await marketsNaming(session, index_id),
    severity_index_ids: await severityIndexes(session, index_id),
    announced: await announcedStarts(warehouse, index_id, session.as_of),
    indexes: own === undefined ? [] : sharingIndexes(own, compositions),
  })
}

/** Returns the newest composition of every index that has not ended. */
export async function compositionsOf(session: ReadSession): Promise<readonly Composition[]> {
  const rows = await session.query(readSql(import.meta.url, 'sql/newest_compositions.sql'))
  return rows as unknown as readonly Composition[]
}

/** Returns the weight that two indexes share; none if one of them has ended. */
export function shareOf(compositions: readonly Composition[], index_id: string, other_id: string): string {
  const [own, other] = [index_id, other_id].map((id) => compositions.find((one) => one.index_id === id))
  const none = { index_id, constituents: [] }
  return formatDecimal(sharedWeight(own ?? none, other ?? none), SCALE.weight)
}

function isRunning({ state }: Proposal): boolean {
  return state !== 'effective' && PROPOSAL_MOVES[state].expire.length > 0
}

/** Returns the indexes whose end, proposed or in force, names an index as the substitute. */
function namedBy({ proposals }: GovernanceState, index_id: string): readonly string[] {
  const ends = [...proposals.values()].filter(
    (one) => one.kind === 'cessation' && (one.state === 'effective' || isRunning(one)),
  )
  const naming = ends.filter(({ content }) => content.substitute_index_id === index_id)
  return [...new Set(naming.map(({ content }) => String(content.index_id)))].sort()
}

async function severityIndexes(session: ReadSession, index_id: string): Promise<readonly string[]> {
  const known = await findIndex(session, index_id)
  const legs = known?.spec.versions.at(-1)?.constituents.flatMap((constituent) => constituent.legs) ?? []
  const event_ids = [...new Set(legs.map(({ event_id }) => String(event_id)))]
  const sql = readSql(import.meta.url, 'sql/severity_indexes_of_events.sql')
  return (await session.query(sql, { event_ids })).map((row) => String(row.severity_index_id))
}

async function marketsNaming(session: ReadSession, id: string): Promise<readonly string[]> {
  const rows = await session.query(readSql(import.meta.url, 'sql/markets_naming.sql'), { id })
  return rows.map(({ market_id }) => String(market_id))
}

/** Returns the starts of announced compositions that had not begun by an instant. */
async function announcedStarts(warehouse: Warehouse, index_id: string, at: Micros): Promise<readonly string[]> {
  const rows = await readProFormas(warehouse, { index_id, as_of: formatMicros(at) })
  return rows.map((row) => String(row.effective_from)).filter((start) => toMicros(start) > at)
}
