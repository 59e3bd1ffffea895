import {
  type CalendarEntry,
  type CalendarRecords,
  calendarOf,
  calendarRange,
} from '../../pipelines/notices/calendar.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

const TABLES: readonly TableName[] = [
  'index_version',
  'index_pro_forma',
  'index_definition',
  'governance_proposal',
  'governance_roster',
  'governance_policy',
  'market_rating',
]

/** Statement of each kind of record. */
const STATEMENTS: Readonly<Record<keyof CalendarRecords, string>> = {
  versions: readSql(import.meta.url, 'sql/calendar_versions.sql'),
  compositions: readSql(import.meta.url, 'sql/calendar_compositions.sql'),
  indexes: readSql(import.meta.url, 'sql/calendar_indexes.sql'),
  proposals: readSql(import.meta.url, 'sql/calendar_proposals.sql'),
  rosters: readSql(import.meta.url, 'sql/calendar_rosters.sql'),
  policies: readSql(import.meta.url, 'sql/calendar_policies.sql'),
  ratings: readSql(import.meta.url, 'sql/calendar_ratings.sql'),
}

/**
 * Returns what is due in a range, as known at an instant.
 * @param wish from null: the beginning of the day; to null: 90 days later; as_of null: now
 * @throws {ServiceError} VALIDATION_RANGE_INVALID
 */
export async function readCalendar(
  warehouse: Warehouse,
  wish: { readonly from: Instant | null; readonly to: Instant | null; readonly as_of: Instant | null },
): Promise<readonly CalendarEntry[]> {
  const as_of = microsOrNull(wish.as_of, 'as_of')
  const asked = { from: microsOrNull(wish.from, 'from'), to: microsOrNull(wish.to, 'to') }
  const { range, refused } = calendarRange(asked, as_of ?? (await warehouse.now()))
  if (refused !== null) throw notAllowed('VALIDATION_RANGE_INVALID', 'to', formatMicros(range.to), refused)
  const session = await openReadSession(warehouse, { as_of, tables: TABLES })
  try {
    const records: Partial<Record<keyof CalendarRecords, unknown>> = {}
    for (const [kind, sql] of Object.entries(STATEMENTS))
      records[kind as keyof CalendarRecords] = await session.query(sql)
    return calendarOf(records as CalendarRecords, range)
  } finally {
    await session.close()
  }
}

function microsOrNull(instant: Instant | null, field: string): Micros | null {
  return instant === null ? null : toMicros(instant, field)
}
