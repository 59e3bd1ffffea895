import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Assessed, assessedOfSeverity, found } from '../../console/assessments/lists/model.ts'
import { barsOf } from '../../console/charts/series.ts'
import { correctedLevels } from '../../console/indexes/corrections.ts'
import { firstCommon, indexLayers, indexMarks, rebased } from '../../console/indexes/index-layers.ts'
import { limitsOf, windowOf } from '../../console/indexes/index-range.ts'
import {
  bookNote,
  bookOf,
  factsOfRecord,
  hasPayloads,
  sourceIdsOf,
  sourcesOf,
} from '../../console/indexes/lineage-model.ts'
import { type ReplayedLevels, readReplay, replayedBars } from '../../console/indexes/replay-file.ts'
import type { Candle } from '../../protocol/resources/candle.ts'
import type { FoundObservation } from '../../protocol/resources/found-observation.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { OrderBook } from '../../protocol/resources/order-book.ts'
import type { SeverityAssessment } from '../../protocol/resources/severity.ts'
import { candleOf, HOUR_MS, LAST_MS, observation, VERSION, withInputs } from './support/fixture-data.ts'

/** Models of the further views of an index, and of the lists of assessments. */
const candle = (hour: number, level: string, quality_states = ['valid']): Candle => ({
  ...candleOf(observation('idx_coast', LAST_MS + hour * HOUR_MS, level)),
  quality_states: quality_states as Candle['quality_states'],
})
const named = (name: string, candles: readonly Candle[]) => ({ name, bars: barsOf(candles) })
const at = (hour: number) => (LAST_MS + hour * HOUR_MS) / 1000

describe('an index beside another one', () => {
  const own = named('A', [candle(0, '40.0000'), candle(1, '50.0000'), candle(2, '30.0000')])
  const other = named('B', [candle(1, '8.0000'), candle(2, '9.0000')])

  test('alone has candles, with another one lines of levels as published', () => {
    expect(indexLayers(own, null, true).map(({ kind, name }) => [kind, name])).toEqual([['candles', 'A']])
    const [a, b] = indexLayers(own, other, false)
    expect([a, b]).toMatchObject([
      { kind: 'line', name: 'A', points: [{ value: '40.0000' }, {}, { value: '50.0000' }, {}, { value: '30.0000' }] },
      { kind: 'line', name: 'B', is_dashed: true },
    ])
  })

  test('rebased lines begin at 100 in the first bucket that both have, and say that they are rebased', () => {
    const values = indexLayers(own, other, true).map((layer) => [
      layer.name,
      layer.kind === 'line' && layer.points.flatMap(({ value }) => value ?? []),
    ])
    expect(values).toEqual([
      ['A, rebased', ['80.0000', '100.0000', '60.0000']],
      ['B, rebased', ['100.0000', '112.5000']],
    ])
  })

  test('without a common bucket nothing is rebased, and nothing says so', () => {
    const far = named('B', [candle(9, '8.0000')])
    expect(indexLayers(own, far, true).map(({ name }) => name)).toEqual(['A', 'B'])
    expect(firstCommon([], [])).toBeNull()
  })

  test('a rebased value is exact; an unknown one and a base of 0 have none', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 0, max: 100 }), (base, times) => {
        expect(Number(rebased(`${base * times}.0000`, `${base}.0000`))).toBe(100 * times)
      }),
    )
    expect([rebased(null, '1.0000'), rebased('1.0000', '0.0000')]).toEqual([null, null])
  })

  test('marks are new versions, corrections and impaired buckets inside the window, in their order', () => {
    const second = { ...VERSION, version: '2', effective_from: new Date(LAST_MS + HOUR_MS).toISOString() }
    const corrections = [observation('idx_coast', LAST_MS + 2 * HOUR_MS, '1.0000')]
    const candles = [
      candle(0, '1.0000', ['valid', 'degraded']),
      candle(0.5, '1.0000', ['degraded']),
      candle(9, '1.0000', ['stale']),
      candle(3, '1.0000'),
    ]
    const marks = indexMarks({ versions: [VERSION, second], corrections, candles }, { from: at(0), to: at(5) })
    expect(marks).toEqual([
      { t: at(0), name: 'degraded', kind: 'diamond' },
      { t: at(1), name: 'version 2', kind: 'line' },
      { t: at(2), name: 'corrected', kind: 'diamond' },
    ])
  })
})

describe('a replay of another version', () => {
  const line = (hour: number, level: string | null, quality_state = 'valid') =>
    JSON.stringify({ tick_at: new Date(LAST_MS + hour * HOUR_MS).toISOString(), level, quality_state })

  test('closes each bucket with its last priced tick; a bucket without one is left out', () => {
    const buckets = named('A', [candle(0, '40.0000'), candle(1, '50.0000'), candle(2, '30.0000')]).bars
    const lines = [
      line(0.01, '42.5000'),
      line(0, '41.0000'),
      line(1, '51.0000', 'stale'),
      line(1.01, null, 'suspended'),
    ]
    const replay = readReplay('lowport-2.jsonl', `${[...lines, line(2, '31.0000'), line(9, '1.0000')].join('\n')}\n`)
    expect(replay).toMatchObject({ name: 'lowport-2' })
    expect(replayedBars(replay as ReplayedLevels, buckets).map(({ t, close }) => [t, close])).toEqual([
      [at(0), '42.5000'],
      [at(2), '31.0000'],
    ])
  })

  test.each([
    ['tick_at,level'],
    ['[1]'],
    ['null'],
    ['{"tick_at":"soon","level":"1.0000","quality_state":"valid"}'],
    ['{"tick_at":"2026-01-01T00:00:00Z","level":"1e3","quality_state":"valid"}'],
    ['{"tick_at":"2026-01-01T00:00:00Z","level":"1.0000"}'],
  ])('a line that is not a tick is refused with its number: %s', (text) => {
    expect(readReplay('x.json', `${line(0, '1.0000')}\n${text}`)).toEqual({
      refused: 'line 2 is not a tick; allowed: lines printed by tidemark index replay --json',
    })
  })
})

describe('corrected levels', () => {
  test('have the level that they replaced where it was read; a level that was replaced again is none', () => {
    const first = observation('idx_coast', LAST_MS, '12.0000')
    const second = { ...first, observation_id: 'iob_2', revision: 2, supersedes_id: first.observation_id }
    const third = { ...second, observation_id: 'iob_3', revision: 3, supersedes_id: 'iob_2', level: '9.0000' }
    const other = observation('idx_coast', LAST_MS - HOUR_MS, '1.0000')
    const alone = { ...other, observation_id: 'iob_9', revision: 2, supersedes_id: other.observation_id }
    expect(correctedLevels([third, first, second, alone])).toEqual([
      { level: alone, replaced: null },
      { level: third, replaced: second },
    ])
    expect(correctedLevels([first, other])).toEqual([])
  })
})

describe('the range of an index', () => {
  const span = { first: at(0), last: at(1000) }

  test('ends with the last level; a free one is kept, inside the life of the index', () => {
    expect(windowOf(null, span)).toEqual({ from: limitsOf(span).to - 7 * 86_400, to: limitsOf(span).to })
    expect(windowOf('all', span)).toEqual({ from: span.first, to: limitsOf(span).to })
    const free = `${new Date(LAST_MS + HOUR_MS).toISOString()}/${new Date(LAST_MS + 3 * HOUR_MS).toISOString()}`
    expect(windowOf(free, span)).toEqual({ from: at(1), to: at(3) })
    expect(windowOf('nonsense', span)).toEqual(windowOf(null, span))
  })

  test('is never outside of its limits, nor empty', () => {
    const range = fc.record({ from: fc.integer({ min: -5000, max: 5000 }), hours: fc.integer({ min: 1, max: 5000 }) })
    fc.assert(
      fc.property(range, ({ from, hours }) => {
        const text = [from, from + hours].map((hour) => new Date(LAST_MS + hour * HOUR_MS).toISOString()).join('/')
        const window = windowOf(text, span)
        const limits = limitsOf(span)
        expect(window.from).toBeGreaterThanOrEqual(limits.from)
        expect(window.to).toBeLessThanOrEqual(limits.to)
        expect(window.to - window.from).toBeGreaterThanOrEqual(limits.length_min)
      }),
    )
  })
})

describe('the lineage of a level', () => {
  const level = withInputs(observation('idx_coast', LAST_MS, '1.0000'))
  const [input] = level.inputs!
  const leg = {
    ...{ market_id: 'mkt_leg', outcome_id: 'out_leg', mark_rule: null, origin_rule: 'M2', value: null },
    ...{ freshness_class: 'missing', source_at: null, confirmed_at: null, mark_cutoff_at: null },
    ...{ source_observation_ids: ['obs_b.bid', 'obs_c.ask'], window_observation_ids: [] },
  }

  test('has a row for each leg, or for a constituent without legs, and no value is not 0', () => {
    expect(sourcesOf(level)).toMatchObject([{ constituent_id: 'con_tide', value: '0.387400', record_ids: ['obs_a'] }])
    const of_legs = { ...level, inputs: [{ ...input!, legs: [leg] }] } as IndexObservation
    expect(sourcesOf(of_legs)).toMatchObject([
      { market_id: 'mkt_leg', value: null, rule: 'M2', record_ids: ['obs_b.bid', 'obs_c.ask'] },
    ])
    expect(sourcesOf({ ...level, inputs: [{ ...input!, source_observation_id: null }] })[0]!.record_ids).toEqual([])
    expect(sourcesOf(observation('idx_coast', LAST_MS, '1.0000'))).toEqual([])
  })

  test('leads from records to what they derive from, and from quotes and trades to payloads', () => {
    const record = { field: 'mark', value: '0.5', source_observation_ids: ['obs_a.bid'], tick_at: null, quote: {} }
    const mark = { observation_id: 'mrk_a.mark', kind: 'market_observation', record } as unknown as FoundObservation
    expect(sourceIdsOf(mark)).toEqual(['obs_a.bid'])
    expect(factsOfRecord(mark)).toEqual([
      ['field', 'mark'],
      ['value', '0.5'],
      ['tick at', null],
    ])
    expect(['obs_a.bid', 'trd_a', 'mrk_a.mark', 'iob_a', 'res_a'].map(hasPayloads)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

describe('a list of assessments', () => {
  const base: Assessed = {
    ...{
      id: 'rat_a',
      kind: 'rating',
      subject_id: 'mkt_a',
      title: 'Harbor tide',
      grade: 'MR2',
      score: '80.00',
      type: null,
    },
    ...{ issuer: 'model v1', review_state: 'approved', effective_from: '2026-01-01T00:00:00Z' },
    ...{ published_at: '2026-01-01T00:00:00Z', reason_codes: ['COMPONENT_MISSING'] },
  }
  const newer = { ...base, id: 'rat_b', title: null, published_at: '2026-01-02T00:00:00Z' }

  test('is newest first, and searched by every word, in any case', () => {
    const ids = (search: string | null) => found([base, newer], search).map(({ id }) => id)
    expect(ids(null)).toEqual(['rat_b', 'rat_a'])
    expect(ids('  TIDE harbor ')).toEqual(['rat_a'])
    expect(ids('component mkt_a')).toEqual(['rat_b', 'rat_a'])
    expect(ids('tide nothing')).toEqual([])
  })

  test('keeps an unknown score unknown, and says which series an assessment is of', () => {
    const one = {
      ...{ assessment_id: 'asm_a', event_id: 'evt_a', level: 'UNKNOWN', score: null, assessment_type: 'forecast' },
      ...{ review_state: 'under_review', effective_from: 'a', published_at: 'b', reason_codes: [], issuer: null },
    } as unknown as SeverityAssessment
    expect(assessedOfSeverity(one, new Map([['evt_a', 'A storm']]))).toMatchObject({
      ...{ title: 'A storm', grade: 'UNKNOWN', score: null, type: 'forecast', issuer: 'none', kind: 'severity' },
    })
  })
})

describe('the order book beside a quote', () => {
  const record = {
    ...{ market_id: 'mkt_a', outcome_id: 'out_a', source_at: '2026-01-01T00:00:00Z' },
    ...{ published_at: '2026-01-01T00:00:02Z', quote: { bid: '0.40', ask: '0.440' } },
  }
  const quote = { observation_id: 'obs_a', kind: 'market_observation', record } as unknown as FoundObservation
  const book = (bid: string, ask: string | null, source_at = record.source_at) =>
    ({
      bids: [{ price: bid }, { price: '0.1' }],
      asks: ask === null ? [] : [{ price: ask }],
      source_at,
    }) as unknown as OrderBook

  test('is that of its outcome, as known when the quote was published; other records have none', () => {
    expect(bookOf(quote)).toEqual({ market_id: 'mkt_a', outcome_id: 'out_a', as_of: record.published_at })
    const derived = { ...quote, record: { ...record, quote: null } } as unknown as FoundObservation
    expect(bookOf(derived)).toBeNull()
    expect(bookOf({ ...quote, record: { index_id: 'idx_a' } } as unknown as FoundObservation)).toBeNull()
  })

  test('says whether it is the quote, by its best prices and its time', () => {
    expect(bookNote(book('0.4', '0.44'), quote)).toMatch(/^This book is the quote/)
    expect(bookNote(book('0.4', '0.44', '2026-01-01T00:00:01Z'), quote)).toMatch(/stored at another time/)
    expect(bookNote(book('0.39', '0.44'), quote)).toMatch(/differ/)
    expect(bookNote(book('0.4', null), quote)).toMatch(/differ/)
  })
})
