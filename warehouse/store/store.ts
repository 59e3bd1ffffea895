import type { Micros } from '../../primitives/instants.ts'

/** A place in the store: `/`-separated names below its root, such as `market_quote/_delta_log/00000000000000000007.json`. */
export type StoreKey = string

/** Folder of what is not finished yet: no reader looks into it, vacuum empties it. */
export const UNFINISHED = '.unfinished'

export type StoredObject = { readonly key: StoreKey; readonly size_bytes: number; readonly modified_at: Micros }

/**
 * What the warehouse asks of the place it lives in. Kept so small that a local folder and an object store with
 * conditional writes both fit; nothing here renames, appends or overwrites a data file.
 *
 * Everything that resolves is durable: it survives a power loss. Everything that rejects has left nothing visible behind,
 * except `putIfAbsent`, whose answer may be lost after it took effect: read the key back.
 */
export type Store = {
  /** Named in messages. */
  readonly root: string
  /** The store's own clock. */
  now(): Promise<Micros>
  /** The bytes of a key; null when there is none. */
  get(key: StoreKey): Promise<Buffer | null>
  /** Size and time of a key; null when there is none. */
  stat(key: StoreKey): Promise<StoredObject | null>
  /** Creates `key` with `bytes` unless it is there; false when it is. The one operation that decides a race. */
  putIfAbsent(key: StoreKey, bytes: Uint8Array): Promise<boolean>
  /** Replaces a key at once, for hints that may be lost or old without harm. */
  replace(key: StoreKey, bytes: Uint8Array): Promise<void>
  /** Lets `produce` write a file under a name that nobody else uses and keeps it as `key`. */
  putProduced(key: StoreKey, produce: (local_path: string) => Promise<void>): Promise<ProducedObject>
  /** A local path with the bytes of an immutable object (a local folder gives the object itself). */
  localPath(key: StoreKey): Promise<string>
  /** Every object below a folder; for vacuum and audit only, never on a read or commit path. */
  list(folder: StoreKey): AsyncIterable<StoredObject>
  /** Removes a key; nothing happens when it is absent. */
  delete(key: StoreKey): Promise<void>
}

export type ProducedObject = { readonly size_bytes: number; readonly sha256: string; readonly modified_at: Micros }
