import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { placeOnce } from '../store/read-back.ts'
import type { Store } from '../store/store.ts'
import type { TableName } from '../tables.ts'

/** Returns the key of a table's recorded digests, one JSON object per line. In an object store it is a folder of such files. */
export function digestKey(table: TableName): string {
  return `.derived/digests/${table}.ndjson`
}

/** Reads the lines of a table's recorded digests, oldest first; none: the empty text. */
export async function readDigestLines(store: Store, table: TableName): Promise<string> {
  const key = digestKey(table)
  if (store.remote === undefined) return readFile(join(store.root, key), 'utf8').catch(() => '')
  const keys: string[] = []
  for await (const object of store.list(key)) keys.push(object.key)
  const texts = await Promise.all(keys.sort().map((one) => store.get(one)))
  return texts.join('')
}

/** Appends lines to a table's recorded digests. They are evidence, so they are with the tables and not on one machine. */
export async function appendDigestLines(store: Store, table: TableName, lines: string): Promise<void> {
  const key = digestKey(table)
  if (store.remote !== undefined) {
    const name = `${String(await store.now()).padStart(16, '0')}-${randomUUID()}.ndjson`
    return placeOnce(store, `${key}/${name}`, Buffer.from(lines))
  }
  const path = join(store.root, key)
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'a')
  try {
    await file.writeFile(lines)
    await file.sync()
  } finally {
    await file.close()
  }
}
