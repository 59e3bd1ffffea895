import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { absentOn } from '../../warehouse/store/absent-on.ts'
import { placeOnce } from '../../warehouse/store/read-back.ts'
import type { Store, StoreKey } from '../../warehouse/store/store.ts'
import {
  BACKFILLS,
  EARLIER_PLAN,
  journalKey,
  nameOf,
  planKey,
  segmentsFolder,
} from '../../warehouse/store/work-keys.ts'

/**
 * Moves the plans and journals of backfills that an earlier release kept in a home into the store, where every host finds them. A move
 * that was interrupted is repeated: each file has one key, and is deleted once it is there.
 */
export async function moveHomeWork(home: string, store: Store): Promise<void> {
  const folder = join(home, 'backfills')
  for (const file of await readdir(folder).catch(absentOn('ENOENT', [] as string[]))) {
    const [, name = '', kind = ''] = /^(\w+)\.(plan\.json|chunks\.ndjson|json)$/.exec(file) ?? []
    if (name === '') continue
    const bytes = await readFile(join(folder, file)).catch(absentOn('ENOENT', null))
    if (bytes === null) continue // moved by another process
    await placeOnce(store, await keyOf(store, name, kind, bytes), bytes)
    await rm(join(folder, file), { force: true })
  }
}

/** @param name the hash of the backfill's id, or the id of one without a server */
async function keyOf(store: Store, name: string, kind: string, bytes: Buffer): Promise<StoreKey> {
  if (kind === 'json') return journalKey(name)
  const folder = `${BACKFILLS}/${name}`
  if (kind === 'plan.json') return planKey(folder, EARLIER_PLAN)
  return `${await segmentsFolder(store, folder)}/${nameOf(String(bytes))}.ndjson`
}
