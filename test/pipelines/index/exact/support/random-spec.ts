import fc from 'fast-check'
import { decodeParameters, type Parameters, resolveParameters } from '../../../../../pipelines/index/parameters.ts'
import type {
  Constituent,
  Fixing,
  IndexSpec,
  IndexVersion,
  Leg,
  Methodology,
  Normalization,
  Roll,
} from '../../../../../pipelines/index/version.ts'
import { Decimal } from '../../../../../primitives/decimal.ts'
import type { IndexMode } from '../../../../../vocabulary/index-level.ts'
import { MINUTE, SECOND, START } from './random-data.ts'

/** Names of the legs a random world has. */
export const LEG_NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const

const DAY = 1440 * MINUTE
const COMPOSED_BY = { weighting: 'fixed', caps: null, selection: null, rebalance: null }
const pick = fc.constantFrom

/** Durations short enough that a half-hour world crosses them, and thresholds that ratios of small weights meet. */
const parameters = fc.record({
  'admission.grace': pick('PT5S', 'PT0S'),
  'fresh.stale_after': pick('PT15M', 'PT15M', 'PT2M', 'PT1M'),
  'fresh.max_carry': pick('PT24H', 'PT10M', 'PT7M'),
  'mark.book_max_age': pick('PT60S', 'PT90S', 'PT5M'),
  'mark.t_recent': pick('PT15M', 'PT2M'),
  'mark.t_last': pick('PT1H', 'PT5M'),
  'mark.s_tight': pick('0.02', '0.0200000005'),
  'outlier.enabled': pick('true', 'true', 'false'),
  'outlier.window': pick('11', '6', '4'),
  'outlier.min_n': pick('5', '3', '2'),
  'outlier.k': pick('5', '2.5', '0.333'),
  'outlier.floor': pick('0.01', '0.002', '0'),
  'outlier.confirm_n': pick('3', '2'),
  'outlier.band': pick('0.02', '0.1'),
  'outlier.venue_band': pick('0.03', '0.2'),
  'outlier.window_max_age': pick('PT1H', 'PT4M'),
  'quality.usable_min': pick('0.50', '0.2', '0.25'),
  'quality.min_confidence': pick('0.60', '0.5', '0.45', '0.25'),
  'quality.max_fallback_weight': pick('0.40', '0.5', '0.25', '1'),
  settle_from: pick('source_at', 'final_at'),
  'pool.finality': pick('any', 'majority'),
  'link.min_s': pick('0.05', '0.000001'),
  'link.gearing_range': pick('0.2 5', '0.0001 100000'),
})

type Texts = typeof parameters extends fc.Arbitrary<infer T> ? T : never

const part = fc.oneof(fc.integer({ min: 1, max: 10_000_000_000 }), pick(1, 1, 2, 4))

const constituent = fc.record({
  normalization: fc.oneof(
    { weight: 6, arbitrary: pick<Normalization>('probability_0_1', 'inverse') },
    {
      weight: 2,
      arbitrary: pick<Normalization>('logodds_pool', 'multi_outcome_sum_to_one', 'constant_maturity'),
    },
  ),
  legs: fc.shuffledSubarray([...LEG_NAMES], { minLength: 2, maxLength: 4 }),
  own: fc.nat(1),
  part,
  pool_weights: fc.array(pick('1', '2', '0.3', '0.3333333333333333333'), { minLength: 4, maxLength: 4 }),
  expected: fc.array(fc.option(fc.integer({ min: 1, max: 90 }), { nil: null }), { minLength: 4, maxLength: 4 }),
})
type RandomConstituent = typeof constituent extends fc.Arbitrary<infer T> ? T : never

const version = fc.record({
  constituents: fc.array(constituent, { minLength: 1, maxLength: 6 }),
  length: pick(0, 6 * MINUTE, 9 * MINUTE + 30_000_000, 15 * MINUTE),
  minimum: pick('0.80', '0.5', '0.25', '0'),
  parameters,
  fixing: fc.option(fc.record({ minute: pick(5, 12), trim: fc.nat(1) }), { nil: null }),
  roll: fc.record({ target: pick('30', '45.5'), mode: pick<Roll['mode']>('linear', 'hazard') }),
})
type RandomVersion = typeof version extends fc.Arbitrary<infer T> ? T : never

/** A random index over the legs of LEG_NAMES: several versions with links, every normalization, fixings, random parameters. */
export const randomSpec: fc.Arbitrary<IndexSpec> = specOf(version)

/** The same with plain constituents only and no fixings, on ticks of a second to a minute. */
export const randomPlainSpec: fc.Arbitrary<IndexSpec> = fc
  .tuple(specOf(version), pick(1, 7, 60))
  .map(([spec, seconds]) => ({ ...spec, versions: spec.versions.map((v) => plain(v, seconds * SECOND)) }))

function plain(item: IndexVersion, frequency: number): IndexVersion {
  const constituents = item.constituents.map((c) => ({
    ...c,
    normalization: c.normalization === 'inverse' ? c.normalization : ('probability_0_1' as const),
    legs: c.legs.slice(0, 1),
    own: 0,
  }))
  return { ...item, frequency, constituents, fixing: null }
}

function specOf(versions: fc.Arbitrary<RandomVersion>): fc.Arbitrary<IndexSpec> {
  return fc
    .record({
      mode: pick<IndexMode>('gauge', 'chain_linked'),
      base_value: pick('1000', '100', '77.7777'),
      base_before: pick(0, 0, 3 * MINUTE),
      versions: fc.array(versions, { minLength: 1, maxLength: 3 }),
    })
    .map(({ mode, base_value, base_before, versions: items }) => {
      let from = START
      const built = items.map((item, i) => {
        const effective_from = from
        from += item.length
        return versionOf(item, i, effective_from, i === items.length - 1 ? null : from, mode)
      })
      return {
        index_id: 'idx_random',
        unit: 'index_points',
        base_value: new Decimal(base_value),
        base_date: START - base_before,
        versions: built.filter((v) => v.effective_to === null || v.effective_to > v.effective_from),
      }
    })
}

function versionOf(item: RandomVersion, i: number, from: number, to: number | null, mode: IndexMode): IndexVersion {
  const weights = shares(item.constituents.map((c) => c.part))
  return {
    index_version_id: `idv_random_${i}`,
    index_id: 'idx_random',
    version: `v${i + 1}`,
    effective_from: from,
    effective_to: to,
    frequency: MINUTE,
    minimum_coverage_ratio: new Decimal(item.minimum),
    constituents: item.constituents.map((c, n) => constituentOf(c, n, weights[n]!)),
    roll: { target_days: new Decimal(item.roll.target), stop_days: new Decimal(3), mode: item.roll.mode },
    fixing: item.fixing === null ? null : fixingOf(item.fixing.minute, item.fixing.trim),
    composed_by: COMPOSED_BY,
    methodology: methodologyOf(item.parameters, mode),
  }
}

function fixingOf(minute: number, trim: number): Fixing {
  return { at: minute * MINUTE, partitions: 4, partition: 2 * MINUTE, minimum: 3, trim }
}

function methodologyOf(texts: Texts, mode: IndexMode): Methodology {
  const resolved = resolveParameters({ ...texts, mode })
  return {
    methodology_id: 'mth_random',
    version: '1',
    name: 'random',
    content_hash: 'sha256:0',
    texts: resolved,
    parameters: decodeParameters(resolved),
  }
}

/** Parts as weights of 10 decimals that sum to exactly 1; the last one takes what is left. */
export function shares(parts: readonly number[]): Decimal[] {
  const total = parts.reduce((sum, item) => sum + BigInt(item), 0n)
  const units = parts.map((item) => (BigInt(item) * 10_000_000_000n) / total)
  const rest = 10_000_000_000n - units.reduce((sum, item) => sum + item, 0n)
  return units.map((unit, i) => new Decimal((i === units.length - 1 ? unit + rest : unit).toString()).div('1e10'))
}

function constituentOf(item: RandomConstituent, n: number, target_weight: Decimal): Constituent {
  const plain = item.normalization === 'probability_0_1' || item.normalization === 'inverse'
  const names = plain ? item.legs.slice(0, 1) : item.legs
  return {
    constituent_id: `con_${n}`,
    normalization: item.normalization,
    legs: names.map((name, i) => legOf(name, item.pool_weights[i]!, item.expected[i]!)),
    own: item.normalization === 'multi_outcome_sum_to_one' ? item.own : 0,
    target_weight,
    weight_cap: null,
    group_event: null,
  }
}

/** A leg by its name. */
export function legOf(name: string, pool_weight = '1', expected_days: number | null = null): Leg {
  return {
    key: name,
    venue_id: `venue_${name < 'e' ? name : 'e'}`,
    source_series_id: null,
    source_market_id: name,
    outcome: 'YES',
    market_id: `mkt_${name}`,
    outcome_id: `out_${name}`,
    event_id: `evt_${name}`,
    pool_weight: new Decimal(pool_weight),
    expected_resolution_at: expected_days === null ? null : START + expected_days * DAY,
  }
}

/** A version of one plain constituent under the given parameters, open from START on. */
export function versionOfParameters(parameters: Parameters): IndexVersion {
  return {
    index_version_id: 'idv_one',
    index_id: 'idx_one',
    version: 'v1',
    effective_from: START,
    effective_to: null,
    frequency: MINUTE,
    minimum_coverage_ratio: new Decimal('0.8'),
    constituents: [
      {
        constituent_id: 'con_0',
        normalization: 'probability_0_1',
        legs: [legOf('a')],
        own: 0,
        target_weight: new Decimal(1),
        weight_cap: null,
        group_event: null,
      },
    ],
    roll: null,
    fixing: null,
    composed_by: COMPOSED_BY,
    methodology: {
      methodology_id: 'mth_one',
      version: '1',
      name: 'one',
      content_hash: 'sha256:0',
      texts: resolveParameters({}),
      parameters,
    },
  }
}
