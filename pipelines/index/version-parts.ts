import { type Decimal, ONE, parseDecimal, sumDecimals } from '../../primitives/decimal.ts'
import type { ServiceError } from '../../primitives/errors.ts'
import { durationMicros, MICROS_PER_DAY, type Micros, timeOfDay } from '../../primitives/instants.ts'
import { invalid, share } from './definition-error.ts'
import type { VersionFile } from './definition-schema.ts'
import type { Caps, Constituent, Fixing, Methodology, Roll, WeightingRule } from './version.ts'

/** Refuses constituents beside a selection in a file: a published version has both, but the rule must have selected them. */
export function refuseBoth({ constituents, selection }: VersionFile, at: string): void {
  if (constituents === undefined || selection === undefined) return
  throw invalid(`${at}.constituents`, `${constituents.length} items`, 'none beside a selection')
}

/** Refuses a version that neither lists its constituents nor selects them, and one whose weights no rule gives. */
export function checkListed({ constituents, selection }: VersionFile, weighting: WeightingRule, at: string): void {
  if (constituents === undefined && selection === undefined)
    throw invalid(`${at}.constituents`, undefined, 'a list of 1 to 5000 items, or a selection')
  if (selection !== undefined && weighting === 'fixed')
    throw invalid(`${at}.weighting.rule`, weighting, 'equal or sqrt_volume, because the constituents are selected')
}

/** Decodes the time between two ticks. */
export function frequencyOf(file: VersionFile, at: string): Micros {
  const frequency = durationMicros(file.calculation_frequency, `${at}.calculation_frequency`)
  if (frequency < 1_000_000 || frequency % 1_000_000 !== 0)
    throw invalid(
      `${at}.calculation_frequency`,
      file.calculation_frequency,
      'a duration of whole seconds, at least PT1S',
    )
  return frequency
}

/** Decodes a decimal in [0, 1]. */
export function ratio(text: string, field: string): Decimal {
  const value = parseDecimal(text, field)
  if (value.isNegative() || value.gt(1)) throw invalid(field, text, 'a decimal string in [0, 1]')
  return value
}

/** Decodes the caps of a version; what it leaves out is that of the methodology. */
export function decodeCaps(file: VersionFile, { texts }: Methodology, at: string): Caps {
  const cap = (name: 'single' | 'event' | 'venue') => {
    const text = file.caps?.[name] ?? texts[`cap.${name}`]
    return text === null ? null : share(text, `${at}.caps.${name}`)
  }
  return { single: cap('single'), event: cap('event'), venue: cap('venue') }
}

/** Decodes the roll of a version, which one with rolled constituents needs and no other has. */
export function decodeRoll(
  file: VersionFile,
  { texts }: Methodology,
  constituents: readonly Constituent[],
  at: string,
): Roll | null {
  const needed = constituents.some((c) => c.normalization === 'constant_maturity')
  const target = file.roll?.target_days ?? texts['roll.target_days']
  if (!needed && file.roll === undefined) return null
  if (needed && (target === null || target === undefined))
    throw invalid(
      `${at}.roll`,
      undefined,
      'a roll with target_days, because a constituent has normalization constant_maturity',
    )
  if (!needed)
    throw invalid(
      `${at}.roll`,
      file.roll,
      'a roll only where a constituent has normalization constant_maturity and its contracts as legs',
    )
  return {
    target_days: parseDecimal(target, `${at}.roll.target_days`),
    stop_days: parseDecimal(file.roll?.stop_days ?? texts['roll.stop_days'], `${at}.roll.stop_days`),
    mode: file.roll?.mode ?? 'linear',
  }
}

/** Decodes the fixing schedule of a version. */
export function decodeFixing(file: VersionFile, { texts }: Methodology, frequency: Micros, at: string): Fixing | null {
  if (file.fixing === undefined) return null
  const partitions = file.fixing.partitions ?? +texts['fixing.partitions']!
  const trim = file.fixing.trim ?? +texts['fixing.trim']!
  const minimum = file.fixing.minimum ?? +texts['fixing.min']!
  if (partitions < 1 || minimum < 1 || minimum > partitions)
    throw invalid(`${at}.fixing.minimum`, minimum, `a whole number from 1 to partitions (${partitions})`)
  if (2 * trim >= minimum) throw invalid(`${at}.fixing.trim`, trim, `less than half of minimum (${minimum})`)
  const partition = durationMicros(file.fixing.partition ?? texts['fixing.partition'], `${at}.fixing.partition`)
  if (partition === 0) throw invalid(`${at}.fixing.partition`, file.fixing.partition, 'a duration longer than zero')
  const clock = timeOfDay(file.fixing.at)!
  if (!isTimeOfTick(clock, frequency))
    throw invalid(`${at}.fixing.at`, file.fixing.at, `a time of day with a tick (every ${file.calculation_frequency})`)
  return { at: clock, partitions, partition, minimum, trim }
}

/** Returns whether a tick can fall on this time of day; otherwise the fixing would never be made. */
function isTimeOfTick(clock: Micros, frequency: Micros): boolean {
  const fitsDay = MICROS_PER_DAY % frequency === 0 || frequency % MICROS_PER_DAY === 0
  return !fitsDay || clock % Math.min(frequency, MICROS_PER_DAY) === 0
}

/** Refuses constituents that share an id, and fixed weights that do not sum to 1. */
export function checkConstituents(constituents: readonly Constituent[], at: string, weighting: WeightingRule): void {
  const [doubled] = idFaults(constituents, at)
  if (doubled !== undefined) throw doubled
  if (weighting === 'fixed')
    checkSum(
      constituents.map((c) => c.target_weight),
      at,
    )
}

/** Returns a fault for each constituent whose id an earlier one has. */
export function idFaults(
  constituents: readonly { readonly constituent_id: string }[],
  at: string,
): readonly ServiceError[] {
  const ids = new Set<string>()
  return constituents.flatMap(({ constituent_id }, i) => {
    if (ids.has(constituent_id))
      return [invalid(`${at}.constituents[${i}].constituent_id`, constituent_id, 'each constituent_id once')]
    ids.add(constituent_id)
    return []
  })
}

/** Refuses fixed weights that do not sum to 1. */
export function checkSum(weights: readonly Decimal[], at: string): void {
  const sum = sumDecimals(weights)
  if (!sum.eq(ONE)) throw invalid(`${at}.constituents target_weight`, sum.toFixed(), 'weights that sum to exactly 1')
}
