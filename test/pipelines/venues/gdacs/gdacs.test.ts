import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createGdacsReader } from '../../../../pipelines/venues/gdacs/gdacs-reader.ts'
import { hazardFacts } from '../../../../pipelines/venues/hazard-facts.ts'
import type { HazardRecord, VenuePayload, VenueRecords } from '../../../../pipelines/venues/record.ts'
import { toMicros } from '../../../../primitives/instants.ts'
import { fuzzReader } from '../../../support/fuzz-reader.ts'
import { recordedData } from '../../../support/recorded-data.ts'
import { SEED } from '../../../support/seed.ts'
import { sized } from '../../../support/sized.ts'
import { NOW, recordsOf, venuePayload } from '../../../support/venue-payload.ts'

const READ_AT = '2019-12-30T00:22:20Z'

const EARTHQUAKE = {
  title: 'Green earthquake alert (Magnitude 4.7M, Depth:65.42km) in Indonesia &amp; Timor',
  'gdacs:temporary': 'false',
  link: 'http://www.gdacs.org/report.aspx?eventtype=EQ&amp;eventid=1200014',
  pubDate: 'Sun, 29 Dec 2019 13:18:06 GMT',
  'gdacs:iscurrent': 'true',
  'gdacs:fromdate': 'Sun, 29 Dec 2019 13:18:06 GMT',
  'gdacs:todate': 'Sun, 29 Dec 2019 13:18:06 GMT',
  'gdacs:durationinweek': '0',
  'geo:Point': '<geo:lat>-6.77</geo:lat><geo:long>129.81</geo:long>',
  'gdacs:bbox': '125.8 133.8 -10.7 -2.7',
  'gdacs:eventtype': 'EQ',
  'gdacs:alertlevel': 'Green',
  'gdacs:alertscore': '0.344673533516963',
  'gdacs:episodealertlevel': 'Green',
  'gdacs:eventid': '1200014',
  'gdacs:episodeid': '1287934',
  'gdacs:severity unit="M" value="4.7"': 'Magnitude 4.7M, Depth:65.42km',
  'gdacs:population unit="Population in 100km" value="37657"': 'About 37000 people within 100km',
  'gdacs:vulnerability value="1.3145341380124"': '',
  'gdacs:iso3': 'IDN',
  'gdacs:country': 'Indonesia, Timor-Leste',
  'gdacs:glide': '',
  'gdacs:resources': '<gdacs:resource id="a" url="http://x/?a&amp;b"><gdacs:title>T</gdacs:title></gdacs:resource>',
}

const DROUGHT = {
  ...EARTHQUAKE,
  pubDate: 'Mon, 30 Dec 2019 00:17:00 GMT',
  'gdacs:iscurrent': 'false',
  'gdacs:fromdate': 'Sun, 21 Oct 2018 00:00:00 GMT',
  'gdacs:todate': 'Mon, 30 Dec 2019 00:17:00 GMT',
  'gdacs:eventtype': 'DR',
  'gdacs:severity unit="M" value="4.7"': undefined,
  'gdacs:severity unit="km2" value="1775934"': 'Medium impact for agricultural drought in 1775934 km2',
  'gdacs:population unit="Population in 100km" value="37657"': undefined,
  'gdacs:population unit="" value="0"': '',
  'gdacs:vulnerability value="1.3145341380124"': undefined,
  'gdacs:vulnerability value="0"': '',
}

type Fields = Readonly<Record<string, string | undefined>>

function element([name, value]: [string, string | undefined]): string {
  return value === undefined ? '' : `<${name}>${value}</${name.split(' ')[0]}>`
}

function feed(...items: Fields[]): string {
  const list = items.map((fields) => `<item>${Object.entries(fields).map(element).join('\n')}</item>`)
  const channel = `<title>GDACS</title><pubDate>Mon, 30 Dec 2019 00:22:19 GMT</pubDate>${list.join('')}`
  return `\uFEFF<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><!--x--><channel>${channel}</channel></rss>`
}

const read = (text: string, received_at = READ_AT) =>
  recordsOf(createGdacsReader(NOW).read(venuePayload('gdacs', 'GET /xml/rss.xml', text, received_at)))
const hazardOf = (fields: Fields, received_at = READ_AT): HazardRecord => {
  const { hazards, quarantine } = read(feed(fields), received_at)
  expect(quarantine).toBeUndefined()
  return hazards![0]!
}

describe('an item', () => {
  test('is a hazard: numbers as the feed wrote them, a byte-order mark and entities read', () => {
    expect(hazardOf(EARTHQUAKE)).toEqual({
      file: 'payload.json',
      line: 1,
      path: 'item[0]',
      venue_id: 'gdacs',
      source_event_id: 'EQ1200014',
      source_version_id: '1287934',
      aliases: [],
      hazard_type: 'earthquake',
      title: 'Green earthquake alert (Magnitude 4.7M, Depth:65.42km) in Indonesia & Timor',
      alert_level: 'green',
      alert_score: '0.344673533516963',
      episode_alert_level: 'green',
      severity_value: '4.7',
      severity_unit: 'M',
      population_value: '37657',
      population_unit: 'Population in 100km',
      vulnerability_value: '1.3145341380124',
      countries: ['Indonesia', 'Timor-Leste'],
      longitude: '129.81',
      latitude: '-6.77',
      depth_km: '65.42',
      review_status: null,
      is_current: true,
      is_temporary: false,
      started_at: toMicros('2019-12-29T13:18:06Z'),
      ended_at: null,
      is_clock_ahead: false,
      measures: {},
      source_url: 'http://www.gdacs.org/report.aspx?eventtype=EQ&eventid=1200014',
      source_at: toMicros('2019-12-29T13:18:06Z'),
      received_at: toMicros(READ_AT),
    })
  })

  test('episodealertlevel can differ from alertlevel', () => {
    expect(hazardOf({ ...EARTHQUAKE, 'gdacs:alertlevel': 'Orange' })).toMatchObject({
      alert_level: 'orange',
      episode_alert_level: 'green',
    })
  })

  test('the severity unit may be empty: no unit', () => {
    const { 'gdacs:severity unit="M" value="4.7"': _, ...rest } = EARTHQUAKE
    expect(hazardOf({ ...rest, 'gdacs:severity unit="" value="3"': 'x' })).toMatchObject({
      severity_value: '3',
      severity_unit: null,
      depth_km: null,
    })
  })

  test('a zero without unit and words is where nothing was measured; one with them counts (P1)', () => {
    expect(hazardOf(DROUGHT)).toMatchObject({
      severity_value: '1775934',
      severity_unit: 'km2',
      population_value: null,
      population_unit: null,
      vulnerability_value: null,
    })
    const { 'gdacs:population unit="Population in 100km" value="37657"': _, ...rest } = EARTHQUAKE
    const none_near = { ...rest, 'gdacs:population unit="Pop74" value="0"': 'No people' }
    expect(hazardOf(none_near)).toMatchObject({ population_value: '0', population_unit: 'Pop74' })
  })

  test('country can be empty', () => {
    expect(hazardOf({ ...EARTHQUAKE, 'gdacs:country': '' }).countries).toEqual([])
  })

  test('a GLIDE number is another id of the event', () => {
    expect(hazardOf({ ...EARTHQUAKE, 'gdacs:glide': 'TC-2019-000176-PHL' }).aliases).toEqual(['TC-2019-000176-PHL'])
  })

  test.each([
    ['EQ', 'earthquake'],
    ['TC', 'tropical_cyclone'],
    ['FL', 'flood'],
    ['VO', 'volcano'],
    ['DR', 'drought'],
    ['WF', 'wildfire'],
    ['XX', 'other'],
  ])('eventtype %s is %s, and part of the event key', (type, hazard_type) => {
    expect(hazardOf({ ...EARTHQUAKE, 'gdacs:eventtype': type })).toMatchObject({
      hazard_type,
      source_event_id: `${type}1200014`,
    })
  })

  test('a todate of its own is the end', () => {
    expect(hazardOf({ ...EARTHQUAKE, 'gdacs:todate': 'Sun, 29 Dec 2019 14:00:00 GMT' }).ended_at).toBe(
      toMicros('2019-12-29T14:00:00Z'),
    )
  })

  test.each([
    ['another color', { 'gdacs:alertlevel': 'Purple' }, 'BAD_FLAG'],
    ['no event id', { 'gdacs:eventid': '' }, 'MISSING_FIELD'],
    ['no start', { 'gdacs:fromdate': undefined }, 'BAD_DATE'],
    ['a date that is none', { pubDate: '2019-12-29' }, 'BAD_DATE'],
    ['a date of year 1 (P10)', { 'gdacs:fromdate': 'Mon, 01 Jan 0001 00:00:00 GMT' }, 'BAD_DATE'],
    ['a start after the receipt', { 'gdacs:fromdate': 'Mon, 30 Dec 2019 00:37:21 GMT' }, 'SOURCE_AFTER_RECEIVED'],
    ['a score in words', { 'gdacs:alertscore': 'high' }, 'BAD_VALUE'],
    ['a flag in other words', { 'gdacs:iscurrent': 'yes' }, 'BAD_FLAG'],
    ['an element twice', { 'gdacs:eventid': '1</gdacs:eventid><gdacs:eventid>2' }, 'MISSING_FIELD'],
  ])('%s quarantines it, not its siblings', (_name, fields, reason) => {
    const { hazards, quarantine } = read(feed(EARTHQUAKE, { ...EARTHQUAKE, ...fields }))
    expect(hazards).toHaveLength(1)
    expect(quarantine).toMatchObject([{ file: 'payload.json', line: 2, path: 'item[1]', reason }])
  })
})

describe('a refresh', () => {
  const refreshed = {
    ...DROUGHT,
    pubDate: 'Mon, 30 Dec 2019 00:57:00 GMT',
    'gdacs:todate': 'Mon, 30 Dec 2019 00:57:00 GMT',
    'gdacs:durationinweek': '63',
  }
  const LATER = '2019-12-30T01:01:02Z'
  const MOVED = 'Sun, 29 Dec 2019 19:30:00 GMT'

  test('of an ongoing drought moves pubDate and todate: the same facts at the same source instant', () => {
    const [before, after] = [hazardOf(DROUGHT), hazardOf(refreshed, LATER)]
    expect(hazardFacts(after)).toBe(hazardFacts(before))
    expect(after.source_at).toBe(before.source_at)
    expect(after.source_at).toBe(toMicros('2018-10-21T00:00:00Z'))
    expect(after.ended_at).toBeNull()
  })

  test.each([
    ['level', { 'gdacs:alertlevel': 'Red' }],
    ['score', { 'gdacs:alertscore': '2.5' }],
    ['level of the episode', { 'gdacs:episodealertlevel': 'Orange' }],
    [
      'severity',
      { 'gdacs:severity unit="km2" value="1775934"': undefined, 'gdacs:severity unit="km2" value="9"': 'x' },
    ],
    ['population', { 'gdacs:population unit="" value="0"': undefined, 'gdacs:population unit="Pop74" value="7"': 'x' }],
    ['vulnerability', { 'gdacs:vulnerability value="0"': undefined, 'gdacs:vulnerability value="2"': 'Medium' }],
    ['countries', { 'gdacs:country': 'Angola' }],
    ['episode', { 'gdacs:episodeid': '44' }],
    ['review', { 'gdacs:temporary': 'true' }],
  ])('is a change where its %s changes', (_name, fields) => {
    expect(hazardFacts(hazardOf({ ...refreshed, ...fields }, LATER))).not.toBe(hazardFacts(hazardOf(DROUGHT)))
  })

  test.each([
    ['EQ', 'pubDate and todate', { pubDate: MOVED, 'gdacs:todate': MOVED }],
    ['EQ', 'pubDate', { pubDate: MOVED }],
    ['VO', 'pubDate', { pubDate: MOVED }],
    ['TC', 'pubDate and todate', { pubDate: MOVED, 'gdacs:todate': MOVED }],
  ])('of an item of kind %s that moves %s alone: a later bulletin with the same facts', (kind, _dates, dates) => {
    const item = { ...EARTHQUAKE, 'gdacs:eventtype': kind }
    const [before, after] = [hazardOf(item), hazardOf({ ...item, ...dates }, LATER)]
    expect(hazardFacts(after)).toBe(hazardFacts(before))
    expect([before.source_at, after.source_at]).toEqual([
      toMicros('2019-12-29T13:18:06Z'),
      toMicros('2019-12-29T19:30:00Z'),
    ])
  })

  test('a cyclone is dated by its bulletin', () => {
    const bulletin = 'Sun, 29 Dec 2019 18:00:00 GMT'
    const cyclone = { ...EARTHQUAKE, 'gdacs:eventtype': 'TC', pubDate: bulletin, 'gdacs:todate': bulletin }
    expect(hazardOf(cyclone)).toMatchObject({
      source_at: toMicros('2019-12-29T18:00:00Z'),
      started_at: toMicros('2019-12-29T13:18:06Z'),
      ended_at: null,
    })
  })

  test('that 5.30 was 5.3 and countries stand in another order is no change', () => {
    const { 'gdacs:severity unit="M" value="4.7"': _, ...rest } = EARTHQUAKE
    const rewritten = {
      ...rest,
      'gdacs:severity unit="M" value="4.70"': 'Depth:65.420km',
      'gdacs:country': 'Timor-Leste,Indonesia',
    }
    expect(hazardFacts(hazardOf(rewritten))).toBe(hazardFacts(hazardOf(EARTHQUAKE)))
  })
})

describe('a document', () => {
  const bomb =
    '<!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><rss><channel><title>&b;</title></channel></rss>'

  test.each([
    ['no XML', 'service unavailable'],
    ['nothing', ''],
    ['XML that ends early', feed(EARTHQUAKE).slice(0, 900)],
    ['a tag that is not closed', feed(EARTHQUAKE).replace('</gdacs:country>', '')],
    ['another document', '<html><body/></html>'],
    ['entities of its own', bomb],
    ['elements two hundred deep', `${'<a>'.repeat(200)}${'</a>'.repeat(200)}`],
    ['an element that would change all objects', '<rss><channel><__proto__>1</__proto__></channel></rss>'],
  ])('of %s is one UNKNOWN_SHAPE', (_name, text) => {
    expect(read(text)).toEqual({
      quarantine: [{ file: 'payload.json', line: 1, path: '$', reason: 'UNKNOWN_SHAPE' }],
    })
  })

  test('without items is an answer (P14): absence in one feed is not an end of event', () => {
    expect(read(feed())).toEqual({})
  })
})

const folder = recordedData('gdacs_rss')
const FILES = [
  ['gdacs-rss-24h.xml', '2019-12-30T00:22:19Z', 21],
  ['gdacs-rss-7d.xml.gz', '2019-12-30T01:01:02Z', 115],
  ['gdacs-1.xml', '2019-12-30T01:35:11Z', 4],
] as const

const recorded = () =>
  FILES.map(([file, received_at]) => {
    const bytes = readFileSync(join(folder, file))
    return read((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'), received_at)
  })

test('the recorded night: 115 distinct events, and the two later feeds change none of them', () => {
  const feeds = recorded()
  expect(feeds.map(({ hazards }) => hazards!.length)).toEqual(FILES.map(([, , items]) => items))
  expect(feeds.flatMap(({ quarantine }) => quarantine ?? [])).toEqual([])
  const hazards = feeds.flatMap((records) => records.hazards!)
  const facts = new Map<string, Set<string>>()
  for (const hazard of hazards) {
    const key = hazard.source_event_id
    facts.set(key, (facts.get(key) ?? new Set()).add(`${hazard.source_at} ${hazardFacts(hazard)}`))
  }
  expect(facts.size).toBe(115)
  expect([...facts.values()].filter((versions) => versions.size > 1)).toEqual([])
})

test('the recorded week: what it holds of each kind', () => {
  const hazards = recorded()[1]!.hazards!
  const count = (holds: (hazard: HazardRecord) => boolean) => hazards.filter(holds).length
  const kinds = ['earthquake', 'drought', 'tropical_cyclone', 'volcano']
  expect(kinds.map((kind) => count(({ hazard_type }) => hazard_type === kind))).toEqual([100, 11, 3, 1])
  expect([count((h) => h.alert_level === 'orange'), count((h) => h.alert_level === 'green')]).toEqual([8, 107])
  expect(
    count((h) => h.alert_level !== h.episode_alert_level),
    'alert and episode differ',
  ).toBe(1)
  expect(
    count((h) => h.countries.length === 0),
    'no country',
  ).toBe(5)
  expect(
    count((h) => h.severity_value === null),
    'the volcano',
  ).toBe(1)
  expect(
    count((h) => h.population_value === null),
    'the droughts',
  ).toBe(11)
  expect(count((h) => h.hazard_type === 'earthquake' && h.depth_km === null)).toBe(0)
  expect(new Set(hazards.map((h) => h.severity_unit))).toEqual(new Set(['M', 'km2', 'km/h', null]))
})

const CASES = sized(500, 15_000)

test(`${CASES} mutated payloads: nothing is thrown, and no value, time or zero that cannot be`, () => {
  const payloads = [EARTHQUAKE, DROUGHT].map((fields) =>
    venuePayload('gdacs', 'GET /xml/rss.xml', feed(fields), READ_AT),
  )
  const checkZero = ({ hazards = [] }: VenueRecords, { text }: VenuePayload) => {
    const in_words = /<gdacs:population[^<>]*>[^<]*[^<\s]/.test(text)
    for (const { population_value, population_unit } of hazards) {
      if (population_value === '0' && population_unit === null && !in_words)
        expect.fail('a missing population became 0')
    }
  }
  const counts = fuzzReader(payloads, () => createGdacsReader(NOW), CASES, SEED, checkZero)
  expect(counts.read).toBeGreaterThan(CASES / 5)
  expect(counts.refused).toBeGreaterThan(CASES / 5)
}, 300_000)
