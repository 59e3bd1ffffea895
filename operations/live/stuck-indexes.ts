import { isServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import { localFolder, openStore } from '../../warehouse/store/open-store.ts'
import { readDerived, writeDerived } from '../index/derived-file.ts'
import type { PublishedIndex } from '../index/load-index.ts'

/** Index whose publication stopped, because a version of it cannot follow the one before. */
export type StuckIndex = {
  readonly index_id: string
  /** Newest version of the index. */
  readonly version: string
  readonly since: Instant
  readonly code: string
  readonly message: string
}

const FILE = 'publication/stuck.json'

/** Reads which indexes the publisher of a warehouse could not continue. @param root folder of its derived files */
export async function readStuck(root: string): Promise<readonly StuckIndex[]> {
  return ((await readDerived(root, FILE)) ?? []) as readonly StuckIndex[]
}

/** Distance of the instants at which a process that does not publish reads which indexes are stuck, in milliseconds. */
const READ_EVERY_MS = 10_000

/** Follows which indexes are stuck, for a process that does not publish. @param root of the warehouse */
export async function watchStuck(
  root: string,
): Promise<{ readonly list: () => readonly StuckIndex[]; readonly end: () => void }> {
  const folder = localFolder(await openStore(root))
  let known = await readStuck(folder)
  const timer = setInterval(async () => {
    known = await readStuck(folder)
  }, READ_EVERY_MS)
  timer.unref()
  return { list: () => known, end: () => clearInterval(timer) }
}

/** Indexes that a publisher cannot continue, as they were defined then, kept where other processes read them. */
export class StuckIndexes {
  readonly #root: string
  readonly #indexes = new Map<string, { readonly index: PublishedIndex; readonly stuck: StuckIndex }>()
  /** List that is stored; null: not known yet. */
  #stored: readonly StuckIndex[] | null = null

  constructor(root: string) {
    this.#root = root
  }

  add(index: PublishedIndex, error: unknown, now: Micros): void {
    if (!isServiceError(error)) return
    const { index_id, versions } = index.spec
    const { code, message } = error
    const version = versions.at(-1)!.version
    this.#indexes.set(index_id, { index, stuck: { index_id, version, since: formatMicros(now), code, message } })
  }

  /** Whether an index is stuck as it is defined now. */
  has(index: PublishedIndex): boolean {
    return this.#indexes.get(index.spec.index_id)?.index === index
  }

  /** Stores which of the indexes of now are stuck, where that changed. One that was stuck before this process keeps its instant. */
  async store(indexes: ReadonlyMap<string, PublishedIndex>): Promise<void> {
    for (const [id, { index }] of this.#indexes) if (indexes.get(id) !== index) this.#indexes.delete(id)
    const before = this.#stored ?? (await readStuck(this.#root))
    const stuck = [...this.#indexes.values()].map(({ stuck: one }) => {
      const known = before.find(({ index_id, version, code }) => {
        return index_id === one.index_id && version === one.version && code === one.code
      })
      return known === undefined ? one : { ...one, since: known.since }
    })
    if (JSON.stringify(stuck) !== JSON.stringify(before)) await writeDerived(this.#root, FILE, stuck)
    this.#stored = stuck
  }
}
