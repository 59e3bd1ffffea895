import { type Decimal, ONE, parseDecimal, sumDecimals } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { deriveId, type IndexId, type MethodologyId } from '../../primitives/ids.ts'
import {
  canonicalInstant,
  durationMicros,
  MICROS_PER_DAY,
  type Micros,
  timeOfDay,
  toMicros,
} from '../../primitives/instants.ts'
import type { Rebalance } from '../selection/schedule.ts'
import { decodeRebalance, decodeSelection, type Selection } from '../selection/selection.ts'
import { compositionRules } from './composition-rules.ts'
import { checkCaps } from './definition-caps.ts'
import { decodeConstituent } from './definition-constituent.ts'
import { invalid, share } from './definition-error.ts'
import type { DefinitionFile, VersionFile } from './definition-schema.ts'
import { readDefinitionText } from './definition-text.ts'
import { methodologyHash } from './methodology.ts'
import { decodeParameters, resolveParameters } from './parameters.ts'
import type {
  Caps,
  Constituent,
  Fixing,
  IndexDescription,
  IndexVersion,
  Methodology,
  Roll,
  WeightingRule,
} from './version.ts'

/** A version as defined: fixed weights are final; weights by rule are still zero and are set by `weights.ts`. */
export type DefinedVersion = {
  readonly version: IndexVersion
  readonly weighting: WeightingRule
  readonly rating_multiplier: boolean
  readonly caps: Caps
  /** Rule that selects the constituents; null: they are listed. */
  readonly selection: Selection | null
  /** Schedule by which they are selected anew; null: there is none. */
  readonly rebalance: Rebalance | null
  /** The version as written; "not edited" is decided by comparing it. */
  readonly file: VersionFile
}

export type Definition = {
  readonly index: IndexDescription
  readonly methodology: Methodology
  readonly supersedes_version: string | null
  readonly versions: readonly DefinedVersion[]
}

/**
 * Parses and checks an index definition (form: docs/index-definitions.md; rules: methodology index-1 §8 to 11, 18).
 * @param text YAML or JSON; name: the file's name, for messages
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, VALIDATION_VERSION_OVERLAP
 */
export function parseDefinition(text: string, name: string): Definition {
  const file = readDefinitionText(text, name)
  try {
    file.versions.forEach(refuseBoth)
    return decodeDefinition(file)
  } catch (error) {
    if (error instanceof ServiceError)
      throw new ServiceError(error.code, `${name}: ${error.message}`, error.facts, error)
    throw error
  }
}

/** Decodes an already parsed file. */
export function decodeDefinition(file: DefinitionFile): Definition {
  const texts = resolveParameters(file.methodology.parameters ?? {})
  const methodology: Methodology = {
    methodology_id: file.methodology.methodology_id as MethodologyId,
    version: file.methodology.version,
    name: file.methodology.name,
    content_hash: methodologyHash(texts),
    texts,
    parameters: decodeParameters(texts),
  }
  const index = describeIndex(file)
  const versions = file.versions.map((version) => decodeVersion(version, index, methodology))
  versions.sort((a, b) => a.version.effective_from - b.version.effective_from)
  checkVersions(versions, toMicros(index.base_date))
  return {
    index,
    methodology,
    supersedes_version: file.methodology.supersedes_version ?? null,
    versions: closeVersions(versions),
  }
}

function describeIndex({ index }: DefinitionFile): IndexDescription {
  if (index.base_value !== undefined && parseDecimal(index.base_value, 'index.base_value').lte(0))
    throw invalid('index.base_value', index.base_value, 'a decimal string above 0')
  return {
    index_id: index.index_id as IndexId,
    slug: index.slug,
    symbol: index.symbol,
    name: index.name,
    description: index.description ?? null,
    family: index.family ?? null,
    unit: index.unit ?? 'index_points',
    base_value: index.base_value ?? '1000',
    base_date: canonicalInstant(index.base_date, 'index.base_date'),
    tags: index.tags ?? [],
  }
}

/** Decodes one version of a definition file. */
export function decodeVersion(file: VersionFile, index: IndexDescription, methodology: Methodology): DefinedVersion {
  const at = `versions[${file.version}]`
  const weighting = file.weighting?.rule ?? 'fixed'
  const selection = file.selection === undefined ? null : decodeSelection(file.selection, `${at}.selection`)
  const constituents = (file.constituents ?? [])
    .map((item, i) => decodeConstituent(item, `${at}.constituents[${i}]`, weighting))
    .sort((a, b) => (a.constituent_id < b.constituent_id ? -1 : 1))
  checkListed(file, weighting, at)
  if (file.constituents !== undefined) checkConstituents(constituents, at, weighting)
  const caps = decodeCaps(file, methodology, at)
  const rating_multiplier = file.weighting?.rating_multiplier ?? false
  const rebalance = file.rebalance === undefined ? null : decodeRebalance(file.rebalance, selection, at)
  const frequency = frequencyOf(file, at)
  if (weighting === 'fixed') checkCaps(constituents, caps, at)
  return {
    version: {
      index_version_id: deriveId('idv', index.index_id, file.version),
      index_id: index.index_id,
      version: file.version,
      effective_from: toMicros(file.effective_from, `${at}.effective_from`),
      effective_to: null,
      frequency,
      minimum_coverage_ratio: ratio(
        file.minimum_coverage_ratio ?? methodology.texts['quality.min_coverage'] ?? '0.80',
        `${at}.minimum_coverage_ratio`,
      ),
      constituents,
      roll: decodeRoll(file, methodology, constituents, at),
      fixing: decodeFixing(file, methodology, frequency, at),
      composed_by: compositionRules({ weighting, rating_multiplier, caps, selection, rebalance }),
      methodology,
    },
    ...{ weighting, rating_multiplier, caps, selection, rebalance, file },
  }
}

/** Refuses constituents beside a selection in a file: a published version has both, but the rule must have selected them. */
function refuseBoth({ version, constituents, selection }: VersionFile): void {
  if (constituents === undefined || selection === undefined) return
  throw invalid(`versions[${version}].constituents`, `${constituents.length} items`, 'none beside a selection')
}

/** Refuses a version that neither lists its constituents nor selects them, and one whose weights no rule gives. */
function checkListed({ constituents, selection }: VersionFile, weighting: WeightingRule, at: string): void {
  if (constituents === undefined && selection === undefined)
    throw invalid(`${at}.constituents`, undefined, 'a list of 1 to 5000 items, or a selection')
  if (selection !== undefined && weighting === 'fixed')
    throw invalid(`${at}.weighting.rule`, weighting, 'equal or sqrt_volume, because the constituents are selected')
}

function frequencyOf(file: VersionFile, at: string): Micros {
  const frequency = durationMicros(file.calculation_frequency, `${at}.calculation_frequency`)
  if (frequency < 1_000_000 || frequency % 1_000_000 !== 0)
    throw invalid(
      `${at}.calculation_frequency`,
      file.calculation_frequency,
      'a duration of whole seconds, at least PT1S',
    )
  return frequency
}

function ratio(text: string, field: string): Decimal {
  const value = parseDecimal(text, field)
  if (value.isNegative() || value.gt(1)) throw invalid(field, text, 'a decimal string in [0, 1]')
  return value
}

function decodeCaps(file: VersionFile, { texts }: Methodology, at: string): Caps {
  const cap = (name: 'single' | 'event' | 'venue') => {
    const text = file.caps?.[name] ?? texts[`cap.${name}`]
    return text === null ? null : share(text, `${at}.caps.${name}`)
  }
  return { single: cap('single'), event: cap('event'), venue: cap('venue') }
}

function decodeRoll(
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

function decodeFixing(file: VersionFile, { texts }: Methodology, frequency: Micros, at: string): Fixing | null {
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

function checkConstituents(constituents: readonly Constituent[], at: string, weighting: WeightingRule): void {
  const ids = new Set<string>()
  for (const { constituent_id } of constituents) {
    if (ids.has(constituent_id)) throw invalid(`${at}.constituents`, constituent_id, 'each constituent_id once')
    ids.add(constituent_id)
  }
  if (weighting !== 'fixed') return
  const sum = sumDecimals(constituents.map((c) => c.target_weight))
  if (!sum.eq(ONE)) throw invalid(`${at}.constituents target_weight`, sum.toFixed(), 'weights that sum to exactly 1')
}

function checkVersions(versions: readonly DefinedVersion[], base_date: Micros): void {
  const names = new Set<string>()
  versions.forEach(({ version, file }, i) => {
    if (names.has(version.version)) throw invalid('versions', version.version, 'each version name once')
    names.add(version.version)
    if (version.effective_from < base_date)
      throw invalid(
        `versions[${version.version}].effective_from`,
        file.effective_from,
        'an instant at or after index.base_date',
      )
    if (i > 0 && version.effective_from === versions[i - 1]!.version.effective_from) {
      throw new ServiceError(
        'VALIDATION_VERSION_OVERLAP',
        `versions[${version.version}].effective_from is ${file.effective_from}; allowed: an instant that no other version (${versions[i - 1]!.version.version}) begins at`,
      )
    }
  })
}

/** Sets effective_to of each version to its successor's effective_from. */
function closeVersions(versions: readonly DefinedVersion[]): DefinedVersion[] {
  return versions.map((item, i) => ({
    ...item,
    version: { ...item.version, effective_to: versions[i + 1]?.version.effective_from ?? null },
  }))
}
