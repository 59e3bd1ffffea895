import { describe, expect, test } from 'vitest'
import { admitLeg, type LegData } from '../../../pipelines/index/admission.ts'
import { MarkRevisions } from '../../../pipelines/index/mark-revisions.ts'
import { type MarkedOutcome, MarketMarker } from '../../../pipelines/index/market-marks.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import {
  columns,
  legData,
  MINUTE,
  marketState,
  NOW,
  parameters,
  type QuoteText,
  resolution,
} from '../../support/index-world.ts'

const P = parameters({ 'admission.grace': 'PT0S', 'outlier.enabled': 'false' })
const BOOK: QuoteText = { record_id: 'obs_a', bid: '0.62', ask: '0.64', source_at: NOW }
const ticks = (count: number) => Array.from({ length: count }, (_, minute) => NOW + minute * MINUTE)

type Watched = { readonly outcome: MarkedOutcome; readonly data: LegData }

const outcome = (outcome_id: string, data: LegData): Watched => ({
  outcome: { venue_id: 'v', source_series_id: null, source_market_id: 'M', market_id: 'mkt_1', outcome_id },
  data,
})

function marks(watched: readonly Watched[], count: number, p = P) {
  const marker = new MarketMarker(
    watched.map((item) => item.outcome),
    p,
  )
  const admitted = watched.map(({ data }) => admitLeg(data, p.grace))
  const told = ticks(count).map((tick_at) => {
    return {
      tick_at,
      records: marker.tick(
        tick_at,
        admitted.map((admit) => admit(tick_at)),
      ),
    }
  })
  return told.filter(({ records }) => records.length > 0)
}

/** Minute, outcome, mark, rule, quality of each record. */
const told = (outcomes: readonly Watched[], count: number, p = P) =>
  marks(outcomes, count, p).flatMap(({ tick_at, records }) =>
    records.map((record) => [
      (tick_at - NOW) / MINUTE,
      record.outcome_id,
      record.mark,
      record.mark_rule,
      record.quality_state,
    ]),
  )

describe('marks of a market', () => {
  test('a record where something changed: value, rule or freshness; none for a tick that says the same', () => {
    const yes = outcome('out_yes', legData([BOOK]))
    // the book counts for 60 s, then the mark is carried; after 15 minutes it is stale by age
    expect(told([yes], 18)).toEqual([
      [0, 'out_yes', '0.630000', 'M1', 'valid'],
      [2, 'out_yes', '0.630000', 'M7', 'valid'],
      [16, 'out_yes', '0.630000', 'M7', 'stale'],
    ])
  })

  test('the other outcome of a binary market is derived from it, and says of what', () => {
    const yes = outcome('out_yes', legData([BOOK]))
    const no = outcome('out_no', legData([], { other: columns([BOOK]) }))
    const [first] = marks([yes, no], 1)
    expect(first!.records[1]).toMatchObject({
      outcome_id: 'out_no',
      mark: '0.370000',
      mark_rule: 'M6',
      derived: true,
      derivation_rule: 'one_minus_other_outcome',
      source_observation_ids: ['obs_a.bid', 'obs_a.ask'],
      midpoint: null,
      implied_probability: '0.370000',
    })
    expect(first!.records[0]).toMatchObject({
      midpoint: '0.630000000',
      midpoint_observation_ids: ['obs_a.bid', 'obs_a.ask'],
      derived: true,
      derivation_rule: 'M1',
      source_observation_ids: ['obs_a.bid', 'obs_a.ask'],
      implied_probability: '0.630000',
    })
  })

  test('a last trade is a mark that was taken over; bounded by a side it is derived from both, also when it is carried', () => {
    const traded = (last_trade: string) => {
      const book = { ...BOOK, bid: '0.40', ask: '0.90', last_trade, last_trade_at: NOW }
      const records = marks([outcome('out_yes', legData([book]))], 70).flatMap(({ records }) => records)
      return records.map(({ mark, mark_rule, derived, derivation_rule, source_observation_ids }) => {
        return [mark, mark_rule, derived, derivation_rule, source_observation_ids]
      })
    }
    const [own, bid] = [['obs_a.last_trade'], ['obs_a.last_trade', 'obs_a.bid']]
    expect(traded('0.50')[0]).toEqual(['0.500000', 'M5', false, null, own])
    const bounded = traded('0.30')
    expect(bounded[0]).toEqual(['0.400000', 'M5', true, 'M5', bid])
    // The book is too old after a minute: the mark is the trade itself, and is carried as such after an hour.
    expect(bounded.slice(1).map((record) => record.slice(0, 4))).toEqual([
      ['0.300000', 'M5', false, null],
      ['0.300000', 'M5', false, null],
      ['0.300000', 'M7', false, null],
    ])
  })

  test('a bounded trade that is carried keeps its sources', () => {
    const p = parameters({ 'admission.grace': 'PT0S', 'outlier.enabled': 'false', 'mark.t_last': 'PT1S' })
    const book = { ...BOOK, bid: '0.40', ask: '0.90', last_trade: '0.30', last_trade_at: NOW }
    const records = marks([outcome('out_yes', legData([book]))], 2, p).flatMap(({ records }) => records)
    expect(
      records.map(({ mark_rule, derivation_rule, source_observation_ids }) => [
        mark_rule,
        derivation_rule,
        source_observation_ids,
      ]),
    ).toEqual([
      ['M5', 'M5', ['obs_a.last_trade', 'obs_a.bid']],
      ['M7', 'M5', ['obs_a.last_trade', 'obs_a.bid']],
    ])
  })

  test.each([
    ['crossed', { ask: '0.60' }, 'open'],
    ['of a paused market', {}, 'paused'],
  ] as const)('a book that is %s gives no midpoint', (_, change, status) => {
    const data = legData([{ ...BOOK, ...change, last_trade: '0.61', last_trade_at: NOW }], {
      states: [marketState(NOW, status)],
    })
    const [first] = marks([outcome('out_yes', data)], 1)
    expect(first!.records[0]).toMatchObject({ mark: '0.610000', mark_rule: 'M5', midpoint: null })
    expect(first!.records[0]!.quality_state).toBe(status === 'paused' ? 'suspended' : 'valid')
  })

  test('three outcomes: implied probabilities are the normalized marks of E8; one missing, none', () => {
    const of = (id: string, value: string) =>
      outcome(id, legData([{ source_at: NOW, reported_probability: value, record_id: `obs_${id}` }]))
    const [all] = marks([of('a', '0.46'), of('b', '0.34'), of('c', '0.25')], 1)
    expect(all!.records.map((record) => record.implied_probability)).toEqual(['0.438095', '0.323810', '0.238095'])
    const [two] = marks([of('a', '0.46'), of('b', '0.34'), outcome('c', legData([]))], 1)
    expect(two!.records.map((record) => record.implied_probability)).toEqual([null, null])
  })

  test('overround at the limit is taken out, beyond it nothing is implied', () => {
    const of = (id: string, value: string) => outcome(id, legData([{ source_at: NOW, reported_probability: value }]))
    const implied = (last: string) =>
      marks([of('a', '0.50'), of('b', '0.40'), of('c', last)], 1)[0]!.records[0]!.implied_probability
    expect(implied('0.25')).toBe('0.434783')
    expect(implied('0.250001')).toBeNull()
  })

  test('a final payout is the mark from its own time on; a closed market keeps its last mark as stale', () => {
    const data = legData([BOOK], {
      states: [marketState(NOW + MINUTE, 'closed', { closes_at: NOW + MINUTE })],
      resolutions: [resolution(NOW + 3 * MINUTE, '1')],
    })
    expect(told([outcome('out_yes', data)], 5)).toEqual([
      [0, 'out_yes', '0.630000', 'M1', 'valid'],
      [1, 'out_yes', '0.630000', 'frozen', 'stale'],
      [3, 'out_yes', '1.000000', 'M0', 'valid'],
    ])
  })

  test('a frozen mark is said once, with the receipt of its own source, whatever quotes follow', () => {
    const later = [2, 3, 4].map((minute) => ({ ...BOOK, record_id: `obs_${minute}`, source_at: NOW + minute * MINUTE }))
    const data = legData([BOOK, ...later], {
      states: [marketState(NOW + MINUTE, 'closed', { closes_at: NOW + MINUTE })],
    })
    const records = marks([outcome('out_yes', data)], 6).flatMap(({ records }) => records)
    expect(records.map(({ mark_rule, received_at }) => [mark_rule, received_at])).toEqual([
      ['M1', formatMicros(NOW)],
      ['frozen', formatMicros(NOW)],
    ])
  })

  test('a kept mark that an earlier version published with the receipt of a later quote is not revised', () => {
    const data = legData([BOOK], { states: [marketState(NOW + MINUTE, 'closed', { closes_at: NOW + MINUTE })] })
    const [, frozen] = marks([outcome('out_yes', data)], 2).flatMap(({ records }) => records)
    const published = { ...frozen!, revision: 1, received_at: formatMicros(NOW + 9 * MINUTE) }
    expect(new MarkRevisions(published).take(NOW + 2 * MINUTE, frozen!, null, true)).toBeNull()
    expect(new MarkRevisions({ ...published, mark: '0.5' }).take(NOW + 2 * MINUTE, frozen!, null, true)).not.toBeNull()
  })

  test('a mark that ends says so: suspended, with null and not zero', () => {
    const p = parameters({ 'admission.grace': 'PT0S', 'fresh.max_carry': 'PT5M', 'fresh.stale_after': 'PT5M' })
    expect(told([outcome('out_yes', legData([BOOK]))], 8, p).at(-1)).toEqual([6, 'out_yes', null, null, 'suspended'])
  })

  test('before the first quote nothing is said', () => {
    const late = { ...BOOK, source_at: NOW + 2 * MINUTE }
    expect(told([outcome('out_yes', legData([late]))], 3)).toEqual([[2, 'out_yes', '0.630000', 'M1', 'valid']])
  })

  test('what is held back by the outlier filter is indicative', () => {
    const p = parameters({ 'admission.grace': 'PT0S' })
    const steady = Array.from({ length: 8 }, (_, i) => ({
      record_id: `obs_${i}`,
      source_at: NOW + i * MINUTE,
      bid: '0.62',
      ask: '0.64',
    }))
    const jump = { record_id: 'obs_jump', source_at: NOW + 8 * MINUTE, bid: '0.92', ask: '0.94' }
    const last = told([outcome('out_yes', legData([...steady, jump]))], 9, p).at(-1)
    expect(last).toEqual([8, 'out_yes', '0.630000', 'M7', 'indicative'])
  })
})
