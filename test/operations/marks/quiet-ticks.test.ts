import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LiveMarks, MARK_PARAMETERS, markedLeg } from '../../../operations/marks/live-marks.ts'
import { admitLeg, type LegData } from '../../../pipelines/index/admission.ts'
import { MarketMarker } from '../../../pipelines/index/market-marks.ts'
import type { Micros } from '../../../primitives/instants.ts'
import {
  columns,
  DAY,
  HOUR,
  legData,
  MINUTE,
  marketState,
  NOW,
  type QuoteText,
  resolution,
  SECOND,
} from '../../support/index-world.ts'
import { sized } from '../../support/sized.ts'

// One market in which anything may happen: quotes far apart and close together, prices that jump, confirmations, late receipts,
// trades, pauses, closings, disputes and payouts.
const TO = NOW + 2 * DAY
const LEGS = ['YES', 'NO'].map((outcome) =>
  markedLeg({ venue_id: 'v', source_market_id: 'M', market_id: 'mkt_1', outcome_id: `out_${outcome}`, outcome }),
)

const price = fc.integer({ min: 1, max: 99 }).map((cents) => (cents / 100).toFixed(2))
/** Mostly close to what was before, so that ages, carried marks and the outlier filter all come up. */
const gap = fc.oneof(
  fc.integer({ min: 1, max: 90 }).map((seconds) => seconds * SECOND),
  fc.constantFrom(MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, DAY),
)
const quoteText = fc.record({
  gap,
  late: fc.constantFrom(0, 0, 0, 4 * SECOND, 6 * SECOND, 20 * MINUTE),
  bid: fc.option(price),
  spread: fc.constantFrom(-0.01, 0, 0.01, 0.02, 0.08, 0.2, 0.4),
  depth: fc.constantFrom('10', '50', '900'),
  traded: fc.option(fc.record({ price, before: gap }), { freq: 2 }),
  confirmed: fc.option(gap, { freq: 4 }),
})

type Drawn = { readonly gap: Micros } & (typeof quoteText extends fc.Arbitrary<infer T> ? T : never)

function quotesOf(name: string, drawn: readonly Drawn[]): QuoteText[] {
  let at = NOW
  return drawn.map((item, ordinal) => {
    at += item.gap
    const ask = item.bid === null ? null : Math.min(1, Math.max(0, Number(item.bid) + item.spread)).toFixed(2)
    return {
      record_id: `obs_${name}_${ordinal}`,
      source_at: at,
      received_at: at + item.late,
      ...(item.bid === null || ask === null
        ? {}
        : { bid: item.bid, ask, bid_depth: item.depth, ask_depth: item.depth }),
      ...(item.traded === null ? {} : { last_trade: item.traded.price, last_trade_at: at - item.traded.before }),
      ...(item.confirmed === null ? {} : { confirmed_at: at + item.confirmed }),
      ...(item.bid === null && item.traded === null ? { reported_probability: '0.42' } : {}),
    }
  })
}

const facts = fc.record({
  states: fc.array(
    fc.record({ at: fc.integer({ min: 0, max: 2_000 }), status: fc.constantFrom('open', 'paused', 'closed') }),
    { maxLength: 3 },
  ),
  resolutions: fc.array(
    fc.record({ at: fc.integer({ min: 0, max: 2_800 }), finality: fc.constantFrom('proposed', 'disputed', 'final') }),
    { maxLength: 2 },
  ),
})

const world = fc
  .tuple(fc.array(quoteText, { maxLength: 14 }), fc.array(quoteText, { maxLength: 6 }), facts)
  .map(([yes, no, { states, resolutions }]) => {
    const quotes = [quotesOf('yes', yes), quotesOf('no', no)]
    const rest = {
      states: states.map(({ at, status }) => marketState(NOW + at * MINUTE, status as 'open')),
      resolutions: resolutions.map(({ at, finality }) =>
        resolution(NOW + at * MINUTE, '1.000000', { finality: finality as 'final' }),
      ),
    }
    return quotes.map((own, place) => legData(own, { other: columns(quotes[1 - place]!), ...rest }))
  })

function everyTick(data: readonly LegData[]) {
  const outcomes = LEGS.map(({ venue_id, source_series_id, source_market_id, market_id, outcome_id }) => {
    return { venue_id, source_series_id, source_market_id, market_id, outcome_id }
  })
  const marker = new MarketMarker(outcomes, MARK_PARAMETERS)
  const admitted = data.map((leg) => admitLeg(leg, MARK_PARAMETERS.grace))
  const told = []
  for (let tick_at = NOW - DAY; tick_at < TO; tick_at += MINUTE) {
    const records = marker.tick(
      tick_at,
      admitted.map((admit) => admit(tick_at)),
    )
    if (records.length > 0) told.push({ tick_at, records })
  }
  return told
}

function onlyTicksWithNews(data: readonly LegData[], cuts: readonly Micros[]) {
  const marks = new LiveMarks(MINUTE)
  const by_key = new Map(LEGS.map((leg, place) => [leg.key, data[place]!]))
  const bounds = [NOW, ...cuts, TO]
  return bounds.slice(1).flatMap((to, n) => marks.take(LEGS, by_key, { from: bounds[n]!, to }))
}

test('marks of only the ticks at which something can change are those of every tick, however the ticks are cut', () => {
  const cut = fc.integer({ min: 1, max: 2_800 }).map((minute) => NOW + minute * MINUTE)
  const cuts = fc.array(cut, { maxLength: 2 }).map((instants) => instants.sort((a, b) => a - b))
  fc.assert(
    fc.property(world, cuts, (data, at) => {
      expect(onlyTicksWithNews(data, at)).toEqual(everyTick(data).filter(({ tick_at }) => tick_at >= NOW))
    }),
    { numRuns: sized(25, 3_000) },
  )
})
