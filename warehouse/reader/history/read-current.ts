import type { Row } from '../../schema.ts'
import type { LiveFile } from '../../warehouse.ts'
import { hasRevisions } from './file-bounds.ts'
import type { HistorySource } from './history-source.ts'
import { isLearned, isRevised, learnKeys } from './revised-keys.ts'
import type { Series } from './series.ts'
import { decidingFiles } from './series-sql.ts'

/** Read of a series: the files to read now, and all files that may hold its rows. */
export type CurrentAsked = {
  readonly series: Series
  readonly chunk: readonly LiveFile[]
  readonly files: readonly LiveFile[]
}

/**
 * Reads rows without superseded ones; `read` gets the files that decide which rows are superseded. A day's file often has
 * superseded rows, but only for a few keys, and a search under every other key would cost a page a third of its time. So the
 * keys with superseded rows are learned once per file: ahead (revised-keys.ts), or by the first read, which is repeated if its
 * key is among them.
 */
export async function readCurrent(
  source: HistorySource,
  { series, chunk, files }: CurrentAsked,
  read: (deciding: readonly LiveFile[]) => Promise<Row[]>,
): Promise<Row[]> {
  const deciding = decidingFiles(series, files, chunk)
  const revised = deciding.filter(hasRevisions)
  const unknown = revised.filter((file) => !isLearned(file))
  const [key, value] = Object.entries(series.key)[0]!
  const mayBeRevised = () => revised.some((file) => isRevised(file, value))
  if (unknown.length > FILES_ASKED_MAX || mayBeRevised()) return read(deciding)
  const [rows] = await Promise.all([read([]), learnKeys(source, { table: series.table, key }, unknown)])
  return mayBeRevised() ? read(deciding) : rows
}

/** Above this many files it is cheaper to look for the key's own rows at once. */
const FILES_ASKED_MAX = 16
