import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAdminServer } from '../../../api/server/create-admin-server.ts'
import { createApiServer } from '../../../api/server/create-api-server.ts'
import { createMetrics } from '../../../api/server/metrics.ts'
import { toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { fakeHandlers } from '../../support/fake-handlers.ts'
import { fakeReader, NO_STREAMS } from '../../support/fake-reader.ts'

const NOW = toMicros('2026-01-05T10:00:00Z')
const health = (venue_id: string, state: string, source_at: string) => {
  const counts = { gaps: 1, quarantined: 2, records_new: 3, sessions: 4 }
  return { health_id: 'ihl_a', venue_id, state, source_at, last_success_at: source_at, last_source_at: null, ...counts }
}
const act = (schedule_id: string, kind: string) => {
  return { schedule_id, act: kind, actor: 'ada', reason: 'wrong books', source_at: '2026-01-05T09:58:00Z' }
}
const PAUSED = act('ingest-venue/gdacs', 'paused')
const RESUMED = act('publish-tick', 'resumed')
const BACKFILLS = [
  ['planning', '2026-01-05T09:57:31Z'],
  ['planning', '2026-01-05T09:57:29Z'],
  ['running', '2026-01-05T09:57:29.5Z'],
  ['failed', '2026-01-04T00:00:00Z'],
].map(([state, updated_at], n) => {
  return { backfill_id: `bkf_${updated_at}`, state, updated_at, chunks_total: 9, chunks_done: n } as Row
})
const NO_STREAM = () => NO_STREAMS
let app: FastifyInstance
let admin: Server

beforeAll(async () => {
  const reader = fakeReader({
    now: () => NOW,
    operations: {
      ingest: async (as_of) =>
        as_of === null
          ? [
              health('kalshi', 'ok', '2026-01-05T09:59:30Z'),
              health('usgs', 'ok', '2026-01-05T09:57:29Z'),
              health('gdacs', 'ok', '2026-01-05T09:57:29Z'),
            ]
          : [{ ...health('kalshi', 'down', '2026-01-05T08:00:00Z'), problem: 'kalshi is away' }],
      scheduleActs: async (as_of) => (as_of === null ? [PAUSED, RESUMED] : []),
      backfills: async () => BACKFILLS,
    },
  })
  app = await createApiServer({ reader, handlers: fakeHandlers(), environment: 'test' })
  const metrics = createMetrics({
    status: reader.status,
    now_ms: () => 0,
    stream: NO_STREAM,
    poisoned_submissions: null,
  })
  admin = createAdminServer(metrics, app, true).listen(0, '127.0.0.1')
  await once(admin, 'listening')
})
afterAll(async () => {
  admin.close()
  await app.close()
})

/** Asks the admin server, whose requests are handed to the routes of the API. */
const get = async (url: string, headers: Record<string, string> = {}) => {
  const { port } = admin.address() as AddressInfo
  return new Promise<{ statusCode: number; headers: IncomingHttpHeaders; json: () => ReturnType<typeof JSON.parse> }>(
    (resolve, reject) => {
      const asked = { port, path: url, headers: { host: '127.0.0.1:8080', ...headers }, agent: false }
      httpRequest(asked, async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        const text = Buffer.concat(chunks).toString()
        resolve({ statusCode: response.statusCode!, headers: response.headers, json: () => JSON.parse(text) })
      })
        .on('error', reject)
        .end()
    },
  )
}

test('the last reports of workers; a venue without reports is silent after two and a half minutes', async () => {
  const answer = await get('/internal/ingest')
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
  const { venues, as_of, now } = answer.json()
  expect([as_of, now]).toEqual([null, '2026-01-05T10:00:00Z'])
  expect(venues.map(({ venue_id, state }: Record<string, string>) => [venue_id, state])).toEqual([
    ['kalshi', 'ok'],
    ['usgs', 'silent'],
    ['gdacs', 'paused'],
  ])
  expect(venues[0]).toMatchObject({ observed_at: '2026-01-05T09:59:30Z', gaps: 1, quarantined: 2, records_new: 3 })
})

test('a parameter that is not there is refused by its name', async () => {
  const answer = await get('/internal/ingest?venue=kalshi')
  expect(answer.statusCode).toBe(400)
  expect(answer.json().error).toMatchObject({ code: 'VALIDATION_PARAMETER_UNKNOWN' })
})

test('an unfinished backfill without reports is interrupted; its end stays', async () => {
  const { backfills } = (await get('/internal/ingest')).json()
  expect(backfills.map(({ state }: Record<string, string>) => state)).toEqual([
    ...['planning', 'interrupted', 'interrupted', 'failed'],
  ])
})

test('the progress of a backfill is told in chunks', async () => {
  const { backfills } = (await get('/internal/ingest')).json()
  expect(backfills.map(({ chunks_total, chunks_done }: Row) => [chunks_total, chunks_done])).toEqual([
    ...[0, 1, 2, 3].map((done) => [9, done]),
  ])
})

test('what people have paused, with who, when and why; nothing that runs again', async () => {
  expect((await get('/internal/ingest')).json().pauses).toEqual([
    {
      schedule_id: 'ingest-venue/gdacs',
      paused_by: 'ada',
      paused_at: '2026-01-05T09:58:00Z',
      reason: 'wrong books',
    },
  ])
})

test('as of an instant: as it was then; one that was down and is not reported since is silent', async () => {
  const { as_of, venues } = (await get('/internal/ingest?as_of=2026-01-05T09:00:00Z')).json()
  expect([as_of, venues[0].state, venues[0].problem]).toEqual(['2026-01-05T09:00:00Z', 'silent', 'kalshi is away'])
  expect((await get('/internal/ingest?as_of=yesterday')).json().error.code).toBe('VALIDATION_INSTANT_INVALID')
})

test('a request by the name of another host is refused', async () => {
  const answer = await get('/internal/ingest', { host: 'evil.example' })
  expect([answer.statusCode, answer.json().error]).toEqual([421, expect.stringContaining('Host is "evil.example"')])
})

test.each([
  ['a proxy', { 'x-forwarded-for': '10.0.0.7' }],
  ['another proxy', { forwarded: 'for=10.0.0.7' }],
])('to %s there is no such path', async (_who, headers) => {
  const answer = await get('/internal/ingest', headers)
  expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'ROUTE_NOT_FOUND'])
})

test('the address of the API has no such path, whatever it is asked', async () => {
  for (const headers of [{}, { host: '127.0.0.1:8080' }, { host: 'localhost' }]) {
    const answer = await app.inject({ url: '/internal/ingest', headers, remoteAddress: '127.0.0.1' })
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'ROUTE_NOT_FOUND'])
  }
})

test('no page of another site may read it', async () => {
  const answer = await get('/internal/ingest', { origin: 'https://evil.example' })
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})
