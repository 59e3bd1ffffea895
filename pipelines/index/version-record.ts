import { canonicalJson } from '../../primitives/canonical-json.ts'
import { formatDecimal, ONE, parseDecimal, SCALE } from '../../primitives/decimal.ts'
import { deriveId } from '../../primitives/ids.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { type DefinedVersion, type Definition, decodeVersion } from './definition.ts'
import type { VersionFile } from './definition-schema.ts'
import { methodologyTextOf } from './methodology.ts'
import { decodeParameters, type ParameterTexts } from './parameters.ts'
import type { Constituent, IndexDescription, IndexVersion, Methodology } from './version.ts'

/** Returns the row of a methodology version: its parameters are the RFC 8785 text that the content hash covers. */
export function methodologyRecord({
  methodology,
  supersedes_version,
}: Pick<Definition, 'methodology' | 'supersedes_version'>) {
  return {
    methodology_id: methodology.methodology_id,
    version: methodology.version,
    status: 'published',
    name: methodology.name,
    document_uri: `urn:tidemark:methodology:${methodology.methodology_id}:${methodology.version}`,
    content_hash: methodology.content_hash,
    supersedes_version,
    parameters: canonicalJson(methodology.texts),
    text_sha256: methodologyTextOf(methodology.texts),
  }
}

/** Decodes a stored methodology row. */
export function methodologyOf(row: {
  methodology_id: string
  version: string
  name: string
  content_hash: string
  parameters: string
}): Methodology {
  const texts = JSON.parse(row.parameters) as ParameterTexts
  return {
    ...row,
    methodology_id: row.methodology_id as Methodology['methodology_id'],
    texts,
    parameters: decodeParameters(texts),
  }
}

/** Ratings under which constituents were selected, by constituent_id; null: the market had none. */
export type RatingsAtSelection = ReadonlyMap<string, string | null>

/** Returns the row of a version, without effective_to, which follows from the successor. */
export function versionRecord(
  defined: DefinedVersion,
  supersedes_version_id: string | null,
  ratings: RatingsAtSelection = new Map(),
) {
  const { version, file } = defined
  return {
    index_version_id: version.index_version_id,
    index_id: version.index_id,
    version: version.version,
    status: 'published',
    effective_from: formatMicros(version.effective_from),
    methodology_id: version.methodology.methodology_id,
    methodology_version: version.methodology.version,
    mode: version.methodology.parameters.mode,
    calculation_frequency: file.calculation_frequency,
    rebalance_rule: file.rebalance_rule ?? 'as_defined',
    weight_sum: formatDecimal(ONE, SCALE.weight),
    minimum_coverage_ratio: formatDecimal(version.minimum_coverage_ratio, 10),
    approved_by: file.approved_by ?? null,
    approved_at: file.approved_at ?? null,
    supersedes_version_id,
    change_summary: file.change_summary ?? [],
    definition: definitionText(file),
    constituents: version.constituents.map((constituent) => ({
      ...constituentRecord(constituent, version),
      rating_assessment_id_at_selection: ratings.get(constituent.constituent_id) ?? null,
    })),
  }
}

/** Returns a version's definition as one canonical text; "not edited" is decided by comparing it. */
export function definitionText(file: VersionFile): string {
  return canonicalJson(file)
}

/** Reports whether a published definition is that of a file; constituents that were selected are not in the file. */
export function isSameDefinition(published: string, file: VersionFile): boolean {
  const is_selected = file.selection !== undefined && file.constituents === undefined
  if (!is_selected) return published === definitionText(file)
  const { constituents: _selected, ...written } = JSON.parse(published) as VersionFile
  return canonicalJson(written) === definitionText(file)
}

function constituentRecord(constituent: Constituent, version: IndexVersion) {
  const own = constituent.legs[constituent.own]!
  const weight = formatDecimal(constituent.target_weight, SCALE.weight)
  return {
    constituent_id: constituent.constituent_id,
    market_id: own.market_id,
    outcome_id: own.outcome_id,
    target_weight: weight,
    effective_weight_at_publication: weight,
    weight_cap: constituent.weight_cap === null ? null : formatDecimal(constituent.weight_cap, SCALE.weight),
    normalization: constituent.normalization,
    eligibility_status: 'eligible',
    eligibility_reason_codes: [],
    market_mapping: {
      mapping_id: deriveId('map', version.index_version_id, constituent.constituent_id),
      venue_id: own.venue_id,
      source_event_id: own.source_market_id,
      source_series_id: own.source_series_id,
      source_market_id: own.source_market_id,
      source_outcome_id: own.outcome,
      valid_from: formatMicros(version.effective_from),
      valid_to: null,
    },
  }
}

/** Stored form of a version: the columns that its calculation needs. */
export type StoredVersion = {
  readonly definition: string
  readonly constituents: readonly { readonly constituent_id: string; readonly target_weight: string }[]
}

/** Decodes a stored version row: the definition's legs and rules, the published weights. */
export function versionOf(stored: StoredVersion, index: IndexDescription, methodology: Methodology): DefinedVersion {
  const defined = decodeVersion(JSON.parse(stored.definition) as VersionFile, index, methodology)
  const weights = new Map(
    stored.constituents.map((c) => [c.constituent_id, parseDecimal(c.target_weight, 'target_weight')]),
  )
  const constituents = defined.version.constituents.map((c) => ({
    ...c,
    target_weight: weights.get(c.constituent_id)!,
  }))
  return { ...defined, version: { ...defined.version, constituents } }
}

/** Returns the row of an index, without its revision fields and clocks. */
export function indexRecord(index: IndexDescription) {
  return {
    ...index,
    base_value: formatDecimal(parseDecimal(index.base_value, 'base_value'), SCALE.level),
    status: 'active',
  }
}
