import { createMetricSet, type MetricSet } from '../../api/admin/metric-set.ts'
import { freePort } from '../../workflows/server/free-port.ts'
import type { Output } from '../output.ts'
import { logMetrics } from './log-metrics.ts'
import { type ProcessAdmin, serveAdmin } from './process-admin.ts'

export type WorkerAdmin = ProcessAdmin & {
  /** Address of the metrics of the core of Temporal's SDK, which /metrics of the worker includes. */
  readonly core_address: string
}

const HOST = '127.0.0.1'
const CORE_MS = 2_000

/**
 * Serves the admin address of a worker: its own metrics and those of Temporal's SDK.
 * @param address  host:port; port 0 picks a free one
 * @param waitsFor  what the worker waits for; null: it has work
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the address is taken or may not be listened at
 */
export async function openWorkerAdmin(
  address: string,
  output: Output,
  waitsFor: () => string | null,
): Promise<WorkerAdmin> {
  const core_address = `${HOST}:${await freePort(HOST)}`
  const set = workerMetrics(() => waitsFor() === null)
  logMetrics(set, output)
  const text = async () => `${await set.text()}${await coreText(core_address)}`
  const split = address.lastIndexOf(':')
  const admin = await serveAdmin({
    address: {
      name: 'metrics',
      host: address.slice(0, split).replace(/^\[|\]$/g, ''),
      port: Number(address.slice(split + 1)),
    },
    metrics: { content_type: set.content_type, text },
    readiness: () => readinessOf(waitsFor()),
  })
  return { ...admin, core_address }
}

function readinessOf(reason: string | null) {
  return reason === null ? { ready: true } : { ready: false, reason }
}

/** Creates the metrics of a worker without those of the SDK. */
export function workerMetrics(isReady: () => boolean): MetricSet {
  const set = createMetricSet()
  set.gauge('tidemark_worker_ready', '1: the worker has work of a Temporal server; 0: it waits for one.', () =>
    Number(isReady()),
  )
  return set
}

/** Reads the metrics of the SDK's core; there are none before the first connection to a server. */
async function coreText(core_address: string): Promise<string> {
  try {
    const answer = await fetch(`http://${core_address}/metrics`, { signal: AbortSignal.timeout(CORE_MS) })
    return answer.ok ? await answer.text() : ''
  } catch {
    return ''
  }
}
