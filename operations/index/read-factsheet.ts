import { formatMicros, type Instant, toMicros } from '../../primitives/instants.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type FactsheetLeg, factsheetLegs, readLegMarkets } from './factsheet-legs.ts'
import { showIndex, versionInForce } from './show-index.ts'

/** Last priced level of a UTC day. */
export type FactsheetDay = { readonly tick_at: Instant; readonly level: string; readonly quality_state: string }

/** Ticks of one quality state. */
type FactsheetState = {
  readonly quality_state: string
  readonly ticks: number
  readonly restated: number
  readonly lowest: string | null
  readonly highest: string | null
  readonly first_tick_at: Instant
  readonly last_tick_at: Instant
}

type FactsheetConstituent = {
  readonly constituent_id: string
  readonly market_id: string
  readonly target_weight: string
  readonly weight_cap: string | null
  readonly normalization: string
  readonly outcome: string | null
  readonly venue_id: string | null
  readonly title: string | null
  readonly market_status: string | null
  readonly band: string | null
  /** Every market outcome that it reads: one, or those of its pool, set or roll. */
  readonly legs: readonly FactsheetLeg[]
}

type FactsheetNotice = {
  readonly notice_id: string
  readonly kind: string
  readonly title: string
  readonly cause: string | null
  readonly starts_at: Instant | null
  readonly effective_at: Instant | null
  readonly ends_at: Instant | null
  readonly published_at: Instant
}

/** Everything that a factsheet of an index shows: public records only. */
export type Factsheet = {
  readonly as_of: Instant
  readonly index: Row
  /** Latest record of the level; null: none is published. */
  readonly latest: Row | null
  readonly versions: readonly Row[]
  /** Version in effect, or the next one; null: none is published. */
  readonly version: Row | null
  readonly constituents: readonly FactsheetConstituent[]
  readonly days: readonly FactsheetDay[]
  readonly states: readonly FactsheetState[]
  readonly notices: readonly FactsheetNotice[]
}

const TABLES: readonly TableName[] = [
  'index_version',
  'index_observation',
  'market',
  'market_resolution',
  'market_rating',
  'governance_notice',
]

/** Reads the factsheet of an index as known at an instant (null: now). @throws {ServiceError} INDEX_NOT_FOUND */
export async function readFactsheet(request: {
  readonly index_id: string
  readonly as_of: Instant | null
  readonly warehouse: Warehouse
}): Promise<Factsheet> {
  const { index_id, as_of, warehouse } = request
  const { versions, latest, active_version: _of_version, ...index } = await showIndex(request)
  const session = await openReadSession(warehouse, {
    as_of: as_of === null ? null : toMicros(as_of, 'as_of'),
    tables: TABLES,
  })
  try {
    const version = versionInForce(versions, session.as_of) ?? versions[0] ?? null
    const of_index = { index_id }
    return {
      as_of: formatMicros(session.as_of),
      index,
      latest,
      versions,
      version,
      constituents: version === null ? [] : await constituentsOf(session, String(version.index_version_id)),
      days: (await session.query(readSql(import.meta.url, 'sql/factsheet_days.sql'), of_index)) as never,
      states: (await session.query(readSql(import.meta.url, 'sql/factsheet_states.sql'), of_index)) as never,
      notices: (await session.query(readSql(import.meta.url, 'sql/factsheet_notices.sql'), of_index)) as never,
    }
  } finally {
    await session.close()
  }
}

async function constituentsOf(session: ReadSession, index_version_id: string) {
  const sql = readSql(import.meta.url, 'sql/factsheet_constituents.sql')
  const rows = await session.query(sql, { index_version_id })
  const definition = rows[0]?.definition
  const text = definition == null ? '{}' : String(definition)
  const legs = factsheetLegs(text, await readLegMarkets(session, text))
  return rows.map(({ definition: _, ...row }) => {
    return { ...row, legs: legs.get(String(row.constituent_id)) ?? [] } as unknown as FactsheetConstituent
  })
}
