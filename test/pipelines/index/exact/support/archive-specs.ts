import { decodeParameters, resolveParameters } from '../../../../../pipelines/index/parameters.ts'
import type { Constituent, IndexSpec, IndexVersion, Normalization } from '../../../../../pipelines/index/version.ts'
import { Decimal } from '../../../../../primitives/decimal.ts'
import { MICROS_PER_DAY } from '../../../../../primitives/instants.ts'
import { ARCHIVE_START } from './archive-legs.ts'
import { legOf, shares } from './random-spec.ts'

const DAY = MICROS_PER_DAY

/**
 * A definition over real markets, made from a seed: two or three versions that drop, add and reweigh constituents, either
 * mode, plain, inverse and pooled constituents, daily or six-hourly ticks, outliers looked for over weeks.
 */
export function archiveSpec(seed: number, names: readonly string[]): IndexSpec {
  const random = numbers(seed)
  const hourly = random(3) === 0
  const starts = [0, 70 + random(30), 160 + random(60)].slice(0, 2 + random(2)).map((day) => ARCHIVE_START + day * DAY)
  const texts = resolveParameters({
    mode: random(2) === 0 ? 'gauge' : 'chain_linked',
    'admission.grace': ['P1D', 'P3D', 'PT5S'][random(3)]!,
    'fresh.stale_after': ['P2D', 'P4D'][random(2)]!,
    'fresh.max_carry': ['P10D', 'P30D'][random(2)]!,
    'outlier.window_max_age': 'P30D',
    'outlier.min_n': '3',
    'quality.usable_min': '0.1',
    'quality.min_confidence': ['0.30', '0.45'][random(2)]!,
    'quality.max_fallback_weight': '1',
    'link.min_s': '0.000001',
    'link.gearing_range': '0.000001 1000000',
  })
  const versions = starts.map((effective_from, i): IndexVersion => {
    const kept = names.filter(() => i === 0 || random(10) > 1)
    return {
      index_version_id: `idv_archive_${i}`,
      index_id: 'idx_archive',
      version: `v${i + 1}`,
      effective_from,
      effective_to: starts[i + 1] ?? null,
      frequency: hourly && i === 1 ? DAY / 4 : DAY,
      minimum_coverage_ratio: new Decimal(['0.8', '0.5'][random(2)]!),
      constituents: constituentsOf(kept.length === 0 ? names : kept, random),
      roll: null,
      fixing: null,
      composed_by: { weighting: 'fixed', caps: null, selection: null, rebalance: null },
      methodology: {
        methodology_id: 'mth_archive',
        version: '1',
        name: 'archive',
        content_hash: 'sha256:0',
        texts,
        parameters: decodeParameters(texts),
      },
    }
  })
  const base_value = new Decimal(100 + random(1000))
  return { index_id: 'idx_archive', unit: 'index_points', base_value, base_date: ARCHIVE_START, versions }
}

/** One constituent per market, but every tenth is a pool of itself and the next two. */
function constituentsOf(names: readonly string[], random: (below: number) => number): Constituent[] {
  const weights = shares(names.map(() => 1 + random(1_000_000_000)))
  return names.map((name, i) => {
    const pooled = i % 10 === 9 && names.length > 12
    const normalization: Normalization = pooled ? 'logodds_pool' : random(5) === 0 ? 'inverse' : 'probability_0_1'
    const legs = pooled ? [name, names[i - 1]!, names[i - 2]!] : [name]
    return {
      constituent_id: `con_${String(i).padStart(4, '0')}`,
      normalization,
      legs: legs.map((leg) => ({ ...legOf(leg), venue_id: leg.split(' ')[0]! })),
      own: 0,
      target_weight: weights[i]!,
      weight_cap: null,
      group_event: null,
    }
  })
}

/** xorshift32 below a bound. */
export function numbers(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}
