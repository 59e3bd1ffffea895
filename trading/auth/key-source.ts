import type { AuthKey, KeySource } from './auth-key.ts'

/** A key source that remembers for a moment. */
export type CachedKeySource = KeySource & {
  /** A key has changed (or, without an id, some may have): it is looked up anew, also where that is under way. */
  forget(key_id?: string): void
}

/** Revocation works within a second, also where nobody says that a key has changed. */
const REMEMBERED_MS = 500
/** Keys and unknown ids together: those asked for longest ago go first. */
const ENTRIES_MAX = 10_000

type Entry = { readonly key: Promise<AuthKey | null>; readonly asked_ms: number }

/**
 * @param load    one key by its id, by one indexed query
 * @param now_ms  a clock that never goes back
 */
export function createKeySource(
  load: (key_id: string) => Promise<AuthKey | null>,
  now_ms: () => number = () => performance.now(),
): CachedKeySource {
  const entries = new Map<string, Entry>()

  const look = (key_id: string): Promise<AuthKey | null> => {
    const entry: Entry = { key: load(key_id), asked_ms: now_ms() }
    entries.delete(key_id) // so that it goes to the end
    entries.set(key_id, entry)
    if (entries.size > ENTRIES_MAX) entries.delete(entries.keys().next().value!)
    entry.key.catch(() => {
      if (entries.get(key_id) === entry) entries.delete(key_id)
    })
    return entry.key
  }

  return {
    // The age counts from the question: what the database said late is not young.
    find: (key_id) => {
      const entry = entries.get(key_id)
      return entry !== undefined && now_ms() - entry.asked_ms < REMEMBERED_MS ? entry.key : look(key_id)
    },
    forget: (key_id) => {
      if (key_id === undefined) entries.clear()
      else entries.delete(key_id)
    },
  }
}
