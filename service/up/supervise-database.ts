import { waitFor } from '../../operations/live/wait-for.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { isAlive } from '../../trading/store/postgres/postmaster-file.ts'
import type { StartedPostgres } from '../../trading/store/start-postgres.ts'
import type { Settings } from '../configuration.ts'
import { recordNamed } from '../trading/named-database.ts'
import { openDatabase } from '../trading/open-database.ts'

/** Trading database of a service. */
export type SupervisedDatabase = {
  readonly pool: StartedPostgres['pool']
  close(): Promise<void>
}

const LOOK_MS = 500

/**
 * Opens the trading database and supervises it: an embedded server that exits is restarted, and its users reconnect.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: it does not start
 */
export async function superviseDatabase(
  settings: Settings,
  on_problem: (error: unknown) => void,
): Promise<SupervisedDatabase> {
  const closing = new AbortController()
  const first = await openDatabase(settings)
  recordNamed(settings)
  let current = first
  const watched = watch()
  return {
    pool: first.pool,
    close: async () => {
      closing.abort()
      await watched
      await current.stop()
      if (current !== first) await first.pool.end()
    },
  }

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      await waitFor(LOOK_MS, closing.signal)
      const { server_pid } = current
      if (closing.signal.aborted || server_pid === null || isAlive(server_pid)) continue
      on_problem(new ServiceError('SERVICE_UNAVAILABLE', 'the trading database stopped; restarting it'))
      await startAgain().catch(on_problem)
    }
  }

  async function startAgain(): Promise<void> {
    const former = current
    current = await openDatabase(settings)
    if (former !== first) await former.pool.end()
  }
}
