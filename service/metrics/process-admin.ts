import type { ServerResponse } from 'node:http'
import { listenForMetrics } from '../../api/admin/listen.ts'
import type { MetricSet } from '../../api/admin/metric-set.ts'
import { createMetricsServer } from '../../api/admin/metrics-server.ts'
import type { Address } from '../../primitives/address-refused.ts'

/** Whether a process does its work, with facts for people. */
type Readiness = { readonly ready: boolean } & Readonly<Record<string, unknown>>

export type AdminOptions = {
  readonly address: Address
  readonly metrics: Pick<MetricSet, 'content_type' | 'text'>
  readonly readiness: () => Readiness
  /** Further paths and their JSON values, from the host by which the caller reached this address. */
  readonly pages?: Readonly<Record<string, (host: string) => unknown>>
}

export type ProcessAdmin = {
  readonly metrics_url: string
  close(): void
}

/**
 * Serves the admin address of a process that is not the API: /metrics, /healthz (it responds) and /readyz (it works).
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the address is taken or may not be listened at
 */
export async function serveAdmin({ address, metrics, readiness, pages = {} }: AdminOptions): Promise<ProcessAdmin> {
  const server = createMetricsServer(metrics, ({ url = '', headers }, response) => {
    const page = pages[url]
    if (url === '/healthz') answer(response, 200, { status: 'ok' })
    else if (url === '/readyz') answerReadiness(response, readiness())
    else if (page !== undefined) answer(response, 200, page((headers.host ?? '').replace(/:\d+$/, '')))
    else
      answer(response, 404, {
        error: `there are /metrics, /healthz, /readyz${Object.keys(pages).map((path) => `, ${path}`)}`,
      })
  })
  const metrics_url = await listenForMetrics(server, address)
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { metrics_url, close }
}

function answerReadiness(response: ServerResponse, { ready, ...facts }: Readiness): void {
  answer(response, ready ? 200 : 503, { status: ready ? 'ok' : 'unavailable', ...facts })
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(`${JSON.stringify(body)}\n`)
}
