import { setTimeout as sleep } from 'node:timers/promises'
import type { Micros } from '../../primitives/instants.ts'
import type { Store } from '../store/store.ts'

/** A commit that a table's follower has read, and that memory does not have yet. */
type FoundCommit = {
  /** Stamp of its last row; null: it has no rows. */
  readonly stamp: Micros | null
  take(): void
}

/** Reads the next commit of a table after the last one taken; null: there is none. */
type FindCommit = () => Promise<FoundCommit | null>

type RoundsPorts = {
  readonly store: Pick<Store, 'now' | 'announced'>
  /** Pause between rounds. */
  readonly interval_ms: number
  /** Number of tables that must follow before memory as a whole is of an instant. */
  readonly tables: number
  readonly signal: AbortSignal
  /** Reports that a round could not be made. */
  readonly onFailure: (error: unknown) => void
}

type Follower = {
  readonly find: FindCommit
  found: FoundCommit | null
  readonly fail: (error: unknown) => void
}

/** Longest wait for a commit under way: one that takes longer, or whose writer was killed, does not hold back the others. */
const AWAITED_MICROS = 1_000_000
/** Pause before a round that takes commits held back by the one before. */
const HELD_MS = 10

/**
 * Rounds in which all tables of a memory move from one instant to the next together. A round reads the clock, then which commits
 * are announced, then the tables: every commit stamped before the clock and before every announced one is found, and nothing else is
 * taken. So memory holds exactly what was published through `instant`, whichever tables an answer is made of.
 */
export class Rounds {
  /** Memory holds every row published through this instant, and no other; 0 until the first round of all tables. */
  instant: Micros = 0
  readonly #ports: RoundsPorts
  readonly #followers = new Set<Follower>()
  #is_hurried = false
  #awaken: () => void = () => undefined

  constructor(ports: RoundsPorts) {
    this.#ports = ports
  }

  /** Takes the commits of a table until one cannot be read or taken, which rejects, or the signal aborts. */
  async join(find: FindCommit): Promise<void> {
    const { signal } = this.#ports
    if (signal.aborted) return
    await new Promise<void>((resolve, reject) => {
      const follower: Follower = { find, found: null, fail: reject }
      const onAbort = () => {
        this.#followers.delete(follower)
        resolve()
      }
      this.#followers.add(follower)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  /** Makes rounds until the signal aborts. */
  async run(): Promise<void> {
    const { interval_ms, signal, onFailure } = this.#ports
    while (!signal.aborted) {
      this.#is_hurried = false
      const is_held = await this.#round().catch((error: unknown) => onFailure(error))
      await this.#pause(is_held === true ? Math.min(HELD_MS, interval_ms) : interval_ms)
    }
  }

  /** Makes the next round begin at once: a caller waits for what it takes. */
  hurry(): void {
    this.#is_hurried = true
    this.#awaken()
  }

  /** Waits between two rounds, not at all if the next was asked for while the last was made. */
  async #pause(ms: number): Promise<void> {
    if (this.#is_hurried) return
    const hurried = new AbortController()
    this.#awaken = () => hurried.abort()
    const onAbort = () => hurried.abort()
    this.#ports.signal.addEventListener('abort', onAbort, { once: true })
    await sleep(ms, undefined, { signal: hurried.signal }).catch(() => undefined)
    this.#ports.signal.removeEventListener('abort', onAbort)
  }

  /** @returns whether a commit was found that is taken in the next round */
  async #round(): Promise<boolean> {
    const { store, tables } = this.#ports
    const now = await store.now()
    const awaited = (await store.announced()).filter(({ at }) => at > now - AWAITED_MICROS)
    const through = Math.min(now, ...awaited.map(({ at }) => at - 1))
    const followers = [...this.#followers]
    await Promise.all(followers.map((one) => this.#find(one)))
    const isDue = ({ stamp }: FoundCommit) => stamp === null || stamp <= through || stamp > now + AWAITED_MICROS
    for (let next = earliest(followers, isDue); next.length > 0; next = earliest(followers, isDue)) {
      // Commits of one stamp are taken in one turn: no answer sees only some of them.
      const stamp = next[0]!.found!.stamp
      for (const one of next) this.#take(one)
      if (this.instant > 0 && stamp !== null && stamp <= through) this.instant = Math.max(this.instant, stamp)
      await Promise.all(next.map((one) => this.#find(one)))
    }
    const is_whole = this.#followers.size === tables && followers.length === tables
    if (is_whole) this.instant = Math.max(this.instant, through)
    return followers.some(({ found }) => found !== null)
  }

  async #find(follower: Follower): Promise<void> {
    if (follower.found !== null || !this.#followers.has(follower)) return
    try {
      follower.found = await follower.find()
    } catch (error) {
      this.#fail(follower, error)
    }
  }

  #take(follower: Follower): void {
    const { found } = follower
    follower.found = null
    try {
      found?.take()
    } catch (error) {
      this.#fail(follower, error)
    }
  }

  #fail(follower: Follower, error: unknown): void {
    this.#followers.delete(follower)
    follower.fail(error)
  }
}

/** Returns the followers of the found commits with the least stamp among those that are due; none: none is. */
function earliest(followers: readonly Follower[], isDue: (found: FoundCommit) => boolean): readonly Follower[] {
  const due = followers.filter(({ found }) => found !== null && isDue(found))
  const stampOf = ({ found }: Follower) => found?.stamp ?? Number.NEGATIVE_INFINITY
  const first = Math.min(...due.map(stampOf))
  return due.filter((one) => stampOf(one) === first)
}
