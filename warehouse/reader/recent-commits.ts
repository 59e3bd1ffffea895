import type { FeedCommit } from './reader.ts'

/** Age and size up to which a table's commits are kept for resuming. */
export type RecentLimits = { readonly retention_ms: number; readonly bytes_max: number }

export const RECENT_LIMITS: RecentLimits = { retention_ms: 600_000, bytes_max: 32 << 20 }

/** Last commits of one table, oldest first, within the limits; the newest is always kept. */
export class RecentCommits {
  readonly #entries: { readonly commit: FeedCommit; readonly at_ms: number; readonly bytes: number }[] = []
  #bytes = 0
  readonly #limits: RecentLimits

  constructor(limits: RecentLimits) {
    this.#limits = limits
  }

  add(commit: FeedCommit, at_ms: number, now_ms: number): void {
    const bytes = commit.rows.reduce((sum, { row }) => sum + JSON.stringify(row).length, 0)
    this.#entries.push({ commit, at_ms, bytes })
    this.#bytes += bytes
    this.#drop(now_ms)
  }

  list(now_ms: number): FeedCommit[] {
    this.#drop(now_ms)
    return this.#entries.map(({ commit }) => commit)
  }

  #drop(now_ms: number): void {
    let dropped = 0
    for (const { at_ms, bytes } of this.#entries.slice(0, -1)) {
      if (at_ms >= now_ms - this.#limits.retention_ms && this.#bytes <= this.#limits.bytes_max) break
      this.#bytes -= bytes
      dropped += 1
    }
    this.#entries.splice(0, dropped)
  }
}
