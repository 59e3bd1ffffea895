import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createTransport } from '../../../client/doctor/asker.ts'

test.each([429, 503])(
  'an address that has no capacity now is asked again, below /v1 and elsewhere (%d)',
  async (status) => {
    const asked = new Map<string, number>()
    const server = createServer(({ url = '' }, response) => {
      const before = asked.get(url) ?? 0
      asked.set(url, before + 1)
      response.writeHead(before === 0 ? status : 200, { 'content-type': 'application/json', 'retry-after': '0' })
      const meta = { request_id: 'r', published_at: '2026-01-01T00:00:00Z', schema_version: '1.0' }
      response.end(
        JSON.stringify(before === 0 ? { error: { code: 'RATE_LIMITED', message: 'wait' } } : { data: 1, meta }),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const ask = createTransport(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, null).asker(
        () => undefined,
      )
      expect((await ask.site('/docs/methodologies/mth_b/1')).status).toBe(200)
      expect((await ask.again('/indexes')).status).toBe(200)
      expect([...asked.values()]).toEqual([2, 2])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  },
)

test('an address that is refused each time is an error, not a body to compare', async () => {
  const server = createServer((_, response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '0' })
    response.end(JSON.stringify({ error: { code: 'RATE_LIMIT_EXCEEDED', message: 'wait' } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const ask = createTransport(base_url, null).asker(() => undefined)
    await expect(ask.site('/docs/methodologies/mth_b/1/text')).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
    await expect(ask.again('/indexes')).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('a check ends between two attempts once its time is over', async () => {
  let attempts = 0
  const server = createServer((_, response) => {
    attempts += 1
    response.writeHead(429, { 'retry-after': '0' })
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const allow = () => {
      if (attempts > 1) throw new Error('over')
    }
    await expect(
      createTransport(base_url, null)
        .asker(() => undefined, allow)
        .site('/docs'),
    ).rejects.toThrow('over')
    expect(attempts).toBe(2)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
