import type { ServerAddress } from '../../workflows/server/server-file.ts'
import type { Environment, Settings } from '../configuration.ts'
import type { ProcessBoard } from './process-board.ts'
import { type SupervisedProcess, superviseProcess } from './supervise-process.ts'

export type WorkerProcessOptions = {
  readonly settings: Settings
  readonly environment: Environment
  readonly board: ProcessBoard
  readonly server: ServerAddress
  /** Addresses of venues, by venue_id. */
  readonly base_urls: Readonly<Record<string, string>>
  readonly on_problem: (error: unknown) => void
  readonly on_note: (line: string) => void
}

type WorkerReady = { readonly metrics_url: string }

/**
 * Starts `tidemark worker` for backfills, replays, upkeep and settlement as a separate process, so that none of them delays a tick. It is
 * restarted if it exits, and exits with this process.
 * @throws {ServiceError} its error if it does not start
 */
export function startBulkWorker(options: WorkerProcessOptions): Promise<SupervisedProcess<WorkerReady>> {
  const { settings, environment, board, server, base_urls, on_problem, on_note } = options
  const { home, warehouse } = settings
  const argv = ['worker', '--attached', '--json', '--queue', 'bulk', 'settlement', '--no-schedules', '--home', home]
  const urls = Object.entries(base_urls).map(([venue_id, url]) => [`TIDEMARK_${venue_id.toUpperCase()}_URL`, url])
  return superviseProcess({
    name: 'worker',
    argv: (before) => [
      ...argv,
      '--warehouse',
      warehouse,
      ...(before === null ? [] : ['--metrics', new URL(before.metrics_url).host]),
    ],
    board,
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
