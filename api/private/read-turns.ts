import { ServiceError } from '../../primitives/errors.ts'
import { FairTurns } from '../../primitives/fair-turns.ts'
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

type Waiting = { readonly caller: string; start(): void; refuse(error: ServiceError): void }

/** Creates the turns: the next read is of the account that was served longest ago. */
export function createReadTurns(limits: ReadTurnLimits = ACCOUNT_READS): ReadTurns {
  const turns = new FairTurns<Waiting>({
    ...limits,
    of_caller_at_once_max: limits.of_account_at_once_max,
    waiting_of_caller_max: limits.waiting_of_account_max,
  })
  const refused: Record<Refusal, number> = { account: 0, queue: 0, wait: 0 }
  let pages_cut = 0
  const full = (): ServiceError => {
    refused.queue += 1
    const retry_after_ms = String(turns.wait_ms)
    return notNow(`${limits.waiting_max} private reads are queued`, { retry_after_ms })
  }
  const queue = (entry: Waiting): void => {
    const outcome = turns.add(entry, (dropped) => dropped.refuse(full()))
    if (outcome === 'queue') throw full()
    if (outcome === 'added') return
    refused.account += 1
    throw tooMany(limits.waiting_of_account_max, String(turns.waitOfCaller_ms(entry.caller)))
  }
  const startNext = (): void => {
    while (turns.running < limits.at_once_max) {
      const next = turns.next()
      if (next === undefined) return
      next.start()
    }
  }
  /** Waits for the turn; the entry ends it. */
  const turnOf = (caller: string): Promise<Waiting> =>
    new Promise((resolve, reject) => {
      const entry: Waiting = {
        caller,
        start: () => {
          clearTimeout(timer)
          resolve(entry)
        },
        refuse: (error) => {
          clearTimeout(timer)
          reject(error)
        },
      }
      queue(entry)
      const timer = setTimeout(() => {
        turns.withdraw(entry)
        refused.wait += 1
        reject(notNow(`a private read waited ${limits.wait_ms} ms`))
      }, limits.wait_ms)
      startNext()
    })
  return {
    run: async (account_id, read) => {
      const entry = await turnOf(account_id)
      const began_ms = performance.now()
      try {
        return await read()
      } finally {
        turns.ended(entry, performance.now() - began_ms)
        startNext()
      }
    },
    countCut: () => {
      pages_cut += 1
    },
    stats: () => ({ waiting: turns.waiting, running: turns.running, refused, pages_cut }),
  }
}

function notNow(seen: string, facts: { readonly retry_after_ms?: string } = {}): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', `private reads are not possible now: ${seen}; try again`, facts)
}

function tooMany(queued: number, retry_after_ms: string): ServiceError {
  const message = `${queued} private reads of this account are queued, the maximum; wait ${retry_after_ms} ms`
  return new ServiceError('RATE_LIMIT_EXCEEDED', message, { retry_after_ms })
}
