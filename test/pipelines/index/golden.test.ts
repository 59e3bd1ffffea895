import { describe, expect, test } from 'vitest'
import golden from '../../../datasets/golden/methodology-examples.json' with { type: 'json' }
import { contributions } from '../../../pipelines/index/calculate.ts'
import { decideRestatement, formatBasisPoints } from '../../../pipelines/index/correction.ts'
import { GAUGE_FACTOR } from '../../../pipelines/index/level.ts'
import { logOddsPool, sumToOne } from '../../../pipelines/index/normalize.ts'
import { decideQuality, labelQuality } from '../../../pipelines/index/quality.ts'
import { recordHash, recordJson } from '../../../pipelines/index/record-hash.ts'
import { nearWeight, rollPrice } from '../../../pipelines/index/roll.ts'
import type { Roll } from '../../../pipelines/index/version.ts'
import { capWeights } from '../../../pipelines/index/weights.ts'
import { buildCandles, parseInterval } from '../../../pipelines/market/candles.ts'
import { costToMove, fixingValue, volumeWeightedAverage, weightedMedian } from '../../../pipelines/market/fixing.ts'
import { formatMark } from '../../../pipelines/market/mark.ts'
import { markOutcome } from '../../../pipelines/market/outcome.ts'
import { filterOutlier, outlierWindow } from '../../../pipelines/market/outlier.ts'
import { executableBand } from '../../../pipelines/robustness/executable-band.ts'
import { Decimal, formatDecimal, medianDecimal, ONE, sumDecimals } from '../../../primitives/decimal.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { currentRows, knownRows, latestLevel } from '../../support/as-of-rules.ts'
import { inclusionProof, leafHash, treeRoot, verifyInclusion } from '../../support/hash-tree.ts'
import {
  DAY,
  d,
  definitionFile,
  legData,
  MINUTE,
  mark,
  NOW,
  parameters,
  type QuoteText,
  quote,
  resolution,
  SECOND,
  series,
} from '../../support/index-world.ts'

const { E1, E2, E2b, E3, E4, E5, E6, E7, E8, E9, E10, E15, E16, E17, E18, E20, E21, E22, E23, quality_states } =
  golden.examples
const P = parameters()
const IDS = Object.keys(E1.expected.weights)
const WEIGHTS = Object.values(E1.expected.weights)
const fixed = (value: Decimal, scale: number) => formatDecimal(value, scale)

test('E1 capping', () => {
  const inputs = Object.entries(E1.input.raw).map(([constituent_id, raw]) => ({
    constituent_id,
    raw: d(raw),
    cap: d(E1.input.cap_single),
    group_event: null,
    group_venue: null,
  }))
  const weights = capWeights(inputs, { event: null, venue: null })
  expect(Object.fromEntries(weights.map((w, i) => [inputs[i]!.constituent_id, fixed(w, 10)]))).toEqual(
    E1.expected.weights,
  )
  expect(fixed(sumDecimals(weights), 10)).toBe(E1.expected.sum)
})

/** The official series of the examples E2 to E4: one index, six ticks, a resolution and a rebalance. */
describe.each(['gauge', 'chain_linked'])('E2, E2b, E3, E4 as one series in mode %s', (mode) => {
  const reported = (value: string, at: number): QuoteText => ({
    reported_probability: value,
    source_at: NOW + at * MINUTE,
  })
  const DELAY = 20
  const file = definitionFile(
    IDS.map((constituent_id, i) => ({ constituent_id, target_weight: WEIGHTS[i]! })),
    {
      parameters: {
        mode,
        'outlier.enabled': 'false',
        'fresh.stale_after': 'PT15M',
        'fresh.max_carry': 'PT30M',
        'quality.min_confidence': '0',
        'quality.max_fallback_weight': '1',
      },
      version: { minimum_coverage_ratio: E2b.input.minimum_coverage_ratio },
      versions: [
        {
          version: '2',
          effective_from: '2026-11-21T00:22:00Z',
          constituents: Object.entries(E4.input.new_weights).map(([constituent_id, target_weight]) => ({
            constituent_id,
            venue_id: 'test',
            source_market_id: constituent_id,
            target_weight,
          })),
        },
      ],
    },
  )
  const later = (x: string) => [20, 21, 22, 23].map((minute) => reported(x, minute))
  const records = {
    con_a: legData([reported(E2.input.x.con_a, 0), ...later(E2b.input.x.con_a)]),
    con_b: legData([reported(E2.input.x.con_b, 0), ...later(E2b.input.x.con_b)]),
    con_c: legData([reported(E2.input.x.con_c, 0), ...later(E2b.input.x.con_c)]),
    con_d: legData([reported(E2.input.x.con_d, 0)]),
    con_e: legData([reported(E2.input.x.con_e, 0), reported(E2b.input.x.con_e, 20)], {
      resolutions: [resolution(NOW + 21 * MINUTE, E4.input.settled_x.con_e)],
    }),
    con_f: legData([reported(E4.input.con_f_at_link, 22), reported(E4.input.con_f_next, 23)]),
  }
  const steps = series(file, records, { to: NOW + 24 * MINUTE, grace: 0 })
  const at = (minute: number) => steps.find((step) => step.result.tick_at === NOW + minute * MINUTE)!
  const chained = mode === 'chain_linked'

  test('E2 level, contributions and base', () => {
    const { result, links } = at(0)
    const link = links[0]
    expect(result.level).toBe(chained ? E2.expected.chain_level : E2.expected.gauge_level)
    expect(fixed(link!.link_factor, 12)).toBe(chained ? E2.expected.link_factor : '100.000000000000')
    if (chained) return
    expect(Object.fromEntries(contributions(result).map((share, i) => [IDS[i], share]))).toEqual(
      E2.expected.contributions,
    )
  })

  test('E2b one stale', () => {
    const { result } = at(DELAY)
    expect(result.level).toBe(chained ? E2b.expected.chain_level : E2b.expected.gauge_level)
    expect(result.coverage_ratio).toBe(E2b.expected.coverage_ratio)
    expect(result.quality_state).toBe(E2b.expected.quality_state)
    expect(result.constituents.filter((c) => c.freshness === 'stale').map((c) => c.constituent.constituent_id)).toEqual(
      E2b.input.stale,
    )
    if (chained) return
    const [before, after] = [contributions(at(0).result), contributions(result)]
    const moved = after.map((share, i) => d(share!).minus(before[i]!))
    expect(Object.fromEntries(moved.map((change, i) => [IDS[i], fixed(change, 6)]))).toEqual(E2b.expected.attribution)
    expect(fixed(sumDecimals(moved), 6)).toBe(E2b.expected.attribution_total)
  })

  test('E3 missing is left out, never zero', () => {
    const gap = definitionFile(file.versions[0]!.constituents!, {
      parameters: { ...file.methodology.parameters!, 'fresh.max_carry': 'PT19M' },
      version: { minimum_coverage_ratio: E3.input.minimum_coverage_ratio },
    })
    const { result } = series(gap, records, { to: NOW + 21 * MINUTE, grace: 0 }).at(-1)!
    expect(result.missing_constituent_ids).toEqual(E3.expected.missing_constituent_ids)
    expect(result.coverage_ratio).toBe(E3.expected.coverage_ratio)
    expect(result.quality_state).toBe(E3.expected.quality_state)
    if (chained) return
    expect(result.level).toBe(E3.expected.gauge_level)
    const known = sumDecimals(contributions(result).map((share) => d(share ?? '0'))).times(result.used_weight)
    expect(fixed(known, 4)).toBe(E3.expected.forbidden_zero_level)
    const missing_weight = ONE.minus(result.used_weight)
    expect([fixed(known, 4), fixed(known.plus(missing_weight.times(100)), 4)]).toEqual(E3.expected.bound)
  })

  test('E4 resolution and link', () => {
    if (!chained) {
      expect(at(22).links[0]!.composition_step).toBe(E4.expected.gauge_composition_step)
      return
    }
    const { links, result } = at(22)
    const link = links[0]
    expect(at(21).result.level).toBe(E4.expected.level_after_resolution)
    expect(fixed(link!.link_factor, 12)).toBe(E4.expected.link_factor_new)
    expect(link!.level_at_link).toBe(E4.expected.level_after_link)
    expect(result.level).toBe(E4.expected.level_after_link)
    expect(at(23).result.level).toBe(E4.expected.next_level)
    const sums = contributions(result).map((share) => d(share!))
    expect(fixed(sumDecimals(sums).div(link!.link_factor), 12)).toBe(E4.expected.s_new)
    expect(fixed(link!.previous_link_factor!.div(100), 6)).toBe(E4.expected.gearing_old)
    expect(fixed(link!.link_factor.div(100), 6)).toBe(E4.expected.gearing_new)
    const s_old = sumDecimals(contributions(at(21).result).map((share) => d(share!))).div(link!.previous_link_factor!)
    expect(fixed(s_old, 12)).toBe(E4.expected.s_old)
  })
})

/** A case's quote: ages in seconds become instants before NOW. */
function quoteOf(text: { readonly [field: string]: string | number }, age = 0) {
  const { last_trade_age, ...rest } = text
  return quote({
    ...(rest as QuoteText),
    source_at: NOW - age * SECOND,
    ...(last_trade_age === undefined ? {} : { last_trade_at: NOW - Number(last_trade_age) * SECOND }),
  })
}

test.each(E5.cases)('E5 $name', ({ input, expected }) => {
  const outcome = {
    quote: input.quote === undefined ? null : quoteOf(input.quote),
    other: input.other === undefined ? null : quoteOf(input.other),
    resolution: null,
    market: null,
    can_freeze: false,
  }
  const { previous } = input
  const history =
    previous === undefined ? null : { mark: mark(previous.value, NOW - previous.age * SECOND), earlier: null }
  const got = markOutcome(outcome, history, NOW, P)
  expect(got.mark?.rule ?? null).toBe(expected.rule)
  expect(got.mark === null ? null : formatMark(got.mark)).toBe(expected.value)
  expect(got.reason).toBe(expected.reason)
  expect((got.mark?.derivation_rule ?? null) !== null).toBe(expected.derived ?? false)
  if (expected.age !== undefined) expect((NOW - got.mark!.source_at) / SECOND).toBe(expected.age)
})

test('E6 Hampel filter', () => {
  const accepted = E6.input.window.map((value, i) => mark(value, NOW - (11 - i) * MINUTE))
  const window = outlierWindow(accepted, P.outlier)
  expect(fixed(window.median, 6)).toBe(E6.expected.median)
  expect(fixed(window.mad, 6)).toBe(E6.expected.mad)
  expect(fixed(window.sigma, 6)).toBe(E6.expected.sigma)
  const got = E6.input.candidates.map((value) => {
    const decision = filterOutlier(mark(value, NOW), { accepted, pending: [] }, NOW, P.outlier, [])
    expect(fixed(decision.limit!, 6)).toBe(E6.expected.limit)
    return { distance: fixed(d(value).minus(window.median).abs(), 6), accepted: decision.accepted }
  })
  expect(got).toEqual(E6.expected.candidates)
})

test('E7 log-odds pool', () => {
  const legs = (pool: readonly (readonly string[])[]) =>
    pool.map(([p, weight], i) => ({ key: String(i), p: d(p!), weight: d(weight!) }))
  const pool = legs(E7.input.pool)
  expect(fixed(logOddsPool(pool, new Set(), P.pool).x, 6)).toBe(E7.expected.x)
  const total = sumDecimals(pool.map((leg) => leg.weight))
  expect(fixed(sumDecimals(pool.map((leg) => leg.p.times(leg.weight))).div(total), 6)).toBe(E7.expected.arithmetic)
  const extremised = { ...P.pool, d: d(E7.input.extremised_d) }
  expect(fixed(logOddsPool(pool, new Set(), extremised).x, 6)).toBe(E7.expected.extremised)
  const far = logOddsPool(legs(E7.input.far.pool), new Set(), P.pool)
  expect([...far.excluded.keys()].map(Number)).toEqual(E7.expected.far.excluded)
  const { median } = [...far.excluded.values()][0]!
  expect(fixed(median, 6)).toBe(E7.expected.far.median)
  expect(fixed(legs(E7.input.far.pool)[2]!.p.minus(median).abs(), 6)).toBe(E7.expected.far.distance)
  expect(fixed(far.x, 6)).toBe(E7.expected.far.x)
})

test('E8 outcomes that sum to one', () => {
  const marks = E8.input.marks.map(d)
  const got = marks.map((_, own) => sumToOne(marks, own, P.max_overround)!)
  expect(got.map(({ x }) => fixed(x, 6))).toEqual(E8.expected.x)
  expect(fixed(got[0]!.overround, 6)).toBe(E8.expected.overround)
})

test('E9 roll', () => {
  const [near, far] = E9.input.days.map((days, i) => ({ days: d(days), p: d(E9.input.p[i]!) }))
  const roll = (mode: Roll['mode']) => ({
    target_days: d(E9.input.target_days),
    stop_days: d(E9.input.stop_days),
    mode,
  })
  expect(fixed(nearWeight(near!.days, far!.days, roll('linear')), 10)).toBe(E9.expected.w1)
  expect(fixed(rollPrice(near!, far!, roll('linear')).x, 6)).toBe(E9.expected.linear)
  expect(fixed(rollPrice(near!, far!, roll('hazard')).x, 6)).toBe(E9.expected.hazard)
})

test('E10 fixing', () => {
  const partitions = E10.input.partitions.map(({ trades, mark: at_end }) => ({
    trades: trades.map(([price, quantity]) => ({ price: d(price!), quantity: d(quantity!) })),
    mark: at_end === null ? null : d(at_end),
  }))
  expect(partitions.map((part) => (weightedMedian(part.trades) ?? part.mark)!.toFixed())).toEqual(
    E10.expected.partitions,
  )
  expect(fixed(fixingValue(partitions, E10.input)!, 6)).toBe(E10.expected.fixing)
  expect(fixingValue(partitions, { ...E10.input, minimum: E10.input.minimum + 1 })).toBeNull()
  const trades = partitions.flatMap((part) => part.trades)
  expect(fixed(volumeWeightedAverage(trades)!, 6)).toBe(E10.expected.volume_weighted_average)
})

test('E15 restatement', () => {
  const { old_level, new_level, found_after_days } = E15.input
  expect(formatBasisPoints(old_level, new_level)).toBe(E15.expected.basis_points)
  const found = (days: number) =>
    decideRestatement({ old_level, new_level, tick_at: NOW, detected_at: NOW + days * DAY }, P.restate)
  expect(found(found_after_days)).toBe(E15.expected.restatement)
  expect(found(3)).toBe(E15.expected.found_after_3_days)
})

test('E16 confidence from real ages and rules', () => {
  const earlier = 7200
  const records = Object.fromEntries(
    Object.entries(E16.input.inputs).map(([id, { age, quote: book }]) => {
      const { last_trade_age, ...sides } = book as { last_trade_age?: number } & QuoteText
      const source_at = NOW + (earlier - age) * SECOND
      const traded = last_trade_age === undefined ? {} : { last_trade_at: source_at }
      return [id, legData([{ ...sides, ...traded, source_at }])]
    }),
  )
  const file = definitionFile(IDS.map((constituent_id, i) => ({ constituent_id, target_weight: WEIGHTS[i]! })))
  const { result } = series(file, records, { to: NOW + (earlier + 1) * SECOND }).at(-1)!
  expect(result.tick_at).toBe(NOW + earlier * SECOND)
  expect(Object.fromEntries(result.constituents.map((c) => [c.constituent.constituent_id, c.mark_rule]))).toEqual(
    Object.fromEntries(Object.entries(E16.input.inputs).map(([id, { rule }]) => [id, rule])),
  )
  expect(Object.fromEntries(result.constituents.map((c) => [c.constituent.constituent_id, c.freshness]))).toEqual(
    E16.expected.freshness,
  )
  expect(result.confidence).toBe(E16.expected.confidence)
  expect(result.coverage_ratio).toBe(E16.expected.coverage_ratio)
  expect(result.level).toBe(E16.expected.gauge_level)
})

test('E17 record hash and hash tree', () => {
  const { record, leaves_before } = E17.input
  const { canonical_json, sha256, third_leaf, proof_for_index_2, root } = E17.expected
  expect(recordJson(record)).toBe(canonical_json)
  expect(recordHash({ ...record, published_at: '2026-11-21T00:01:03Z' } as typeof record)).toBe(sha256)
  const leaves = [...leaves_before, canonical_json]
  expect(leafHash(canonical_json)).toBe(third_leaf)
  expect(inclusionProof(leaves, 2)).toEqual(proof_for_index_2)
  expect(treeRoot(leaves)).toBe(root)
  expect(verifyInclusion(canonical_json, 2, 3, proof_for_index_2, root)).toBe(true)
})

test('E18 as_of', () => {
  const rows = E18.input.rows.map((row) => ({
    ...row,
    index_id: 'idx_demo',
    tick_at: toMicros(row.tick_at),
    published_at: toMicros(row.published_at),
    row_ordinal: 0,
  }))
  const latest = (as_of: string) => latestLevel(rows, toMicros(as_of))?.observation_id ?? null
  const { expected } = E18
  expect(Object.fromEntries(Object.keys(expected.latest).map((as_of) => [as_of, latest(as_of)]))).toEqual(
    expected.latest,
  )
  expect(latest(expected.before_the_first.as_of)).toBe(expected.before_the_first.latest)
  const at = toMicros('2026-11-21T02:30:00Z')
  expect(currentRows(rows, at).map((row) => row.observation_id)).toEqual(expected.current_at_0230_by_tick)
  const naive = knownRows(rows, at).reduce((last, row) => (row.published_at > last.published_at ? row : last))
  expect(naive.observation_id).toBe(expected.naive_last_published_at_0230)
})

test('E20 executable band', () => {
  const ids = Object.keys(E20.input.bids) as (keyof typeof E20.input.bids)[]
  const side = (price: string) => [{ price: d(price), quantity: d('1') }]
  const depths = new Map(
    ids.map((id) => [id, { depth: { bids: side(E20.input.bids[id]), asks: side(E20.input.asks[id]) }, reason: null }]),
  )
  const constituents = ids.map((constituent_id, i) => {
    return { constituent_id, w: d(WEIGHTS[i]!), x: d(E20.input.bids[constituent_id]), freshness: 'fresh' as const }
  })
  const rules = { minimum_coverage_ratio: d('0.8'), usable_min: d('0.5') }
  const { bid, ask } = executableBand({ k: GAUGE_FACTOR, constituents, rules }, depths, d('0'))
  expect({ low: bid.level, high: ask.level }).toEqual(E20.expected)
})

test.each(E21.cases)('E21 tie $value', ({ value, half_even, half_up, mean_of, double_mean }) => {
  expect(fixed(d(value), 4)).toBe(half_even)
  const Default = Decimal.clone({ defaults: true })
  if (half_up !== undefined) expect(new Default(value).toFixed(4)).toBe(half_up)
  if (mean_of === undefined) return
  expect(fixed(medianDecimal(mean_of.map(d)), 4)).toBe(half_even)
  expect((mean_of.map(Number).reduce((a, b) => a + b) / mean_of.length).toFixed(4)).toBe(double_mean)
})

test('E22 cost to move', () => {
  const levels = (side: readonly (readonly string[])[]) =>
    side.map(([price, quantity]) => ({ price: d(price!), quantity: d(quantity!) }))
  const buy = costToMove(levels(E22.input.asks), 'buy', d(E22.input.up_to))
  const sell = costToMove(levels(E22.input.bids), 'sell', d(E22.input.down_to))
  expect({ buy: fixed(buy, 2), sell: fixed(sell, 2), cost: fixed(Decimal.min(buy, sell), 2) }).toEqual(E22.expected)
})

test('E23 candle', () => {
  const rows = E23.input.rows.map((row, row_ordinal) => ({
    ...row,
    tick_at: toMicros(row.tick_at),
    source_cutoff_at: toMicros(row.tick_at),
    published_at: toMicros(row.tick_at) + 5 * SECOND,
    row_ordinal,
    methodology_version: '1.0.0',
  }))
  const { from, to, interval } = E23.input
  const range = { from: toMicros(from), to: toMicros(to), interval: parseInterval(interval) }
  const extra = { methodology_version: '1.0.0', published_at: '2026-11-21T00:04:05Z', volume: null, final: true }
  const candles = buildCandles(rows, range, { at: range.to, trades: null })
  expect(candles).toEqual(E23.expected.candles.map((candle) => ({ ...candle, ...extra })))
})

test.each(quality_states.cases)('quality state $input is $expected', ({ input, expected }) => {
  const state = decideQuality(
    {
      halted: false,
      scheduled: false,
      usable_ratio: d(input.usable_ratio ?? '1'),
      coverage_ratio: d(input.coverage_ratio ?? '1'),
      confidence: d(input.confidence ?? '1'),
      fallback_ratio: d(input.disputed_weight ?? '0'),
      any_fresh_or_settled: input.any_fresh_or_settled ?? true,
      any_missing: input.missing_weight !== undefined,
      dispersed: false,
      indicative: input.disputed_weight !== undefined,
      minimum_coverage_ratio: d(quality_states.minimum_coverage_ratio),
    },
    P.quality,
  )
  expect(labelQuality(state, input.revision ?? 1)).toBe(expected)
})
