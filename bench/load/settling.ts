import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { measureBacklog } from '../../operations/settlement/measure-backlog.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import type { Pool } from '../../trading/store/create-pool.ts'
import { settlementWork } from '../../trading/store/settlement/settlement-work.ts'
import type { StartedPostgres } from '../../trading/store/start-postgres.ts'
import { spawnTidemark } from './served-processes.ts'

/** Settlement backlog: its maximum, its size at the last order's answer, and the time until it was empty. */
export type BacklogFigures = {
  readonly max: number
  readonly oldest_max_ms: number
  readonly end: number
  /** null if some were still waiting after `DRAIN_MAX_MS`. */
  readonly drained_ms: number | null
  readonly confirmed: number
}

export type Settling = {
  readonly pid: number
  /** Samples the backlog; called once a second. */
  sample(): Promise<void>
  /** Waits for an empty backlog after the last order. */
  drain(): Promise<BacklogFigures>
  close(): Promise<void>
}

const DRAIN_MAX_MS = 60_000
const LOOK_MS = 200

/** Starts `tidemark settlement run` over the database and watches its backlog. */
export function startSettling(home: string, { url, pool }: StartedPostgres): Settling {
  const child = spawnTidemark(['settlement', 'run'], { ...process.env, TIDEMARK_HOME: home, DATABASE_URL: url })
  const work = settlementWork(pool)
  let [max, oldest_max_ms] = [0, 0]
  const waiting = async () => {
    const backlog = await measureBacklog(work, wallClock())
    for (const { oldest_ms } of backlog) oldest_max_ms = Math.max(oldest_max_ms, oldest_ms ?? 0)
    const count = backlog.reduce((sum, { pending, submitted, retrying }) => sum + pending + submitted + retrying, 0)
    max = Math.max(max, count)
    return count
  }
  return {
    pid: child.pid!,
    sample: async () => void (await waiting()),
    async drain() {
      const from = performance.now()
      const end = await waiting()
      let left = end
      while (left > 0 && performance.now() - from < DRAIN_MAX_MS) {
        await sleep(LOOK_MS)
        left = await waiting()
      }
      const drained_ms = left > 0 ? null : Math.round(performance.now() - from)
      return { max, oldest_max_ms, end, drained_ms, confirmed: await confirmedIn(pool) }
    },
    async close() {
      const ended = once(child, 'exit')
      if (child.kill('SIGTERM')) await ended
    },
  }
}

async function confirmedIn(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM trading.settlement WHERE state = 'confirmed'",
  )
  return rows[0]!.count
}
