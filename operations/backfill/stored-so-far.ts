import { addStored, NOTHING_STORED, type StoredCounts } from './backfill-types.ts'

/** Counts of what a run and the runs before it have stored, with what the work in progress has stored so far. */
export class StoredSoFar {
  #ended: StoredCounts
  readonly #in_progress = new Set<{ stored: StoredCounts }>()
  readonly #on_change: () => void

  constructor(earlier: Partial<StoredCounts>, on_change: () => void) {
    this.#ended = { ...NOTHING_STORED, ...earlier }
    this.#on_change = on_change
  }

  /** Does work, and counts what it stores as it does: also where it fails, because a repeat does not store that again. */
  async counted<T>(work: (on_stored: (so_far: StoredCounts) => void) => Promise<T>): Promise<T> {
    const own = { stored: NOTHING_STORED }
    this.#in_progress.add(own)
    try {
      return await work((so_far) => {
        own.stored = so_far
        this.#on_change()
      })
    } finally {
      this.#in_progress.delete(own)
      this.#ended = addStored(this.#ended, own.stored)
    }
  }

  sum(): StoredCounts {
    return [...this.#in_progress].reduce((sum, { stored }) => addStored(sum, stored), this.#ended)
  }
}
