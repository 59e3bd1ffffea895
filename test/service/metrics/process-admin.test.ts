import { createServer, get } from 'node:http'
import { expect, test } from 'vitest'
import { createMetricSet } from '../../../api/admin/metric-set.ts'
import { serveAdmin } from '../../../service/metrics/process-admin.ts'
import { createProcessBoard } from '../../../service/up/process-board.ts'

test('an admin address has metrics, health and readiness, and names what it has', async () => {
  let ready = false
  const board = createProcessBoard()
  board.started('api', 'http://127.0.0.1:9001/metrics')
  board.started('engine', 'http://127.0.0.1:9002/metrics')
  board.started('worker', 'http://0.0.0.0:9003/metrics')
  board.ended('engine')
  const set = createMetricSet()
  board.addTo(set)
  const admin = await serveAdmin({
    address: { name: 'metrics-port', host: '127.0.0.1', port: 0 },
    metrics: set,
    readiness: () => ({ ready, missing: board.missing() }),
    pages: { '/targets': (host) => board.targets(host) },
  })
  try {
    const ask = async (path: string) => {
      const answer = await fetch(new URL(path, admin.metrics_url))
      return [answer.status, await answer.text()] as const
    }
    const [status, text] = await ask('/metrics')
    expect(status).toBe(200)
    expect(text).toContain('tidemark_process_running{process="engine"} 0')
    expect(text).toContain('tidemark_process_starts_total{process="api"} 1')
    expect(text).toContain('nodejs_eventloop_lag_seconds')
    expect((await ask('/healthz'))[0]).toBe(200)
    expect(await ask('/readyz')).toEqual([503, '{"status":"unavailable","missing":["engine"]}\n'])
    ready = true
    expect((await ask('/readyz'))[0]).toBe(200)
    expect(JSON.parse((await ask('/targets'))[1])).toEqual([
      { targets: ['127.0.0.1:9001'], labels: { process: 'api' } },
      { targets: ['127.0.0.1:9002'], labels: { process: 'engine' } },
      { targets: ['127.0.0.1:9003'], labels: { process: 'worker' } }, // listens everywhere: as this one was reached
    ])
    // A page whose name server answers with a loopback address sends its own name.
    for (const host of ['evil.com', 'localhost.evil.com:80', '127.0.0.1.evil.com'])
      expect(await statusByHost(admin.metrics_url, host)).toBe(421)
    for (const host of ['localhost:9001', '[::1]:9001', 'metrics.localhost'])
      expect(await statusByHost(admin.metrics_url, host)).toBe(200)
    expect(await ask('/other')).toEqual([404, expect.stringContaining('/healthz')])
  } finally {
    admin.close()
  }
})

function statusByHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { host }, agent: false }, (answer) => resolve(answer.resume().statusCode)).on('error', reject)
  })
}

test('a taken port is refused in one sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const address = { name: 'metrics-port', host: '127.0.0.1', port }
  await expect(
    serveAdmin({ address, metrics: createMetricSet(), readiness: () => ({ ready: true }) }),
  ).rejects.toMatchObject({ code: 'VALIDATION_USAGE_INVALID', message: expect.stringContaining('another process') })
  other.close()
})
