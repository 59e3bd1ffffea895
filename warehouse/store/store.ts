import type { Micros } from '../../primitives/instants.ts'

/** Path of an object below the store's root, such as `market_quote/_delta_log/00000000000000000007.json`. */
export type StoreKey = string

/** Folder of unfinished files: readers ignore it, vacuum empties it. */
export const UNFINISHED = '.unfinished'

/** A commit under way. An earlier release does not name its table: null. */
export type Announcement = { readonly name: string; readonly table: string | null; readonly at: Micros }

/**
 * Outcome of a conditional write. `taken`: the key has bytes, perhaps ours, if an earlier attempt of the same write was repeated on its
 * way. `unknown`: the write may have taken effect, or may still do so.
 */
export type PutOutcome = 'placed' | 'taken' | 'unknown'

export type StoredObject = { readonly key: StoreKey; readonly size_bytes: number; readonly modified_at: Micros }

/**
 * Storage interface of the warehouse, small enough for a local folder and for an object store with conditional writes; nothing
 * here renames, appends to or overwrites a data file.
 *
 * A call that resolves is durable: it survives a power loss. A call that rejects has left nothing visible, except `putIfAbsent`,
 * which may reject after the key became visible and before it is durable: read the key back.
 */
export type Store = {
  /** Shown in messages. */
  readonly root: string
  /** Left out: a local folder, whose objects are files of this machine. */
  readonly remote?: RemoteStore
  /** The store's own clock. */
  now(): Promise<Micros>
  /** Returns the bytes of a key; null if it does not exist. */
  get(key: StoreKey): Promise<Buffer | null>
  /** Returns size and time of a key; null if it does not exist. */
  stat(key: StoreKey): Promise<StoredObject | null>
  /** Creates `key` with `bytes` unless it exists. The only operation that decides a race; it is never repeated by the store itself. */
  putIfAbsent(key: StoreKey, bytes: Uint8Array): Promise<PutOutcome>
  /** Replaces a key atomically, for hints that may be lost or outdated without harm. */
  replace(key: StoreKey, bytes: Uint8Array): Promise<void>
  /** Lets `produce` write a file under a name that no one else uses and keeps it as `key`. */
  putProduced(key: StoreKey, produce: (local_path: string) => Promise<void>): Promise<ProducedObject>
  /** Returns a local path with the bytes that an immutable object has now (a local folder: the object itself). */
  localPath(key: StoreKey): Promise<string>
  /** Lists every object below a folder, '' for all; for vacuum and audit only, never on a read or commit path. */
  list(folder: StoreKey): AsyncIterable<StoredObject>
  /** Removes a key if it exists. */
  delete(key: StoreKey): Promise<void>
  /** Announces a commit of a table that begins at an instant, until the returned function is called. */
  announce(table: string, at: Micros): Promise<() => Promise<void>>
  /** Returns the announced commits. An announcement that a killed writer left is among them. */
  announced(): Promise<readonly Announcement[]>
  /**
   * Returns the greatest value that a watermark was raised to; 0: none. It sees every raise that resolved before this call, and a call
   * of `announced` sees every announcement that resolved before that call: so a writer that announces and then reads the watermark, and
   * a reader that raises it and then reads the announcements, cannot miss each other.
   */
  watermark(key: StoreKey): Promise<number>
  /** Raises a watermark to a value at least. Whoever raises it at the same time, it never falls. */
  raiseWatermark(key: StoreKey, to: number): Promise<void>
}

/** Part of a store that only one on other machines has. */
export type RemoteStore = {
  /** Folder of this machine for what is derived from the store's objects. */
  readonly folder: string
  /** The same store through each of its endpoints, whose conditional writes race at start. */
  readonly endpoints: readonly Store[]
  /**
   * Returns the path of a copy that has the bytes that the log states, fetched unless this machine has one.
   * @param again hashes a copy that was hashed before
   * @throws {ServiceError} WAREHOUSE_CORRUPT names an object that is missing or has other bytes
   */
  copyOf(object: HashedObject, again: boolean): Promise<string>
}

/** Immutable object with the bytes that it must have. */
export type HashedObject = { readonly key: StoreKey; readonly size_bytes: number; readonly sha256: string }

export type ProducedObject = { readonly size_bytes: number; readonly sha256: string; readonly modified_at: Micros }
