import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROUTE_HANDLERS } from '../../api/routes/handlers.ts'
import { createApiServer } from '../../api/server/create-api-server.ts'
import { apiAt } from '../../console/data/api-client.ts'
import { pointsOfDay } from '../../console/data/index-day.ts'
import { listIndexes } from '../../console/data/reads.ts'
import { createTurns } from '../../console/data/turns.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { IndexDay } from '../../protocol/resources/index-resource.ts'
import type { LineAsked } from '../../warehouse/reader/history/asked.ts'
import type { Reader } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { index, levelRow, versionRow } from '../api/stream/small-world.ts'
import { fakeReader } from '../support/fake-reader.ts'

/** The list of the page over the real routes with their usual limits, of 200 indexes; every tenth has no level. */
const COUNT = 200
const NOW = toMicros('2026-01-02T00:00:00Z')
const BUCKET: Micros = 900_000_000
const IDS = Array.from({ length: COUNT }, (_, n) => `idx_n${String(n).padStart(3, '0')}`)
const hasLevel = (index_id: string) => !index_id.endsWith('0')
const urls: string[] = []
const statuses: number[] = []
const signal = new AbortController().signal
let app: FastifyInstance

const stamped = (row: Row): Row => ({ ...row, published_at: formatMicros(NOW) })
const latestOf = (index_id: string): Row =>
  stamped(levelRow(index_id, 0, { tick_at: formatMicros(NOW), source_cutoff_at: formatMicros(NOW), level: '42.5000' }))
/** A constituent of Kalshi in every other index. */
const versionOf = (index_id: string, n: number): Row => ({
  ...versionRow(index_id),
  constituents: [{ constituent_id: 'con', market_mapping: { venue_id: n % 2 === 0 ? 'kalshi' : 'manifold' } }],
})

function reader(): Reader {
  const indexes = IDS.map(index)
  const versions = IDS.map(versionOf)
  const base = fakeReader({
    now: () => NOW,
    catalog: { indexes: () => indexes, index: byId(indexes, 'index_id'), version: byId(versions, 'index_version_id') },
  })
  const line = ({ index_id, to }: LineAsked): Row[] =>
    Array.from({ length: 97 }, (_, n) => ({
      index_id,
      source_cutoff_at: formatMicros(to - (n + 1) * BUCKET),
      level: `${40 + (n % 5)}.0000`,
    }))
  return {
    ...base,
    simulatedVenues: () => new Set(['kalshi']),
    latest: { ...base.latest, observation: (id) => (hasLevel(id) ? { row: latestOf(id), seq: 1 } : null) },
    history: { ...base.history, levelLines: async (asked) => asked.flatMap(line) },
  }
}

function byId(rows: readonly Row[], id: string): (wanted: string) => Row | null {
  return (wanted) => rows.find((row) => row[id] === wanted) ?? null
}

const api = apiAt(null, {
  fetch: async (url) => {
    urls.push(url)
    const { statusCode, body } = await app.inject(url)
    statuses.push(statusCode)
    return new Response(body, { status: statusCode })
  },
  turns: createTurns(async () => undefined),
})

beforeAll(async () => {
  app = await createApiServer({ reader: reader(), handlers: ROUTE_HANDLERS, environment: 'test' })
})
afterAll(() => app.close())

describe('the list of 200 indexes', () => {
  test('is one request, which no limit refuses, with what is not known as such', async () => {
    const found = await listIndexes(api, signal)
    expect(urls).toEqual(['/v1/indexes?expand=latest%2Cday&limit=200'])
    expect(found.map(({ index_id }) => index_id)).toEqual(IDS)
    for (const [n, one] of found.entries()) {
      expect(one.simulated).toBe(n % 2 === 0)
      if (!hasLevel(one.index_id)) expect([one.latest, one.day]).toEqual([null, null])
      else expect([one.latest!.level, one.day!.base_level, one.day!.levels.length]).toEqual(['42.5000', '41.0000', 98])
    }
  })

  test('can be read again at once: its cost is that of its bytes', async () => {
    for (let times = 0; times < 2; times++) await listIndexes(api, signal)
    expect(new Set(statuses)).toEqual(new Set([200]))
    const { headers } = await app.inject('/v1/indexes?expand=latest,day&limit=200')
    expect(Number(headers['svc-ratelimit-cost'])).toBeLessThanOrEqual(5)
  })
})

describe('the line of a day', () => {
  const day = {
    start_time: '2026-01-01T00:00:00Z',
    end_time: '2026-01-01T01:00:00Z',
    interval: 'PT15M',
    levels: ['1.5000', null, '2.0000', '3.0000'],
  } as IndexDay

  test('ends at the latest level, skips what is not known, and draws no bucket that is still open', () => {
    const at = (time: string) => Date.parse(`2026-01-01T${time}Z`)
    expect(pointsOfDay(day, { tick_at: '2026-01-01T00:50:00Z', level: '3.2500' })).toEqual([
      { x: at('00:15:00'), y: 1.5 },
      { x: at('00:45:00'), y: 2 },
      { x: at('00:50:00'), y: 3.25 },
    ])
    expect(pointsOfDay(day, { tick_at: '2026-01-01T00:50:00Z', level: null })).toHaveLength(2)
    expect(pointsOfDay(null, { tick_at: '2026-01-01T00:50:00Z', level: null })).toEqual([])
  })
})
