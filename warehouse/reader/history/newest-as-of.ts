import type { Micros } from '../../../primitives/instants.ts'
import type { Row } from '../../schema.ts'
import { quoteName, readSql } from '../../sql/read-sql.ts'
import type { LiveFile } from '../../warehouse.ts'
import { type GrowingTableName, NEWEST } from '../followed-tables.ts'
import type { NewestRow } from '../newest-rows.ts'
import { compareOrder, type KnownRow, keyText, knownRow } from '../placed-row.ts'
import { instantBounds } from './file-bounds.ts'
import type { HistorySource } from './history-source.ts'
import { readByAddress } from './rows-by-address.ts'
import { filesOfSeries, instantIs, knownRows } from './series-sql.ts'

/** Keys of one table that share some columns, with the newest row in memory of each. */
export type KeysAsked = {
  readonly table: GrowingTableName
  /** The shared columns of the keys, with their values. */
  readonly key: Readonly<Record<string, string>>
  readonly newest: readonly NewestRow[]
  readonly as_of: Micros
  /** Greatest value of the table's first sort column; absent: any. */
  readonly instant_to?: Micros
}

/**
 * Returns the newest row of each key as it was known at an instant.
 *
 * The newest row of today was also the newest then if it was published by then. Files are read only for keys with later rows,
 * starting with the latest instants, until no remaining file can hold a newer row.
 */
export async function newestAsOf(source: HistorySource, asked: KeysAsked): Promise<Row[]> {
  const { as_of, instant_to = Number.POSITIVE_INFINITY } = asked
  const existing = asked.newest.filter(({ first_published_at }) => first_published_at <= as_of)
  const isAnswer = ({ known }: NewestRow) => known.published_at <= as_of && known.order[0]! <= instant_to
  const answered = existing.filter(isAnswer)
  const open = existing.filter((newest) => !isAnswer(newest))
  const read = open.length === 0 ? [] : await readNewest(source, asked, open)
  return [...answered.map(({ row }) => row), ...read]
}

/** Finds the addresses first, from the few sort columns, so that nested columns are read for these rows only. */
async function readNewest(source: HistorySource, asked: KeysAsked, open: readonly NewestRow[]): Promise<Row[]> {
  const { files } = await source.snapshot(asked.table)
  const { as_of, instant_to = Number.POSITIVE_INFINITY } = asked
  const [instant] = NEWEST[asked.table].order
  const candidates = filesOfSeries(asked, files, as_of).filter(
    (file) => instantBounds(file, instant!).from <= instant_to,
  )
  const addresses = await findAddresses(source, asked, open, candidates)
  return readByAddress(source, asked, addresses, candidates)
}

/** Reads only key, sort columns and address of the newest row of each key. */
async function findAddresses(
  source: HistorySource,
  { table, key, as_of, instant_to }: KeysAsked,
  open: readonly NewestRow[],
  candidates: readonly LiveFile[],
): Promise<KnownRow[]> {
  const rule = NEWEST[table]
  const wanted = new Set(open.map(({ row }) => keyText(row, rule.key)))
  const found = new Map<string, KnownRow>()
  const instant = rule.order[0]!
  const last = (file: LiveFile) => instantBounds(file, instant).to
  const left = candidates.toSorted((a, b) => last(b) - last(a))
  const upTo = instant_to === undefined ? [] : [instantIs(instant, '<=', instant_to)]
  const deciding = [...rule.order, 'published_at', 'row_ordinal'].map(quoteName)
  const key_columns = rule.key.map(quoteName)
  for (let count = FILES_FIRST; left.length > 0; count *= 2) {
    const complete = found.size === wanted.size
    if (complete && last(left[0]!) < Math.min(...[...found.values()].map(({ order }) => order[0]!))) break
    const piece = left.splice(0, Math.min(count, FILES_MAX))
    const rows = await source.query({ table, files: piece }, (relation) =>
      readSql(import.meta.url, 'sql/newest_as_of.sql', {
        columns: [...key_columns, ...deciding].join(', '),
        rows: relation(piece),
        known: [knownRows({ key }, as_of), ...upTo].join(' and '),
        key: key_columns.join(', '),
        newest: deciding.map((name) => `${name} desc`).join(', '),
      }),
    )
    for (const row of rows) {
      const known = knownRow(table, row, rule.order)
      const name = keyText(row, rule.key)
      const before = found.get(name)
      if (wanted.has(name) && (before === undefined || compareOrder(known, before) > 0)) found.set(name, known)
    }
  }
  return [...found.values()]
}

const FILES_FIRST = 2
const FILES_MAX = 256
