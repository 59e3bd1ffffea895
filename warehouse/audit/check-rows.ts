import { recordHash } from '../../pipelines/index/record-hash.ts'
import { CLOCK_AHEAD_MAX } from '../../pipelines/venues/source-times.ts'
import type { ReadSession } from '../read/sources-session.ts'
import { chainList, sameChain, visibleRelation } from '../read/table-relations.ts'
import { quoteName, readSql } from '../sql/read-sql.ts'
import { type TableName, tableSchema } from '../tables.ts'
import { type AuditViolation, violation } from './violation.ts'

/** Check that reads every revision of a table and returns the violations. */
export type RowCheck = {
  readonly check: string
  readonly applies: (table: TableName) => boolean
  readonly find: (session: ReadSession, table: TableName) => Promise<AuditViolation[]>
}

/** Largest lead of source clocks over receipts in a table: rows of hazard feeds are in two tables. */
function clockAheadMax(table: TableName): number {
  const { gdacs, usgs, ...venues } = CLOCK_AHEAD_MAX
  const of_feeds = table === 'hazard_alert' || table === 'event' ? [gdacs, usgs] : []
  return Math.max(...of_feeds, ...Object.values(venues))
}

/** Most violations listed per check and table; there may be more. */
const NAMED_MAX = 100

/** Checks of a table's rows, independent of its files. */
export const ROW_CHECKS: readonly RowCheck[] = [
  {
    check: 'revision chains',
    applies: (table) => hasColumns(table, 'revision', 'supersedes_id'),
    find: (session, table) =>
      found(session, table, 'sql/audit_revisions.sql', {
        rows: visibleRelation(table),
        revisions: hasColumns(table, 'confirms_id')
          ? `(select * from ${visibleRelation(table)} where confirms_id is null)`
          : visibleRelation(table),
        id: idColumn(table),
        chain: chainList(table),
        same_chain: sameChain(table, 'r', 't'),
      }),
  },
  {
    check: 'duplicate records',
    applies: () => true,
    find: (session, table) =>
      found(session, table, 'sql/audit_duplicates.sql', {
        rows: visibleRelation(table),
        id: idColumn(table),
        key: recordKey(table).map(quoteName).join(', '),
      }),
  },
  {
    check: 'source and receive clocks',
    applies: (table) => hasColumns(table, 'source_at', 'received_at'),
    find: (session, table) =>
      found(session, table, 'sql/audit_received_clocks.sql', {
        rows: visibleRelation(table),
        id: idColumn(table),
        ahead_us: String(clockAheadMax(table)),
      }),
  },
  {
    check: 'calculation clocks',
    applies: (table) => table === 'index_observation',
    find: (session, table) =>
      found(session, table, 'sql/audit_calculated_clocks.sql', { rows: visibleRelation(table) }),
  },
  {
    check: 'weights',
    applies: (table) => table === 'index_version',
    find: (session, table) => found(session, table, 'sql/audit_weights.sql', { rows: visibleRelation(table) }),
  },
  { check: 'record hashes', applies: (table) => table === 'index_observation', find: wrongHashes },
]

async function found(
  session: ReadSession,
  table: TableName,
  path: string,
  slots: Readonly<Record<string, string>>,
): Promise<AuditViolation[]> {
  const query = readSql(import.meta.url, path, slots)
  const rows = await session.query(`select * from (${query}) order by rule, id limit ${NAMED_MAX}`)
  return rows.map(({ rule, id, detail }) =>
    violation({ table, rule: String(rule), file: null, id: String(id), detail: String(detail) }),
  )
}

/** Rehashes every published level from its columns. */
async function wrongHashes(session: ReadSession, table: TableName): Promise<AuditViolation[]> {
  const rows = await session.query(`select * exclude (inputs) from ${visibleRelation(table)} order by observation_id`)
  const wrong = rows.filter((row) => recordHash(row) !== row.record_hash).slice(0, NAMED_MAX)
  return wrong.map((row) =>
    violation({
      table,
      rule: 'RECORD_HASH',
      file: null,
      id: String(row.observation_id),
      detail: `record_hash is ${row.record_hash}, its columns hash to ${recordHash(row)}`,
    }),
  )
}

function hasColumns(table: TableName, ...names: string[]): boolean {
  return names.every((name) => name in tableSchema(table).columns)
}

/** The first column of every table names its records. */
function idColumn(table: TableName): string {
  return quoteName(table === 'index_link' ? 'index_version_id' : Object.keys(tableSchema(table).columns)[0]!)
}

/** Columns that identify a record: in chains that share one id also the revision. */
function recordKey(table: TableName): string[] {
  const { chain, columns } = tableSchema(table)
  const id = Object.keys(columns)[0]!
  if (!chain.includes(id) && table !== 'index_link') return [id]
  return 'revision' in columns ? [...chain, 'revision'] : [...chain]
}
