import { fillTemplate, quoteName } from '../../read/sql-template.ts'
import type { Row } from '../../schema.ts'
import type { LiveFile } from '../../warehouse.ts'
import { hasRevisions } from './file-bounds.ts'
import type { HistorySource } from './history-source.ts'
import type { Series } from './series.ts'
import { decidingFiles } from './series-sql.ts'

/** What is read of a series: some of its files, and all that may hold rows of it. */
export type CurrentAsked = {
  readonly series: Series
  readonly chunk: readonly LiveFile[]
  readonly files: readonly LiveFile[]
}

/**
 * Reads rows without superseded ones; `read` gets the files that decide which are. A day's file often has a second row, but of a
 * few keys: to look for those of another key costs a page a third of its time. So which keys a file has second rows of is asked
 * once, beside the first read, which is done again when the key is among them.
 */
export async function readCurrent(
  source: HistorySource,
  { series, chunk, files }: CurrentAsked,
  read: (deciding: readonly LiveFile[]) => Promise<Row[]>,
): Promise<Row[]> {
  const deciding = decidingFiles(series, files, chunk)
  const revised = deciding.filter(hasRevisions)
  const unknown = revised.filter((file) => !REVISED_KEYS.has(file))
  const value = Object.values(series.key)[0]!
  const isRevised = () => revised.some((file) => REVISED_KEYS.get(file)?.has(value) === true)
  if (unknown.length > FILES_ASKED_MAX || isRevised()) return read(deciding)
  const [rows] = await Promise.all([read([]), learnKeys(source, series, unknown)])
  return isRevised() ? read(deciding) : rows
}

type Keys = { has(value: string): boolean }

/** Of each file the values of the key's first column with a second row in a chain. Data files never change. */
const REVISED_KEYS = new WeakMap<LiveFile, Keys>()
/** With more of them it is cheaper to look for the key's own rows at once. */
const FILES_ASKED_MAX = 16
const KEYS_MAX = 1000
const ANY_KEY: Keys = { has: () => true }

/** One query for all: a file is then taken to have the keys of the others too, which is safe. */
async function learnKeys(source: HistorySource, { table, key }: Series, files: readonly LiveFile[]): Promise<void> {
  if (files.length === 0) return
  const rows = await source.query({ table, files }, (relation) =>
    fillTemplate('revised_keys', {
      key: quoteName(Object.keys(key)[0]!),
      rows: relation(files),
      limit: String(KEYS_MAX + 1),
    }),
  )
  const keys = rows.length > KEYS_MAX ? ANY_KEY : new Set(rows.map(({ revised_key }) => String(revised_key)))
  for (const file of files) REVISED_KEYS.set(file, keys)
}
