import type { Micros } from '../../../primitives/instants.ts'
import type { Row } from '../../schema.ts'
import type { LiveFile } from '../../warehouse.ts'
import { hasRevisions } from './file-bounds.ts'
import type { HistorySource } from './history-source.ts'
import { revisedRows } from './revised-rows.ts'
import type { Series } from './series.ts'
import { decidingFiles } from './series-sql.ts'

/** What is read of a series: some of its files, and all that may hold rows of it. */
export type CurrentAsked = {
  readonly series: Series
  readonly chunk: readonly LiveFile[]
  readonly files: readonly LiveFile[]
  /** Records are whole, and no more than these are wanted; null: rows that do not name their chains. */
  readonly page: { readonly limit: number; readonly as_of: Micros } | null
}

/**
 * Reads rows without superseded ones; `read` gets the files that decide which are, and how many rows to read beyond those wanted.
 * A day's file often has a second row, but of a few keys: to look for those in the same query costs a page half its time. So which
 * second rows a file has is asked once, beside the first read; a page leaves out what they supersede by itself.
 */
export async function readCurrent(
  source: HistorySource,
  { series, chunk, files, page }: CurrentAsked,
  read: (deciding: readonly LiveFile[], spare: number) => Promise<Row[]>,
): Promise<Row[]> {
  const deciding = decidingFiles(series, files, chunk)
  const revised = deciding.filter(hasRevisions)
  if (revised.length === 0) return read([], 0)
  const value = Object.values(series.key)[0]!
  const asked = revisedRows(source, series, revised)
  const known = asked instanceof Promise ? null : asked
  const spare = page === null || known?.hasKey(value) === false ? 0 : Math.ceil(page.limit / 2)
  if (asked === null || (page === null && known?.hasKey(value) === true)) return read(deciding, 0)
  const [rows, { hasKey, supersedes }] = await Promise.all([read([], spare), asked])
  if (!hasKey(value)) return page === null ? rows : rows.slice(0, page.limit)
  if (page === null || supersedes === null) return read(deciding, 0)
  const kept = rows.filter((row) => !supersedes(row, page.as_of))
  const is_cut = rows.length === page.limit + spare
  return is_cut && kept.length < page.limit ? read(deciding, 0) : kept.slice(0, page.limit)
}
