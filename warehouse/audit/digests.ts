import { createHash } from 'node:crypto'
import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { openSourcesSession } from '../read/sources-session.ts'
import { chainList, columnNames, currentKey, currentRelation, visibleRelation } from '../read/table-relations.ts'
import type { TableSource } from '../read/table-source.ts'
import type { Row } from '../schema.ts'
import { quoteName, readSql } from '../sql/read-sql.ts'
import type { Store } from '../store/store.ts'
import type { TableName } from '../tables.ts'
import { appendDigestLines, readDigestLines } from './digest-files.ts'

/** Hashes of a table's answers as of a sealed instant, which must never change. */
export type SealedDigest = {
  readonly table: TableName
  readonly table_id: string
  readonly as_of: Instant
  /** Hashed columns, in this order: a table may get more columns later. */
  readonly columns: readonly string[]
  readonly current_rows: number
  /** SHA-256 over the SHA-256 of every row of current(T), and of known(T) (digest_rows.sql). */
  readonly current_sha256: string
  readonly visible_sha256: string
}

/**
 * Computes the digest of a table as of an instant from its data files alone, without a derived interval file.
 * @param columns of the recorded digest; default: all
 */
export async function sealedDigest(
  source: TableSource,
  table_id: string,
  as_of: Micros,
  columns: readonly string[] = columnNames(source.table),
): Promise<SealedDigest> {
  const { table } = source
  const rows = readSql(import.meta.url, 'sql/rows_flagged.sql', {
    visible: visibleRelation(table),
    text: rowText(columns),
    chain: chainList(table),
    newest: currentKey(table, 'desc'),
  })
  const { current, visible } = await digestsOf({ ...source, intervals: null }, as_of, rows)
  return {
    table,
    table_id,
    as_of: formatMicros(as_of),
    columns,
    current_rows: current.rows,
    current_sha256: current.sha256,
    visible_sha256: visible.sha256,
  }
}

/** Computes the hash of current(T) with the derived interval file; it must equal that of the definition. */
export async function intervalDigest(source: TableSource, as_of: Micros): Promise<string> {
  const current = currentRelation(source.table)
  const rows = readSql(import.meta.url, 'sql/rows_current.sql', { current, text: rowText(columnNames(source.table)) })
  return (await digestsOf(source, as_of, rows)).current.sha256
}

/** Returns the text of a row, which is hashed: every column, a null one marked. */
function rowText(columns: readonly string[]): string {
  const texts = columns.map((name) => `coalesce(${quoteName(name)}::varchar, chr(30))`)
  return `concat_ws(chr(31), ${texts.join(', ')})`
}

/** Computes the digests of the current rows and of all rows of a relation (row_sha256, is_current). */
async function digestsOf(source: TableSource, as_of: Micros, rows: string) {
  const session = await openSourcesSession([source], as_of)
  try {
    const buckets = await session.query(readSql(import.meta.url, 'sql/digest_rows.sql', { rows }))
    return { current: foldBuckets(buckets, 'current'), visible: foldBuckets(buckets, 'visible') }
  } finally {
    await session.close()
  }
}

/** Hashes the hashes of the buckets that have rows. */
function foldBuckets(buckets: readonly Row[], kind: 'current' | 'visible') {
  const hash = createHash('sha256')
  let rows = 0
  for (const row of buckets) {
    const bucket_rows = row[`${kind}_rows`] as number
    if (bucket_rows === 0) continue
    hash.update(`${row.bucket} ${bucket_rows} ${row[`${kind}_sha256`]}\n`)
    rows += bucket_rows
  }
  return { rows, sha256: hash.digest('hex') }
}

/** Reads the recorded digests, oldest first, and the number of the first damaged line. */
export async function readDigests(store: Store, table: TableName) {
  const text = await readDigestLines(store, table)
  const lines = text.split('\n').filter((line) => line !== '')
  const digests = lines.map((line) => parseDigest(line, table))
  const damaged_line = digests.indexOf(null)
  return {
    digests: digests.filter((digest) => digest !== null),
    damaged_line: damaged_line < 0 ? null : damaged_line + 1,
  }
}

/** Appends digests to the recorded ones, which never change. */
export async function appendDigests(store: Store, table: TableName, digests: readonly SealedDigest[]): Promise<void> {
  if (digests.length === 0) return
  await appendDigestLines(store, table, digests.map((digest) => `${JSON.stringify(digest)}\n`).join(''))
}

/** Columns that a digest without a list does not have: they were added before digests listed theirs, or later. */
const NOT_IN_UNLISTED: Partial<Record<TableName, readonly string[]>> = {
  market: ['trading_parameters', 'complementary'],
}

function parseDigest(line: string, table: TableName): SealedDigest | null {
  try {
    const before = columnNames(table).filter((name) => NOT_IN_UNLISTED[table]?.includes(name) !== true)
    const digest = { columns: before, ...(JSON.parse(line) as Partial<SealedDigest>) } as SealedDigest
    toMicros(digest.as_of)
    return /^[0-9a-f]{64}$/.test(digest.current_sha256) && /^[0-9a-f]{64}$/.test(digest.visible_sha256) ? digest : null
  } catch {
    return null
  }
}
