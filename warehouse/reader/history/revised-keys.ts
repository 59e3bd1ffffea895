import { setTimeout as sleep } from 'node:timers/promises'
import { quoteName, readSql } from '../../sql/read-sql.ts'
import type { LiveFile } from '../../warehouse.ts'
import { GROWING_TABLES, NEWEST, type StoredTableName } from '../followed-tables.ts'
import { hasRevisions } from './file-bounds.ts'
import type { HistorySource } from './history-source.ts'

type Keys = { has(value: string): boolean }

/** By file, the values of the key's first column that have a second row in a chain. Data files never change. */
const REVISED_KEYS = new WeakMap<LiveFile, Keys>()
const KEYS_MAX = 1000
const ANY_KEY: Keys = { has: () => true }

/** True if the keys of the file with a second row are known. */
export function isLearned(file: LiveFile): boolean {
  return REVISED_KEYS.has(file)
}

/** True if the key is known to have, or may have, a second row in the file. */
export function isRevised(file: LiveFile, value: string): boolean {
  return REVISED_KEYS.get(file)?.has(value) === true
}

/** Learns the keys of some files by one query; each file gets the keys of all, which is safe. @param key its first column */
export async function learnKeys(
  source: HistorySource,
  { table, key }: { readonly table: StoredTableName; readonly key: string },
  files: readonly LiveFile[],
): Promise<void> {
  if (files.length === 0) return
  const rows = await source.query({ table, files }, (relation) =>
    readSql(import.meta.url, 'sql/revised_keys.sql', {
      key: quoteName(key),
      rows: relation(files),
      limit: String(KEYS_MAX + 1),
    }),
  )
  const keys = rows.length > KEYS_MAX ? ANY_KEY : new Set(rows.map(({ revised_key }) => String(revised_key)))
  for (const file of files) REVISED_KEYS.set(file, keys)
}

const REPEAT_MS = 30_000

/**
 * Learns the keys of all files ahead of use, one by one and newest first, until the signal: the first page from a file then costs
 * no more than later ones. Files of few rows are learned on use.
 */
export async function learnAhead(source: HistorySource, small_file_rows: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const table of GROWING_TABLES) {
      // A read of the same file reports the error.
      await learnTable(source, table, small_file_rows, signal).catch(() => undefined)
    }
    await sleep(REPEAT_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

async function learnTable(
  source: HistorySource,
  table: (typeof GROWING_TABLES)[number],
  small_file_rows: number,
  signal: AbortSignal,
): Promise<void> {
  const { files } = await source.snapshot(table)
  const unknown = files.filter((file) => file.rows > small_file_rows && hasRevisions(file) && !isLearned(file))
  unknown.sort((a, b) => b.stamp_max - a.stamp_max)
  for (const file of unknown) {
    if (signal.aborted) return
    await learnKeys(source, { table, key: NEWEST[table].key[0]! }, [file])
  }
}
