import { commitKey } from '../log/commit-text.ts'
import { archiveBefore } from '../log/log-archive.ts'
import type { HashedObject, Store, StoreKey } from '../store/store.ts'
import type { TableCut } from './cut-table.ts'

/** Object of a warehouse, by its key below the root. */
export type WarehouseObject = {
  readonly key: StoreKey
  /** Size and hash that the table's log states; null: it states none. */
  readonly stated: HashedObject | null
}

/**
 * Returns the objects that make a table at its cut: the commits of its log, the archive before them, checkpoints up to the cut, and the
 * data files. What the table had besides is of other versions.
 */
export async function tableObjects(store: Store, cut: TableCut): Promise<readonly WarehouseObject[]> {
  const { table, version, log_start, files } = cut
  const plain = (key: string): WarehouseObject => ({ key, stated: null })
  const commits = Array.from({ length: version + 1 - log_start }, (_, n) => plain(commitKey(table, log_start + n)))
  const archive = (await archiveBefore({ store, table }, log_start)).map(({ key }) => plain(key))
  const checkpoints: StoreKey[] = []
  for await (const { key } of store.list(`${table}/_delta_log`))
    if (isWithin(key, log_start, version)) checkpoints.push(key)
  return [
    ...commits,
    ...archive,
    ...checkpoints.sort().map(plain),
    ...files.map((file) => ({ key: file.key, stated: file })),
  ]
}

/** Returns whether a pointer to the last checkpoint leads to a version of the cut. */
export function pointsInto(pointer: Buffer, { log_start, version }: TableCut): boolean {
  try {
    const found = (JSON.parse(pointer.toString()) as { version?: unknown }).version
    return Number.isSafeInteger(found) && Number(found) >= log_start && Number(found) <= version
  } catch {
    return false
  }
}

function isWithin(key: StoreKey, log_start: number, version: number): boolean {
  const found = /\/(\d{20})\.checkpoint\.parquet$/.exec(key)?.[1]
  return found !== undefined && Number(found) >= log_start && Number(found) <= version
}
