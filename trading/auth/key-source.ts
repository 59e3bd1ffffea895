import type { AuthKey, KeySource } from './auth-key.ts'

/** Key source with a short-lived cache. */
export type CachedKeySource = KeySource & {
  /** Invalidates one key, or all keys without an id; a lookup in progress is repeated. */
  forget(key_id?: string): void
  /** Invalidates all keys of an account, whose rights depend on it. */
  forgetAccount(account_id: string): void
}

/** Cache lifetime while no change notices arrive; a revocation takes effect within a second even then. */
const REMEMBERED_MS = 500
/** Clock interval in which every committed change has led to a call of `forget`. */
export type NoticedChanges = { readonly from_ms: number; readonly until_ms: number }

/** Cached keys and unknown ids together; the least recently requested go first. */
const ENTRIES_MAX = 10_000

/** account_id: undefined until the key is known, null where there is none. */
type Entry = { readonly key: Promise<AuthKey | null>; readonly asked_ms: number; account_id?: string | null }

/**
 * Creates a caching key source.
 * @param load    reads one key by its id, by one indexed query
 * @param now_ms  a clock that never goes back
 * @param noticed null: no change notices. While they arrive, a key that was not invalidated is as good as freshly loaded.
 */
export function createKeySource(
  load: (key_id: string) => Promise<AuthKey | null>,
  now_ms: () => number = () => performance.now(),
  noticed: () => NoticedChanges | null = () => null,
): CachedKeySource {
  const entries = new Map<string, Entry>()

  /** Returns the last instant at which a cached entry was known to be current. */
  const knownAt = ({ asked_ms }: Entry): number => {
    const changes = noticed()
    return changes !== null && asked_ms >= changes.from_ms ? Math.max(asked_ms, changes.until_ms) : asked_ms
  }

  const look = (key_id: string): Promise<AuthKey | null> => {
    const entry: Entry = { key: load(key_id), asked_ms: now_ms() }
    entries.delete(key_id) // so that it goes to the end
    entries.set(key_id, entry)
    if (entries.size > ENTRIES_MAX) entries.delete(entries.keys().next().value!)
    entry.key.then(
      (found) => {
        entry.account_id = found?.account_id ?? null
      },
      () => {
        if (entries.get(key_id) === entry) entries.delete(key_id)
      },
    )
    return entry.key
  }

  return {
    // The age counts from the query: a late answer is not a young one.
    find: (key_id) => {
      const entry = entries.get(key_id)
      return entry !== undefined && now_ms() - knownAt(entry) < REMEMBERED_MS ? entry.key : look(key_id)
    },
    forget: (key_id) => {
      if (key_id === undefined) entries.clear()
      else entries.delete(key_id)
    },
    forgetAccount: (account_id) => {
      for (const [key_id, { account_id: known }] of entries) {
        if (known === undefined || known === account_id) entries.delete(key_id)
      }
    },
  }
}
