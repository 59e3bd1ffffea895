import type { ServerAddress } from '../../workflows/server/server-file.ts'
import type { Environment, Settings } from '../configuration.ts'
import { type SupervisedProcess, superviseProcess } from './supervise-process.ts'

export type WorkerProcessOptions = {
  readonly settings: Settings
  readonly environment: Environment
  readonly server: ServerAddress
  /** Addresses of venues, by venue_id. */
  readonly base_urls: Readonly<Record<string, string>>
  readonly on_problem: (error: unknown) => void
  readonly on_note: (line: string) => void
}

/**
 * Starts `tidemark worker` for backfills, replays, upkeep and settlement as a separate process, so that none of them delays a tick. It is
 * restarted if it exits, and exits with this process.
 * @throws {ServiceError} its error if it does not start
 */
export function startBulkWorker(options: WorkerProcessOptions): Promise<SupervisedProcess<object>> {
  const { settings, environment, server, base_urls, on_problem, on_note } = options
  const { home, warehouse } = settings
  const argv = ['worker', '--attached', '--json', '--queue', 'bulk', 'settlement', '--no-schedules', '--home', home]
  const urls = Object.entries(base_urls).map(([venue_id, url]) => [`TIDEMARK_${venue_id.toUpperCase()}_URL`, url])
  return superviseProcess({
    name: 'worker',
    argv: () => [...argv, '--warehouse', warehouse],
    environment: {
      ...environment,
      ...Object.fromEntries(urls),
      TEMPORAL_ADDRESS: server.address,
      TEMPORAL_NAMESPACE: server.namespace,
    },
    on_problem,
    on_note,
  })
}
