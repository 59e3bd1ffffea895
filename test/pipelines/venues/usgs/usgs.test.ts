import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hazardFacts } from '../../../../pipelines/venues/hazard-facts.ts'
import { createUsgsReader } from '../../../../pipelines/venues/usgs/usgs-reader.ts'
import { toMicros } from '../../../../primitives/instants.ts'
import { fuzzReader } from '../../../support/fuzz-reader.ts'
import { recordedData } from '../../../support/recorded-data.ts'
import { SEED } from '../../../support/seed.ts'
import { sized } from '../../../support/sized.ts'
import { NOW, recordsOf, venuePayload } from '../../../support/venue-payload.ts'

const READ_AT = '2014-03-24T12:18:56Z'
const PROPERTIES = {
  mag: 6.5,
  place: '113km E of Mohean, India',
  time: 1395409267500,
  updated: 1395661123139,
  url: 'http://earthquake.usgs.gov/earthquakes/eventpage/usc000njrq',
  felt: 3,
  cdi: 4.3,
  mmi: 4.59,
  alert: 'green',
  status: 'REVIEWED',
  tsunami: null,
  sig: 651,
  ids: ',usc000njrq,gcmt20140321134107,',
  magType: 'mwb',
  type: 'earthquake',
  title: 'M 6.5 - 113km E of Mohean, India',
}
const GEOMETRY = { type: 'Point', coordinates: [94.3248, 7.7686, 10] }

const feed = (...features: unknown[]) => ({ type: 'FeatureCollection', metadata: { count: 1 }, features })
const feature = (properties: object = {}, further: object = {}) => ({
  type: 'Feature',
  properties: { ...PROPERTIES, ...properties },
  geometry: GEOMETRY,
  id: 'usc000njrq',
  ...further,
})
const read = (body: unknown, received_at = READ_AT) =>
  recordsOf(createUsgsReader(NOW).read(venuePayload('usgs', 'GET /earthquakes/feed/v1.0/summary', body, received_at)))
const hazardOf = (properties: object = {}, further: object = {}) =>
  read(feed(feature(properties, further))).hazards![0]!

describe('a feature', () => {
  test('is a hazard: magnitude with its type, point and depth in km, numbers as the feed wrote them', () => {
    expect(hazardOf()).toEqual({
      file: 'payload.json',
      line: 1,
      path: 'features[0]',
      venue_id: 'usgs',
      source_event_id: 'usc000njrq',
      source_version_id: null,
      aliases: ['gcmt20140321134107'],
      hazard_type: 'earthquake',
      title: 'M 6.5 - 113km E of Mohean, India',
      alert_level: 'green',
      alert_score: null,
      episode_alert_level: null,
      severity_value: '6.5',
      severity_unit: 'mwb',
      population_value: null,
      population_unit: null,
      vulnerability_value: null,
      countries: [],
      longitude: '94.3248',
      latitude: '7.7686',
      depth_km: '10',
      review_status: 'reviewed',
      is_current: null,
      is_temporary: null,
      started_at: 1_395_409_267_500_000,
      ended_at: null,
      is_clock_ahead: false,
      measures: { cdi: '4.3', felt: '3', mmi: '4.59', sig: '651' },
      source_url: 'http://earthquake.usgs.gov/earthquakes/eventpage/usc000njrq',
      source_at: 1_395_661_123_139_000,
      received_at: toMicros(READ_AT),
    })
  })

  test.each([[null], [undefined], ['']])('alert %j = no PAGER run = missing, not green', (alert) => {
    expect(hazardOf({ alert }).alert_level).toBeNull()
  })

  test.each(['green', 'Yellow', 'ORANGE', 'red'])('alert %s is kept in lower case', (alert) => {
    expect(hazardOf({ alert }).alert_level).toBe(alert.toLowerCase())
  })

  test('sig is not a severity: a magnitude of 2.7 with sig 650 and no alert stays that', () => {
    expect(hazardOf({ mag: 2.7, sig: 650, alert: null })).toMatchObject({
      severity_value: '2.7',
      alert_level: null,
      measures: { sig: '650' },
    })
  })

  test('mmi can be 0, a computed zero; what was not computed is absent, never 0', () => {
    expect(hazardOf({ mmi: 0, cdi: null, felt: null, tsunami: 0 }).measures).toEqual({
      mmi: '0',
      sig: '651',
      tsunami: '0',
    })
  })

  test('a missing magnitude is missing, and has no unit', () => {
    expect(hazardOf({ mag: null })).toMatchObject({ severity_value: null, severity_unit: null })
  })

  test('the case of the status varies: it is lowered', () => {
    expect(hazardOf({ status: 'AUTOMATIC' }).review_status).toBe('automatic')
  })

  test('an event that is not an earthquake has its own type', () => {
    expect(hazardOf({ type: 'quarry blast' }).hazard_type).toBe('other')
    expect(hazardOf({ type: 'volcanic eruption' }).hazard_type).toBe('volcano')
  })

  test('without a point it has none', () => {
    expect(hazardOf({}, { geometry: null })).toMatchObject({ longitude: null, latitude: null, depth_km: null })
  })

  test.each([
    ['another color', { alert: 'purple' }, {}, 'BAD_FLAG'],
    ['a magnitude in words', { mag: 'strong' }, {}, 'BAD_VALUE'],
    ['a time in seconds (P10)', { time: 1_395_409_267 }, {}, 'BAD_DATE'],
    ['no time', { time: null }, {}, 'MISSING_FIELD'],
    ['an update after the receipt', { updated: 1_395_663_596_001 }, {}, 'SOURCE_AFTER_RECEIVED'],
    ['no id', {}, { id: null }, 'MISSING_FIELD'],
    ['a latitude above 90', {}, { geometry: { coordinates: [7, 94.3] } }, 'BAD_VALUE'],
    ['no properties', {}, { properties: null }, 'UNKNOWN_SHAPE'],
  ])('%s quarantines it, not its siblings', (_name, properties, further, reason) => {
    const { hazards, quarantine } = read(feed(feature(), feature(properties, further)))
    expect(hazards).toHaveLength(1)
    expect(quarantine).toMatchObject([{ file: 'payload.json', line: 2, path: 'features[1]', reason }])
  })
})

describe('revisions', () => {
  test('`updated` moves for weeks: alone it is no change', () => {
    expect(hazardFacts(hazardOf({ updated: 1395661199999 }))).toBe(hazardFacts(hazardOf()))
  })

  test.each([
    ['the alert changes', { alert: 'yellow' }],
    ['an alert is made', { alert: 'green' }],
    ['the magnitude changes', { mag: 6.6 }],
    ['a scientist reviews it', { status: 'reviewed' }],
    ['a measure is computed', { mmi: 0 }],
    ['another network names it', { ids: ',usc000njrq,at00n2l1ao,' }],
  ])('it is one where %s', (_name, properties) => {
    const before = { alert: null, mmi: null, status: 'automatic', ids: null, mag: 6.5 }
    expect(hazardFacts(hazardOf({ ...before, ...properties }))).not.toBe(hazardFacts(hazardOf(before)))
  })

  test('6.50 is 6.5, Mwb is mwb, and the order of other ids says nothing', () => {
    const text = JSON.stringify(feed(feature({ ids: ',b,a,', magType: 'Mwb' }))).replace('"mag":6.5', '"mag":6.50')
    expect(hazardFacts(read(text).hazards![0]!)).toBe(hazardFacts(hazardOf({ ids: ',a,b,' })))
  })
})

test.each([
  ['<html>', 'BAD_JSON'],
  ['[]', 'UNKNOWN_SHAPE'],
  ['{"features":null}', 'UNKNOWN_SHAPE'],
])('a payload of %s gives one item', (text, reason) => {
  expect(read(text)).toMatchObject({ quarantine: [{ file: 'payload.json', line: 1, path: '$', reason }] })
})

test('a feed without events is an answer (P14)', () => {
  expect(read(feed())).toEqual({})
})

const folder = recordedData('usgs_geojson')

test('the recorded feed of March 2014: 12 events, and a null alert stays missing', () => {
  const { hazards, quarantine } = read(readFileSync(join(folder, 'significant_month_2014-03-24.geojson'), 'utf8'))
  expect(quarantine).toBeUndefined()
  expect(new Set(hazards!.map(({ source_event_id }) => source_event_id)).size).toBe(12)
  expect(hazards!.map(({ alert_level }) => alert_level).sort()).toEqual([
    ...Array(8).fill('green'),
    null,
    null,
    'yellow',
    'yellow',
  ])
  expect(hazards!.find(({ severity_value }) => severity_value === '2.7')).toMatchObject({
    alert_level: null,
    measures: { sig: '650' },
  })
  expect(hazards!.filter(({ measures }) => measures.mmi === '0')).toHaveLength(1)
  expect(hazards!.filter(({ measures }) => measures.mmi === undefined)).toHaveLength(2)
})

const CASES = sized(500, 15_000)

test(`${CASES} mutated payloads: nothing is thrown, and no value, time or zero that cannot be`, () => {
  const payloads = [
    venuePayload(
      'usgs',
      'GET /earthquakes/feed/v1.0/summary',
      feed(feature(), feature({ alert: null, mmi: null })),
      READ_AT,
    ),
  ]
  const counts = fuzzReader(
    payloads,
    () => createUsgsReader(NOW),
    CASES,
    SEED,
    ({ hazards = [] }, { text }) => {
      for (const { measures } of hazards) {
        for (const [name, value] of Object.entries(measures)) {
          const written = new RegExp(`"${name}"\\s*:\\s*"?-?0`).test(text)
          if (/^-?0(\.0+)?$/.test(value) && !written) expect.fail(`${name} became 0`)
        }
      }
    },
  )
  expect(counts.read).toBeGreaterThan(CASES / 5)
  expect(counts.refused).toBeGreaterThan(CASES / 5)
}, 300_000)
