import type { LegData } from '../../pipelines/index/admission.ts'
import { legsOf } from '../../pipelines/index/admit.ts'
import { decodeDefinition } from '../../pipelines/index/definition.ts'
import type { IndexSpec } from '../../pipelines/index/version.ts'
import { parseDecimal } from '../../primitives/decimal.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import { seeded, syntheticLeg, YEAR_START } from './synthetic-books.ts'

const WEIGHT_UNITS = 10 ** 10

/** Gauge over invented markets, and `minutes` minutes of their books. */
export type ReplayWorld = {
  readonly spec: IndexSpec
  /** The same gauge without the outlier filter. */
  readonly unfiltered: IndexSpec
  readonly data: ReadonlyMap<string, LegData>
  readonly weights: readonly number[]
}

/** Returns `count` markets with random weights of 10 decimals that sum to exactly 1, and one book per market and minute. */
export function replayWorld(count: number, minutes: number): ReplayWorld {
  const units = randomWeights(count)
  const spec = specOf(units, 'true')
  return {
    spec,
    unfiltered: specOf(units, 'false'),
    data: new Map(legsOf(spec).map((leg, i) => [leg.key, syntheticLeg(i, minutes)])),
    weights: units.map((unit) => unit / WEIGHT_UNITS),
  }
}

function randomWeights(count: number): number[] {
  const random = seeded(7)
  const parts = Array.from({ length: count }, () => 1 + Math.floor(random() * 1e9))
  const total = parts.reduce((sum, part) => sum + part, 0)
  const units = parts.map((part) => Math.floor((part * WEIGHT_UNITS) / total))
  units[count - 1]! += WEIGHT_UNITS - units.reduce((sum, unit) => sum + unit, 0)
  return units
}

function specOf(units: readonly number[], filter: 'true' | 'false'): IndexSpec {
  const start = formatMicros(YEAR_START)
  const names = { slug: 'bench', symbol: 'BENCH', name: 'Bench' }
  const { index, versions } = decodeDefinition({
    index: { index_id: 'idx_bench', ...names, base_value: '1000', base_date: start },
    methodology: {
      methodology_id: 'mth_bench',
      version: '1',
      name: 'Bench',
      parameters: { mode: 'gauge', 'outlier.enabled': filter },
    },
    versions: [
      {
        version: '1',
        effective_from: start,
        calculation_frequency: 'PT1M',
        constituents: units.map((unit, i) => ({
          constituent_id: `con_${String(i).padStart(3, '0')}`,
          venue_id: 'bench',
          source_market_id: `m${i}`,
          target_weight: fromScaled(BigInt(unit), 10),
        })),
      },
    ],
  })
  return {
    index_id: index.index_id,
    unit: index.unit,
    base_value: parseDecimal(index.base_value, 'base_value'),
    base_date: YEAR_START,
    versions: versions.map(({ version }) => version),
  }
}
