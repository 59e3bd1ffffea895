import { afterAll, describe, expect, test } from 'vitest'
import { createGdacsConnector, createUsgsConnector } from '../../../connectors/venues/hazard-feeds.ts'
import type { VenueConnector } from '../../../connectors/venues/venue-connector.ts'
import { createGdacsReader } from '../../../pipelines/venues/gdacs/gdacs-reader.ts'
import { hazardFacts } from '../../../pipelines/venues/hazard-facts.ts'
import type { HazardRecord } from '../../../pipelines/venues/record.ts'
import { createUsgsReader } from '../../../pipelines/venues/usgs/usgs-reader.ts'
import { formatMicros, MICROS_PER_DAY, MICROS_PER_SECOND, toMicros } from '../../../primitives/instants.ts'
import { gdacsFeed } from '../../../simulator/hazards/gdacs-feed.ts'
import { planHazards } from '../../../simulator/hazards/plan-hazards.ts'
import { serveHazards } from '../../../simulator/hazards/serve-hazards.ts'
import { usgsFeed } from '../../../simulator/hazards/usgs-feed.ts'
import { venuePayload } from '../../support/venue-payload.ts'

const START = toMicros('2026-03-01T00:00:00Z')
const DAYS = 14
const HOUR = 3600 * MICROS_PER_SECOND
const HAZARDS = planHazards('tide', START, START + DAYS * MICROS_PER_DAY)

const FEEDS = {
  usgs: { write: usgsFeed, reader: createUsgsReader, endpoint: 'GET /earthquakes/feed/v1.0/summary' },
  gdacs: { write: gdacsFeed, reader: createGdacsReader, endpoint: 'GET /xml/rss.xml' },
} as const

function recordsAt(venue_id: keyof typeof FEEDS, at: number): readonly HazardRecord[] {
  const { write, reader, endpoint } = FEEDS[venue_id]
  const read = reader(at).read(venuePayload(venue_id, endpoint, write(HAZARDS, at), formatMicros(at)))
  expect(read.quarantine).toBeUndefined()
  return read.hazards ?? []
}

describe('invented hazards', () => {
  test('are the same for the same seed, and a longer plan begins as a shorter one', () => {
    const shorter = planHazards('tide', START, START + MICROS_PER_DAY)
    expect(HAZARDS.slice(0, shorter.length)).toEqual(shorter)
    expect(planHazards('ebb', START, START + DAYS * MICROS_PER_DAY)).not.toEqual(HAZARDS)
    expect(new Set(HAZARDS.map(({ kind }) => kind)).size).toBe(3)
  })

  test.each(['usgs', 'gdacs'] as const)('%s: every record of every hour is read as the real feed is', (venue_id) => {
    const seen = new Set<string>()
    for (let at = START; at < START + DAYS * MICROS_PER_DAY; at += HOUR)
      for (const { source_event_id } of recordsAt(venue_id, at)) seen.add(source_event_id)
    expect(seen.size).toBeGreaterThan(20)
  })

  test('a feed that is written anew with later dates alone says the same', () => {
    const facts = new Map<string, Set<string>>()
    const first = START + 5 * MICROS_PER_DAY
    for (let at = first; at < first + 6 * HOUR; at += 600 * MICROS_PER_SECOND) {
      for (const record of recordsAt('gdacs', at)) {
        if (record.hazard_type !== 'flood') continue
        const of_event = facts.get(record.source_event_id) ?? new Set()
        facts.set(record.source_event_id, of_event.add(hazardFacts(record)))
      }
    }
    expect(facts.size).toBeGreaterThan(0)
    // A level or an end may be told within these hours, once each.
    for (const said of facts.values()) expect(said.size).toBeLessThanOrEqual(2)
    expect([...facts.values()].some((said) => said.size === 1)).toBe(true)
  })

  test('dates are those of RFC 822, with the right weekday', () => {
    const text = gdacsFeed(HAZARDS, START)
    const dates = [...text.matchAll(/<(?:pubDate|gdacs:fromdate)>([^<]+)</g)].map(([, date]) => date!)
    expect(dates.length).toBeGreaterThan(5)
    for (const date of dates) expect(new Date(date).toUTCString()).toBe(date)
  })

  test('an estimate that was not made is missing, never a level', () => {
    const small = recordsAt('usgs', START).filter(({ severity_value }) => Number(severity_value) < 5)
    expect(small.length).toBeGreaterThan(0)
    for (const { alert_level } of small) expect(alert_level).toBeNull()
  })
})

describe('the server of hazards', async () => {
  let now = START
  const server = await serveHazards(HAZARDS, () => now)
  afterAll(() => server.close())

  test.each([
    ['usgs', createUsgsConnector],
    ['gdacs', createGdacsConnector],
  ] as const)('%s: the connector of the real feed reads it, and what is unchanged once', async (_venue, create) => {
    const connector = create({ now: () => now, limits: [] }, server.base_url)
    expect(await documents(connector)).toHaveLength(1)
    expect(await documents(connector)).toHaveLength(0)
    now += MICROS_PER_DAY
    expect(await documents(connector)).toHaveLength(1)
    await connector.close()
  })

  test('knows these two addresses alone', async () => {
    expect((await fetch(`${server.base_url}/`)).status).toBe(404)
    expect((await fetch(`${server.base_url}/xml/rss.xml`, { method: 'POST' })).status).toBe(405)
  })
})

async function documents(connector: VenueConnector): Promise<unknown[]> {
  const found: unknown[] = []
  const whole = { from: START, to: null }
  for await (const item of connector.read('catalogue', whole, new AbortController().signal)) found.push(item)
  return found
}
