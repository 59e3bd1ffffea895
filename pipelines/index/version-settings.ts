import { formatDecimal, SCALE } from '../../primitives/decimal.ts'
import { formatDuration, formatMicros } from '../../primitives/instants.ts'
import type { CompositionRules, IndexVersion } from './version.ts'

/** A rule of a version beside its methodology and constituents. */
type VersionSetting = {
  readonly name: string
  /** Returns the setting as text; null: it is off. */
  readonly textOf: (version: IndexVersion) => string | null
  /** Returns a version with this setting of another; null: it cannot have it. */
  readonly take: (version: IndexVersion, other: IndexVersion) => IndexVersion | null
}

/** Settings of a version, in the order in which differences are listed. */
export const VERSION_SETTINGS: readonly VersionSetting[] = [
  {
    name: 'calculation_frequency_s',
    textOf: ({ frequency }) => String(frequency / 1_000_000),
    take: (version, { frequency }) => ({ ...version, frequency }),
  },
  {
    name: 'minimum_coverage_ratio',
    textOf: ({ minimum_coverage_ratio }) => formatDecimal(minimum_coverage_ratio, SCALE.coverage_ratio),
    take: (version, { minimum_coverage_ratio }) => ({ ...version, minimum_coverage_ratio }),
  },
  {
    name: 'fixing',
    textOf: fixingText,
    take: (version, { fixing }) => ({ ...version, fixing }),
  },
  {
    name: 'roll',
    textOf: rollText,
    // Rolled constituents cannot be evaluated without a roll.
    take: (version, { roll }) => (roll === null ? null : { ...version, roll }),
  },
  ...(['weighting', 'caps', 'selection', 'rebalance'] as const).map(compositionSetting),
]

function compositionSetting(name: keyof CompositionRules): VersionSetting {
  return {
    name,
    textOf: ({ composed_by }) => composed_by[name],
    take: (version, { composed_by }) => ({
      ...version,
      composed_by: { ...version.composed_by, [name]: composed_by[name] },
    }),
  }
}

function fixingText({ fixing }: IndexVersion): string | null {
  if (fixing === null) return null
  const { at, partitions, partition, minimum, trim } = fixing
  const time = formatMicros(at).slice('1970-01-01T'.length, -1)
  return `at ${time}, partitions ${partitions} of ${formatDuration(partition)}, minimum ${minimum}, trim ${trim}`
}

function rollText({ roll }: IndexVersion): string | null {
  if (roll === null) return null
  return `${roll.mode}, target_days ${roll.target_days.toFixed()}, stop_days ${roll.stop_days.toFixed()}`
}
