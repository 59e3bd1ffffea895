import { once } from 'node:events'
import { rename } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type ServeOptions, serveApi } from '../../api/serve.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { tempFolder } from '../support/temp-folder.ts'

const OPTIONS: ServeOptions = {
  warehouse_root: join(tempFolder(), 'warehouse'),
  host: '127.0.0.1',
  port: 0,
  environment: 'test',
}

test('a process has its numbers on a port of their own, of this machine alone', async () => {
  const api = await serveApi({ ...OPTIONS, metrics_port: 0 })
  try {
    expect(api.metrics_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
    expect((await fetch(`${api.base_url}/v1/indexes`)).status).toBe(503) // there is no warehouse
    const text = await (await fetch(api.metrics_url!)).text()
    expect(text).toMatch(/tidemark_http_answers_total\{operation="list_indexes",status="503"\} 1/)
    expect(text).toContain('tidemark_stream_connections 0')
    expect(text).toContain('tidemark_reader_ready 0')
    const statusOf = async (base: string, path: string) => (await fetch(new URL(path, base))).status
    // The reader is not ready, so a path that is there answers 503.
    for (const [base, expected] of [
      [api.base_url, 404],
      [api.metrics_url!, 503],
    ] as const)
      expect([base, await statusOf(base, '/internal/ingest')]).toEqual([base, expected])
    expect(await statusOf(api.base_url, '/metrics')).toBe(404)
    expect(await statusOf(api.metrics_url!, '/healthz')).toBe(200)
  } finally {
    await api.close()
  }
  await expect(fetch(api.metrics_url!)).rejects.toThrow()
})

test('a warehouse that goes away, and its return, have a line each', async () => {
  const root = join(tempFolder(), 'warehouse')
  const warehouse = await openWarehouse({ root, create: true })
  await warehouse.log('index_link').create()
  await warehouse.close()
  const lines: string[] = []
  const logger = {
    error: () => undefined,
    refused: () => undefined,
    warn: (_: object, text: string) => lines.push(text),
  }
  const api = await serveApi({ ...OPTIONS, warehouse_root: root, logger })
  const told = async (text: RegExp) => {
    while (!lines.some((line) => text.test(line))) await sleep(20)
  }
  try {
    await rename(root, `${root}-away`)
    await told(/^answers are stale, the warehouse cannot be followed: log file .* is missing$/)
    await rename(`${root}-away`, root)
    await told(/^the warehouse is followed again$/)
  } finally {
    await api.close()
  }
}, 60_000)

test('metrics at an address of a network have health beside them, and nothing of the API or of operators', async () => {
  const api = await serveApi({ ...OPTIONS, metrics_host: '0.0.0.0', metrics_port: 0 })
  try {
    const at = (path: string) => new URL(path, api.metrics_url!.replace('0.0.0.0', '127.0.0.1'))
    const statusOf = async (path: string) => (await fetch(at(path))).status
    expect(await (await fetch(at('/metrics'))).text()).toContain('tidemark_reader_ready 0')
    const statuses = Object.fromEntries(await Promise.all(PATHS.map(async (path) => [path, await statusOf(path)])))
    expect(statuses).toEqual({ '/healthz': 200, '/readyz': 503, '/internal/ingest': 404, '/v1/indexes': 404, '/': 404 })
  } finally {
    await api.close()
  }
})
const PATHS = ['/healthz', '/readyz', '/internal/ingest', '/v1/indexes', '/'] as const

test('a process that ends answers what a kept connection asks, and ends it; a new one is refused', async () => {
  const api = await serveApi({ ...OPTIONS, drain_ms: 60_000 }) // it ends when the connection does
  const { port } = new URL(api.base_url)
  const kept = connect(Number(port), '127.0.0.1')
  const ask = async () => {
    kept.write('GET /healthz HTTP/1.1\r\nHost: api.example\r\n\r\n')
    const [bytes] = (await once(kept, 'data')) as [Buffer]
    return bytes.toString().toLowerCase()
  }
  expect(await ask()).toContain('connection: keep-alive')
  const closed = api.close()
  for (;;) {
    const other = connect(Number(port), '127.0.0.1')
    const refused = await once(other, 'connect').then(
      () => false,
      () => true,
    )
    other.destroy()
    if (refused) break
    // The process ends after turns without a new connection.
    for (let turns = 0; turns < 10; turns += 1) await new Promise((next) => setImmediate(next))
  }
  const answer = await ask()
  expect(answer).toMatch(/^http\/1\.1 200 /)
  expect(answer).toContain('connection: close')
  await once(kept, 'end')
  kept.destroy()
  await closed
})

test('a process that is not asked counts nothing; a port for numbers that is taken is refused, and nothing is served', async () => {
  const api = await serveApi(OPTIONS)
  expect(api.metrics_url).toBeNull()
  await api.close()
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  await expect(serveApi({ ...OPTIONS, metrics_port: port })).rejects.toMatchObject({
    code: 'VALIDATION_USAGE_INVALID',
    message: expect.stringMatching(
      new RegExp(
        `^metrics-port is ${port} at 127\\.0\\.0\\.1: another process listens there; .*--metrics-port 0 finds one`,
      ),
    ),
  })
  await new Promise((resolve) => other.close(resolve))
})
