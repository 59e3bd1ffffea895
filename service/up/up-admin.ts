import { createMetricSet } from '../../api/admin/metric-set.ts'
import { logMetrics } from '../metrics/log-metrics.ts'
import { type ProcessAdmin, serveAdmin } from '../metrics/process-admin.ts'
import type { UpRun } from './up-options.ts'

/**
 * Serves the admin address of `tidemark up`: its own metrics, whether the service is ready, and at /targets the metrics of all
 * processes, and at /faults the address of the faults of each simulated venue.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the port is taken
 */
export async function openUpAdmin(run: UpRun, isReady: () => boolean): Promise<ProcessAdmin> {
  const { options, settings, output, board } = run
  const set = createMetricSet()
  logMetrics(set, output)
  board.addTo(set)
  const admin = await serveAdmin({
    address: { name: 'metrics-port', host: settings.metrics_host, port: options.metricsPort ?? 0 },
    metrics: set,
    readiness: () => ({ ready: isReady() && board.missing().length === 0, missing: board.missing() }),
    pages: { '/targets': (host) => board.targets(host), '/faults': () => board.venues() },
  })
  board.started('up', admin.metrics_url)
  return admin
}
