import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { assess } from '../../../pipelines/severity/assess.ts'
import { combineEvidence } from '../../../pipelines/severity/combine-evidence.ts'
import { hazardEvidence, newsKey } from '../../../pipelines/severity/hazard-evidence.ts'
import { SEVERITY_PARAMETERS } from '../../../pipelines/severity/methodology.ts'
import { createGdacsReader } from '../../../pipelines/venues/gdacs/gdacs-reader.ts'
import type { HazardRecord } from '../../../pipelines/venues/record.ts'
import { createUsgsReader } from '../../../pipelines/venues/usgs/usgs-reader.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { SEVERITY_COMPONENTS } from '../../../vocabulary/severity.ts'
import { recordedData } from '../../support/recorded-data.ts'
import { NOW, venuePayload } from '../../support/venue-payload.ts'

const READ_AT = toMicros('2020-01-01T00:00:00Z')
const CUTOFF = toMicros('2026-01-22T00:00:00Z')

const alert = (change: Partial<HazardRecord>): HazardRecord => ({
  file: 'alert.json',
  line: 1,
  path: 'item[0]',
  venue_id: 'usgs',
  source_event_id: 'us1',
  source_version_id: null,
  aliases: [],
  hazard_type: 'earthquake',
  title: 'An earthquake',
  alert_level: null,
  alert_score: null,
  episode_alert_level: null,
  severity_value: null,
  severity_unit: null,
  population_value: null,
  population_unit: null,
  vulnerability_value: null,
  countries: [],
  longitude: null,
  latitude: null,
  depth_km: null,
  review_status: null,
  is_current: null,
  is_temporary: null,
  is_clock_ahead: false,
  started_at: toMicros('2026-01-01T00:00:00Z'),
  ended_at: null,
  measures: {},
  source_url: null,
  source_at: toMicros('2026-01-01T00:00:00Z'),
  received_at: toMicros('2026-01-01T00:01:00Z'),
  ...change,
})

describe('mapping of alerts', () => {
  test.each([
    ['green', '7.63', '16.00'],
    ['yellow', '32.00', '48.00'],
    ['orange', '55.99', '64.00'],
    ['red', '72.00', '80.00'],
  ] as const)('PAGER %s: deaths and losses get the bin, neither known to be above 0', (alert_level, value, high) => {
    const evidence = hazardEvidence(alert({ alert_level }), CUTOFF)
    const expected = { tier: 'A', value, low: '0.00', high }
    expect(evidence).toEqual([
      { component: 'human', ...expected },
      { component: 'economic', ...expected },
    ])
  })

  test.each([
    ['green', '7.63', '0.00', '16.00'],
    ['orange', '39.99', '16.00', '64.00'],
    ['red', '64.00', '48.00', '96.00'],
  ] as const)('GDACS %s: human impact alone, and no bound of PAGER', (alert_level, value, low, high) => {
    const evidence = hazardEvidence(alert({ venue_id: 'gdacs', alert_level }), CUTOFF)
    expect(evidence).toEqual([{ component: 'human', tier: 'B', value, low, high }])
  })

  test('no alert is no zero, a population counts only where its unit says people, and an earthquake does not last', () => {
    expect(hazardEvidence(alert({ severity_value: '7.1', severity_unit: 'M' }), CUTOFF)).toEqual([])
    expect(hazardEvidence(alert({ population_value: '0', population_unit: '' }), CUTOFF)).toEqual([])
    const exposed = alert({ population_value: '2100000', population_unit: 'Pop74', countries: ['A', 'B'] })
    expect(hazardEvidence(exposed, CUTOFF)).toMatchObject([{ component: 'geographic', value: '58.16' }])
    const drought = alert({ hazard_type: 'drought', is_current: true })
    expect(hazardEvidence(drought, CUTOFF)).toMatchObject([{ component: 'duration', value: '37.16' }])
  })

  test('of several sources the better tier is the center, outlets widen the range and what is unverified moves nothing', () => {
    const of = (tier: 'A' | 'B' | 'C' | 'D', value: string) =>
      ({ component: 'human', tier, value, low: value, high: value }) as const
    const combined = combineEvidence([
      of('D', '99.00'),
      of('C', '80.00'),
      of('B', '40.00'),
      of('B', '50.00'),
      of('C', '5.00'),
    ])
    expect(combined.human).toEqual({ value: '50.00', low: '5.00', high: '80.00', verified: false })
    expect(combined.economic).toBeNull()
    expect(combineEvidence([of('D', '99.00')]).human).toMatchObject({ value: '99.00' })
  })
})

describe('recorded alerts', () => {
  const gdacs = recordedData('gdacs_rss')
  const usgs = recordedData('usgs_geojson')

  test('GDACS: 115 events; dates that move are no news; most are honestly UNKNOWN; nothing missing is a zero', () => {
    const reader = createGdacsReader(NOW)
    const files = ['gdacs-rss-24h.xml', 'gdacs-1.xml', 'gdacs-rss-7d.xml.gz']
    const records = files.flatMap((file) => {
      const bytes = readFileSync(join(gdacs, file))
      const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
      return reader.read(venuePayload('gdacs', 'GET /xml/rss.xml', text, '2020-01-01T00:00:00Z')).hazards ?? []
    })
    const news = new Map<string, Set<string>>()
    for (const record of records) {
      const known = news.get(record.source_event_id) ?? new Set()
      news.set(record.source_event_id, known.add(newsKey(record)))
    }
    expect(records.length).toBeGreaterThan(news.size)
    expect(news.size).toBe(115)
    expect([...news.values()].filter((keys) => keys.size > 1)).toEqual([])
    const levels = records.map((record) => {
      const components = combineEvidence(hazardEvidence(record, READ_AT))
      for (const name of SEVERITY_COMPONENTS) {
        if (record.population_unit === '' && name === 'geographic') expect(components[name]).toBeNull()
      }
      return assess(components, ['B'], SEVERITY_PARAMETERS).level
    })
    const known = levels.filter((level) => level !== 'UNKNOWN')
    expect(known.sort()).toEqual(['SEV-1', 'SEV-1', 'SEV-1', 'SEV-1', 'SEV-1', 'SEV-3'])
    expect(levels).toHaveLength(records.length)
  })

  test('USGS: 12 events; only those that PAGER ran for have a component', () => {
    const text = readFileSync(join(usgs, 'significant_month_2014-03-24.geojson'), 'utf8')
    const records =
      createUsgsReader(NOW).read(
        venuePayload('usgs', 'GET /earthquakes/feed/v1.0/summary', text, '2014-04-24T00:00:00Z'),
      ).hazards ?? []
    expect(records).toHaveLength(12)
    for (const record of records) {
      const { human, economic } = combineEvidence(hazardEvidence(record, CUTOFF))
      expect([human === null, economic === null]).toEqual([record.alert_level === null, record.alert_level === null])
    }
    expect(records.some(({ alert_level }) => alert_level === null)).toBe(true)
  })
})
