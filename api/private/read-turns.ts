import { ServiceError } from '../../primitives/errors.ts'
import { FairQueue } from '../../primitives/fair-queue.ts'
import { ACCOUNT_READS } from '../../protocol/limits.ts'

export type ReadTurnLimits = { readonly [name in keyof typeof ACCOUNT_READS]: number }

/** Too many of one account, or in all, were waiting; a read waited too long. */
type Refusal = 'account' | 'queue' | 'wait'

/** State of the turns, for metrics. */
export type ReadTurnStats = {
  readonly waiting: number
  readonly running: number
  /** Refused reads since the start, by cause. */
  readonly refused: Readonly<Record<Refusal, number>>
  /** Pages that ended early at PAGE_BYTES_MAX since the start. */
  readonly pages_cut: number
}

/** Turns of the accounts of one process at their private reads, which share its database connections with every write. */
export type ReadTurns = {
  /**
   * Runs a read when its account's turn has come.
   * @throws {ServiceError} RATE_LIMIT_EXCEEDED: too many of this account wait; SERVICE_UNAVAILABLE: too many wait, or one did too long
   */
  run<T>(account_id: string, read: () => Promise<T>): Promise<T>
  countCut(): void
  stats(): ReadTurnStats
}

type Waiting = { readonly account_id: string; start(): void; refuse(error: ServiceError): void }

/** Weight of the newest read in the average of run times. */
const NEWEST = 0.1

/** Creates the turns: the next read is of the account that was served longest ago. */
export function createReadTurns(limits: ReadTurnLimits = ACCOUNT_READS): ReadTurns {
  const waiting = new FairQueue<Waiting>()
  const running = new Map<string, number>()
  const refused: Record<Refusal, number> = { account: 0, queue: 0, wait: 0 }
  let at_once = 0
  let average_ms = 0
  let pages_cut = 0
  const mayRun = (account_id: string) => (running.get(account_id) ?? 0) < limits.of_account_at_once_max
  const waitOf = (queued: number, lanes: number) => String(Math.max(1, Math.ceil((queued * average_ms) / lanes)))
  const startNext = (): void => {
    while (at_once < limits.at_once_max) {
      const next = waiting.shift(mayRun)
      if (next === undefined) return
      at_once += 1
      running.set(next.account_id, (running.get(next.account_id) ?? 0) + 1)
      next.start()
    }
  }
  const end = (account_id: string, began_ms: number): void => {
    average_ms += NEWEST * (performance.now() - began_ms - average_ms)
    at_once -= 1
    const left = running.get(account_id)! - 1
    if (left === 0) running.delete(account_id)
    else running.set(account_id, left)
    startNext()
  }
  const full = (): ServiceError => {
    refused.queue += 1
    const retry_after_ms = waitOf(waiting.size, limits.at_once_max)
    return notNow(`${limits.waiting_max} private reads are queued`, { retry_after_ms })
  }
  const requireRoom = (account_id: string): void => {
    const queued = waiting.lengthOf(account_id)
    if (queued >= limits.waiting_of_account_max) {
      refused.account += 1
      throw tooMany(queued, waitOf(queued, limits.of_account_at_once_max))
    }
    if (waiting.size < limits.waiting_max) return
    // One account with few waiting reads has room where another has more.
    const dropped = waiting.dropFor(account_id)
    if (dropped === undefined) throw full()
    dropped.refuse(full())
  }
  const turnOf = (account_id: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.remove(account_id, entry)
        refused.wait += 1
        reject(notNow(`a private read waited ${limits.wait_ms} ms`))
      }, limits.wait_ms)
      const ended = (act: () => void): void => {
        clearTimeout(timer)
        act()
      }
      const entry: Waiting = { account_id, start: () => ended(resolve), refuse: (error) => ended(() => reject(error)) }
      waiting.push(account_id, entry)
      startNext()
    })
  return {
    run: async (account_id, read) => {
      requireRoom(account_id)
      await turnOf(account_id)
      const began_ms = performance.now()
      try {
        return await read()
      } finally {
        end(account_id, began_ms)
      }
    },
    countCut: () => {
      pages_cut += 1
    },
    stats: () => ({ waiting: waiting.size, running: at_once, refused, pages_cut }),
  }
}

function notNow(seen: string, facts: { readonly retry_after_ms?: string } = {}): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', `private reads are not possible now: ${seen}; try again`, facts)
}

function tooMany(queued: number, retry_after_ms: string): ServiceError {
  const message = `${queued} private reads of this account are queued, the maximum; wait ${retry_after_ms} ms`
  return new ServiceError('RATE_LIMIT_EXCEEDED', message, { retry_after_ms })
}
