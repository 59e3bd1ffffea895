import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { tidemark } from '../../support/run-cli.ts'

/** The doctor against services of others: one sentence, never an internal error, never green. */
const META = { request_id: 'r', published_at: '2026-01-01T00:00:00Z', schema_version: '1.0' }
const CAPABILITIES = { data: { venues: [], limit_classes: [], signed_requests: { available: false } }, meta: META }

test.each([
  ['a list where an object is due', { '/v1/capabilities': { data: [], page: { next_cursor: null }, meta: META } }],
  ['no data', { '/v1/capabilities': { data: null, meta: META } }],
  ['null', { '/v1/capabilities': null }],
  ['capabilities alone', { '/v1/capabilities': CAPABILITIES }],
])('%s', async (_name, answers: Readonly<Record<string, unknown>>) => {
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers[url.split('?')[0]!] ?? null))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { exit_code, stderr } = await tidemark(['doctor', '--base-url', base_url, '--budget', 'PT5S'])
    expect(exit_code).not.toBe(0)
    expect(stderr).not.toContain('internal error')
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
