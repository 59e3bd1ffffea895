import type { AuthKey, KeySource } from './auth-key.ts'

/** A key source that remembers for a moment. */
export type CachedKeySource = KeySource & {
  /** A key has changed (or, without an id, some may have): it is looked up anew, also where that is under way. */
  forget(key_id?: string): void
  /** An account has changed, and with it what its keys may do. */
  forgetAccount(account_id: string): void
}

/** Revocation works within a second, also where nobody says that a key has changed. */
const REMEMBERED_MS = 500
/** Instants of the clock: of every change that was committed from `from_ms` to `until_ms`, `forget` was told. */
export type ToldChanges = { readonly from_ms: number; readonly until_ms: number }

/** Keys and unknown ids together: those asked for longest ago go first. */
const ENTRIES_MAX = 10_000

/** account_id: undefined until the key is known, null where there is none. */
type Entry = { readonly key: Promise<AuthKey | null>; readonly asked_ms: number; account_id?: string | null }

/**
 * @param load    one key by its id, by one indexed query
 * @param now_ms  a clock that never goes back
 * @param told    null: nobody tells of changes. While they are told, a key that is not forgotten is as good as looked up.
 */
export function createKeySource(
  load: (key_id: string) => Promise<AuthKey | null>,
  now_ms: () => number = () => performance.now(),
  told: () => ToldChanges | null = () => null,
): CachedKeySource {
  const entries = new Map<string, Entry>()

  /** When what is remembered was known to be so. */
  const knownAt = ({ asked_ms }: Entry): number => {
    const changes = told()
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
    // The age counts from the question: what the database said late is not young.
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
