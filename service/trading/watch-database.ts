import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../primitives/errors.ts'
import type { Pool } from '../../trading/store/create-pool.ts'
import { outageNotes } from '../outage-notes.ts'
import type { Output } from '../output.ts'

/** Interval between two looks, and the longest wait for an answer. */
const TIMES = { look_ms: 5_000, answer_ms: 10_000 } as const
/** Looks in a row without an answer: a server that is restarted misses one. */
const MISSES_MAX = 2

type WatchOptions = {
  readonly pool: Pick<Pool, 'query'>
  readonly output: Pick<Output, 'log'>
  /** Called when it answers for the first time, and again after an outage. */
  readonly onAnswer?: () => Promise<void>
  readonly times?: typeof TIMES | { readonly look_ms: number; readonly answer_ms: number }
}

/**
 * Watches the trading database of a process: a warning says that it does not answer, again at growing intervals, and a line that it
 * does again. The first look is at once.
 * @returns a function that ends it
 */
export function watchDatabase({ pool, output, onAnswer, times = TIMES }: WatchOptions): () => void {
  const end = new AbortController()
  const { signal } = end
  const notes = outageNotes((text, is_over) => output.log(is_over ? 'info' : 'warn', text))
  let asked: Promise<unknown> | null = null
  /** Waits for one question at a time: those that hang would take all connections of the pool. */
  const ask = async () => {
    asked ??= pool.query('SELECT').finally(() => {
      asked = null
    })
    const late = sleep(times.answer_ms, undefined, { signal, ref: false }).then(() => {
      throw new ServiceError('SERVICE_UNAVAILABLE', `no answer within ${times.answer_ms / 1_000} s`)
    })
    late.catch(() => undefined) // the question was answered before
    await Promise.race([asked, late])
  }
  const watch = async () => {
    let misses = Number.POSITIVE_INFINITY
    for (let looks = 0; !signal.aborted; looks += 1) {
      try {
        await ask()
        if (misses >= MISSES_MAX) await onAnswer?.()
        misses = 0
        notes.report(null)
      } catch (error) {
        if (signal.aborted) return
        misses += 1
        if (Math.min(misses, looks + 1) >= MISSES_MAX)
          notes.report({ cause: 'database', text: `the trading database does not answer: ${reasonOf(error)}` })
      }
      await sleep(times.look_ms, undefined, { signal, ref: false })
    }
  }
  watch().catch(() => undefined) // the end of its wait
  return () => end.abort()
}

/** Returns the reason of a failed query; several addresses that were tried have only a code in common. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { readonly message?: string; readonly code?: string }
  return message || code || String(error)
}
