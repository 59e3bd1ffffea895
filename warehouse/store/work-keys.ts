import { randomUUID } from 'node:crypto'
import { contentHash } from '../../primitives/canonical-json.ts'
import { placeOnce } from './read-back.ts'
import type { Store, StoreKey } from './store.ts'

/**
 * Folder of plans, journals, definitions and results of long work. It is in the store, so every host that works for a warehouse
 * continues from the same state, whatever its home.
 */
export const WORK = '.work'
/** Folder of the definitions that replays name. */
export const DEFINITIONS = `${WORK}/definitions`
/** Folder of the backfills, by their names. */
export const BACKFILLS = `${WORK}/backfills`

/** Returns the folder of a backfill through Temporal. */
export function backfillFolder(backfill_id: string): StoreKey {
  return `${BACKFILLS}/${nameOf(backfill_id)}`
}

/** Returns the key of a plan in the folder of a backfill. */
export function planKey(folder: StoreKey, plan_id: string): StoreKey {
  return `${folder}/plan-${plan_id}.json`
}

/** Name of the plan of a backfill that an earlier release began: its history names none. */
export const EARLIER_PLAN = 'earlier'

/** Returns the key of the journal of a backfill without a server. */
export function journalKey(backfill_id: string): StoreKey {
  return `${backfillFolder(backfill_id)}.json`
}

/**
 * Returns the folder of the segments of a journal, which the first writer names. The folder of a journal that was removed is not used
 * again, so a late line of it does not appear in the next one.
 * @param folder of the backfill
 */
export async function segmentsFolder(store: Store, folder: StoreKey): Promise<StoreKey> {
  const key = `${folder}/journal.json`
  for (;;) {
    const known = await store.get(key)
    if (known !== null) return `${folder}/${(JSON.parse(String(known)) as { readonly segments: string }).segments}`
    await placeOnce(store, key, Buffer.from(JSON.stringify({ segments: randomUUID() })))
  }
}

/** Returns the folder of a replay's lines. */
export function replayFolder(replay_id: string): StoreKey {
  return `${WORK}/replays/${nameOf(replay_id)}`
}

/** Returns the name of an id in keys: ids of replays have slashes and no limit. */
export function nameOf(id: string): string {
  return contentHash(id).slice('sha256:'.length, 24)
}
