import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import type { Nonce, NonceStore } from '../../auth/nonces.ts'
import type { Pool } from '../create-pool.ts'
import { queryOnce } from './snapshot.ts'

/** Most nonces of one statement. */
const TOGETHER_MAX = 1_000

type Waiting = Nonce & {
  readonly resolve: (known_from: Micros | null) => void
  readonly reject: (error: unknown) => void
}
type KeptRow = Nonce & { readonly known_from: Micros }

/**
 * Creates the store of nonces that all processes of a database share. One statement runs at a time and keeps all nonces that came
 * while the one before it ran, so that many requests cost little more than one.
 */
export function createNonceStore(pool: Pool): NonceStore {
  let waiting: Waiting[] = []
  let running = false

  const run = async (at: Micros): Promise<void> => {
    if (running) return
    running = true
    while (waiting.length > 0) {
      const taken = waiting.slice(0, TOGETHER_MAX)
      waiting = waiting.slice(TOGETHER_MAX)
      await keepTogether(pool, taken, at)
    }
    running = false
  }

  return {
    open: async (at) => void (await queryOnce(pool, 'keep_nonces', [[], [], formatMicros(at)])),
    keep: (nonce, at) =>
      new Promise((resolve, reject) => {
        waiting.push({ ...nonce, resolve, reject })
        void run(at)
      }),
  }
}

async function keepTogether(pool: Pool, taken: readonly Waiting[], at: Micros): Promise<void> {
  try {
    const values = [taken.map(({ key_id }) => key_id), taken.map(({ nonce }) => nonce), formatMicros(at)]
    const rows = await queryOnce<KeptRow>(pool, 'keep_nonces', values)
    const known = new Map(rows.map((row) => [`${row.key_id} ${row.nonce}`, row.known_from]))
    for (const { key_id, nonce, resolve } of taken) resolve(known.get(`${key_id} ${nonce}`) ?? null)
  } catch (error) {
    for (const { reject } of taken) reject(error)
  }
}
