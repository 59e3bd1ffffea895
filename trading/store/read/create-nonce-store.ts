import { setTimeout as sleep } from 'node:timers/promises'
import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import type { Nonce, NonceStore } from '../../auth/nonces.ts'
import type { Pool } from '../create-pool.ts'
import { queryOnce } from './snapshot.ts'

/** Most nonces of one statement. */
const TOGETHER_MAX = 1_000
/** Time between the beginnings of two statements, if nonces came while the first one ran: a lone caller never waits. */
const APART_MS = 3

type Waiting = Nonce & {
  readonly at: Micros
  readonly resolve: (known_from: Micros | null) => void
  readonly reject: (error: unknown) => void
}
type KeptRow = Nonce & { readonly known_from: Micros }

/**
 * Creates the store of nonces that all processes of a database share. One statement runs at a time and keeps all nonces that came
 * since the one before it began, so that many requests cost little more than one.
 */
export function createNonceStore(pool: Pool, apart_ms = APART_MS): NonceStore {
  const waiting: Waiting[] = []
  let running = false

  const run = async (): Promise<void> => {
    if (running) return
    running = true
    while (waiting.length > 0) {
      const begun_ms = performance.now()
      await keepTogether(pool, waiting.splice(0, TOGETHER_MAX))
      const left_ms = Math.floor(begun_ms + apart_ms - performance.now())
      if (left_ms > 0 && waiting.length > 0) await sleep(left_ms)
    }
    running = false
  }

  return {
    open: async (at) => void (await queryOnce(pool, 'keep_nonces', [[], [], formatMicros(at)])),
    keep: (nonce, at) =>
      new Promise((resolve, reject) => {
        waiting.push({ ...nonce, at, resolve, reject })
        void run()
      }),
  }
}

/** All are kept as of the last one's instant: an earlier one would let the others be deleted too early. */
async function keepTogether(pool: Pool, taken: readonly Waiting[]): Promise<void> {
  try {
    const values = [taken.map(({ key_id }) => key_id), taken.map(({ nonce }) => nonce), formatMicros(taken.at(-1)!.at)]
    const rows = await queryOnce<KeptRow>(pool, 'keep_nonces', values)
    const known = new Map(rows.map((row) => [`${row.key_id} ${row.nonce}`, row.known_from]))
    for (const { key_id, nonce, resolve } of taken) resolve(known.get(`${key_id} ${nonce}`) ?? null)
  } catch (error) {
    for (const { reject } of taken) reject(error)
  }
}
