import type { TableSchema } from './schema.ts'
import { ASSESSMENT_TABLES } from './tables/assessment-tables.ts'
import { ELIGIBILITY_TABLES } from './tables/eligibility-tables.ts'
import { GOVERNANCE_TABLES } from './tables/governance-tables.ts'
import { INDEX_TABLES } from './tables/index-tables.ts'
import { MARKET_TABLES } from './tables/market-tables.ts'
import { NOTICE_TABLES } from './tables/notice-tables.ts'
import { OPERATIONS_TABLES } from './tables/operations-tables.ts'
import { REFERENCE_TABLES } from './tables/reference-tables.ts'
import { VENUE_TABLES } from './tables/venue-tables.ts'

/**
 * The tables of the warehouse: the one description behind the Parquet files, the table logs, the views and the checks. Field
 * names are the interface's. The log also gives every row `published_at` (the commit's stamp) and `row_ordinal` (its ordinal in
 * the commit), never the caller; together they are the commit sequence that breaks ties.
 *
 * chain    columns that identify one correction chain
 * current  the row of a chain that is current: greatest by these columns, then by (published_at, row_ordinal) (methodology §14)
 * sort     order of the rows inside a file
 */
export const TABLES = {
  ...VENUE_TABLES,
  ...REFERENCE_TABLES,
  ...MARKET_TABLES,
  ...INDEX_TABLES,
  ...ASSESSMENT_TABLES,
  ...OPERATIONS_TABLES,
  ...GOVERNANCE_TABLES,
  ...NOTICE_TABLES,
  ...ELIGIBILITY_TABLES,
} as const satisfies Record<string, TableSchema>

export type TableName = keyof typeof TABLES

/** Returns the schema of one table, typed as the general form. */
export function tableSchema(name: TableName): TableSchema {
  return TABLES[name]
}

export const TABLE_NAMES = Object.keys(TABLES) as TableName[]
