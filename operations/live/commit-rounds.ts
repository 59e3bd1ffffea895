import { setTimeout as sleep } from 'node:timers/promises'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { IMPORT_TABLES } from '../import/read-known.ts'

/** Longest time that a session waits in a round, all in all, so that none is held up by a slow one. */
const WAIT_MS = 100

/**
 * Lets the ingest sessions of a process end their batches at common ticks and reach each table together, so that their rows share a
 * commit. Nothing depends on it but the number of commits: a session that is late makes one of its own.
 */
export class CommitRounds {
  readonly #wait_ms: number
  #tick: Tick | null = null

  /** @param wait_ms longest time that a session waits in a round, in milliseconds */
  constructor(wait_ms = WAIT_MS) {
    this.#wait_ms = wait_ms
  }

  /** Returns the next tick: `linger_ms` after the first call since the last one. The session takes part in its round. */
  tick(session: RoundSession, linger_ms: number): Promise<void> {
    this.#tick ??= this.#begin(linger_ms)
    this.#tick.sessions.add(session)
    return this.#tick.over
  }

  #begin(linger_ms: number): Tick {
    const sessions = new Set<RoundSession>()
    const over = sleep(linger_ms).then(() => {
      this.#tick = null
      const round = new Round(this.#wait_ms)
      for (const session of sessions) session.join(round)
    })
    return { sessions, over }
  }
}

type Tick = { readonly sessions: Set<RoundSession>; readonly over: Promise<void> }

/** The part of one ingest session in the rounds of its process. */
export class RoundSession {
  #round: Round | null = null
  #ended = false

  /** Takes part in a round, unless the commits of the round before still go on: then nobody waits for this session. */
  join(round: Round): void {
    if (this.#round !== null || this.#ended) return
    this.#round = round
    round.join(this)
  }

  /** Waits until every session of the round is about to commit to this table or needs no commit of it any more. */
  async reach(table: TableName): Promise<void> {
    await this.#round?.reach(this, PLACES.get(table) ?? 0)
  }

  /** The commits of the round are made. */
  leave(): void {
    this.#round?.leave(this)
    this.#round = null
  }

  /** Takes part in no further round. */
  end(): void {
    this.#ended = true
    this.leave()
  }
}

/** Every import commits to its tables in this order. */
const PLACES: ReadonlyMap<TableName, number> = new Map(IMPORT_TABLES.map((table, place) => [table, place]))

type Part = { place: number; left_ms: number }

class Round {
  readonly #wait_ms: number
  readonly #parts = new Map<RoundSession, Part>()
  readonly #waiting = new Map<() => void, Part>()

  constructor(wait_ms: number) {
    this.#wait_ms = wait_ms
  }

  join(session: RoundSession): void {
    this.#parts.set(session, { place: -1, left_ms: this.#wait_ms })
  }

  async reach(session: RoundSession, place: number): Promise<void> {
    const part = this.#parts.get(session)
    if (part === undefined) return
    part.place = Math.max(part.place, place) // a plan that is made again holds up nobody
    this.#wake()
    if (this.#isTogether(part) || part.left_ms <= 0) return
    const from = performance.now()
    await this.#othersAt(part)
    part.left_ms -= performance.now() - from
  }

  leave(session: RoundSession): void {
    this.#parts.delete(session)
    this.#wake()
  }

  #isTogether({ place }: Part): boolean {
    return [...this.#parts.values()].every((other) => other.place >= place)
  }

  #othersAt(part: Part): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const giveUp = () => {
        part.left_ms = 0 // a timer may end a moment before its time
        wake()
      }
      const timer = setTimeout(giveUp, part.left_ms)
      this.#waiting.set(wake, part)
    })
  }

  #wake(): void {
    for (const [wake, part] of this.#waiting) if (this.#isTogether(part)) wake()
  }
}

const ROUNDS = new WeakMap<Warehouse, CommitRounds>()

/** The rounds that the sessions of this process share. */
export function roundsOf(warehouse: Warehouse): CommitRounds {
  const rounds = ROUNDS.get(warehouse) ?? new CommitRounds()
  ROUNDS.set(warehouse, rounds)
  return rounds
}

/** The warehouse as a session writes it: its appends share commits with those of sessions that follow other venues. */
export function writtenTogether(warehouse: Warehouse, venue_id: string, session: RoundSession): Warehouse {
  return {
    ...warehouse,
    async append(table, rows, options) {
      await session.reach(table)
      return warehouse.append(table, rows, { ...options, apart: venue_id })
    },
  }
}
