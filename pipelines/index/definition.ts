import { parseDecimal } from '../../primitives/decimal.ts'
import { deriveId, type IndexId, type MethodologyId } from '../../primitives/ids.ts'
import { canonicalInstant, type Micros, toMicros } from '../../primitives/instants.ts'
import type { Rebalance } from '../selection/schedule.ts'
import { decodeRebalance, decodeSelection, type Selection } from '../selection/selection.ts'
import { compositionRules } from './composition-rules.ts'
import { checkCaps } from './definition-caps.ts'
import { decodeConstituent } from './definition-constituent.ts'
import { invalid } from './definition-error.ts'
import type { DefinitionFile, VersionFile } from './definition-schema.ts'
import { methodologyHash } from './methodology.ts'
import { decodeParameters, resolveParameters } from './parameters.ts'
import type { Caps, IndexDescription, IndexVersion, Methodology, WeightingRule } from './version.ts'
import { versionFaults } from './version-order.ts'
import {
  checkConstituents,
  checkListed,
  decodeCaps,
  decodeFixing,
  decodeRoll,
  frequencyOf,
  ratio,
} from './version-parts.ts'

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
  /** File that it was read from; left out of a stored version. */
  readonly source?: DefinitionSource
}

/** File of a definition, by which messages name a line. */
export type DefinitionSource = {
  readonly name: string
  /** Returns the line of a path such as `versions[1].roll`, or of its nearest part in the file; null: there is none. */
  readonly lineOf: (path: string) => number | null
}

export type Definition = {
  readonly index: IndexDescription
  readonly methodology: Methodology
  readonly supersedes_version: string | null
  readonly versions: readonly DefinedVersion[]
}

/** Decodes an already parsed file. */
export function decodeDefinition(file: DefinitionFile): Definition {
  const methodology = decodeMethodology(file.methodology)
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

/** Decodes a methodology with its parameters. */
export function decodeMethodology(file: DefinitionFile['methodology']): Methodology {
  const texts = resolveParameters(file.parameters ?? {})
  return {
    methodology_id: file.methodology_id as MethodologyId,
    version: file.version,
    name: file.name,
    content_hash: methodologyHash(texts),
    texts,
    parameters: decodeParameters(texts),
  }
}

/** Decodes the presentation and base of an index. */
export function describeIndex({ index }: DefinitionFile): IndexDescription {
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
  const written = (file.constituents ?? []).map((item, i) =>
    decodeConstituent(item, `${at}.constituents[${i}]`, weighting),
  )
  checkListed(file, weighting, at)
  if (file.constituents !== undefined) checkConstituents(written, at, weighting)
  const constituents = [...written].sort((a, b) => (a.constituent_id < b.constituent_id ? -1 : 1))
  const caps = decodeCaps(file, methodology, at)
  const rating_multiplier = file.weighting?.rating_multiplier ?? false
  const rebalance = file.rebalance === undefined ? null : decodeRebalance(file.rebalance, selection, at)
  const frequency = frequencyOf(file, at)
  if (weighting === 'fixed') checkCaps(constituents, caps, at)
  return {
    version: {
      index_version_id: indexVersionId(index.index_id, file.version),
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

function checkVersions(versions: readonly DefinedVersion[], base_date: Micros): void {
  const ordered = versions.map(({ version, file }) => ({
    at: `versions[${version.version}]`,
    name: version.version,
    effective_from: version.effective_from,
    written: file.effective_from,
  }))
  const [fault] = versionFaults(ordered, base_date)
  if (fault !== undefined) throw fault
}

/** Sets effective_to of each version to its successor's effective_from. */
function closeVersions(versions: readonly DefinedVersion[]): DefinedVersion[] {
  return versions.map((item, i) => ({
    ...item,
    version: { ...item.version, effective_to: versions[i + 1]?.version.effective_from ?? null },
  }))
}

/** Returns the id of a version of an index, which follows from both names. */
export function indexVersionId(index_id: string, version: string): `idv_${string}` {
  return deriveId('idv', index_id, version)
}
