import { type ConstituentTerms, versionTerms } from '../../pipelines/index/version-legs.ts'
import type { Constituent } from '../../protocol/resources/constituent.ts'
import type { Index } from '../../protocol/resources/index-resource.ts'
import type { IndexVersion } from '../../protocol/resources/index-version.ts'
import type { Methodology } from '../../protocol/resources/methodology.ts'
import { LINK_FIELDS } from '../../vocabulary/index-level.ts'
import type { Row } from '../../warehouse/schema.ts'
import { documentUri, textUri } from './methodology-links.ts'
import { fieldsOf, rowOrNull, rowsOf, textOf, textOrNull, textsOf } from './pick.ts'

const INDEX_FIELDS = [
  'index_id',
  'slug',
  'symbol',
  'name',
  'description',
  'family',
  'status',
  'unit',
  'base_value',
  'base_date',
  'active_version_id',
] as const

/** Converts a row of the view index_definition to the resource. @param simulated whether it reads an invented market */
export function indexOf(row: Row, simulated: boolean): Index {
  return {
    ...fieldsOf(row, INDEX_FIELDS),
    tags: [...textsOf(row.tags)],
    simulated,
    ...fieldsOf(row, ['created_at', 'updated_at']),
  } as Index
}

const VERSION_FIELDS = [
  'index_version_id',
  'index_id',
  'version',
  'status',
  'effective_from',
  'effective_to',
  'methodology_id',
  'methodology_version',
  'mode',
  'calculation_frequency',
  'rebalance_rule',
  'weight_sum',
  'minimum_coverage_ratio',
  'approved_by',
  'approved_at',
  'published_at',
  'supersedes_version_id',
] as const

/** Converts a version of the catalogue to the resource. */
export function indexVersionOf(row: Row): IndexVersion {
  const { constituents: _, ...definition } = definitionOf(row)
  return {
    ...fieldsOf(row, VERSION_FIELDS),
    change_summary: [...textsOf(row.change_summary)],
    ...fieldsOf(rowOrNull(row.link) ?? {}, LINK_FIELDS),
    governance: row.governance ?? 'none',
    ...fieldsOf(row, ['proposal_id', 'announced_at', 'effective_at']),
    definition,
  } as IndexVersion
}

type StoredDefinition = { readonly constituents?: readonly { readonly constituent_id: string }[] }

function definitionOf(version: Row): StoredDefinition {
  return version.definition == null ? {} : (JSON.parse(textOf(version, 'definition')) as StoredDefinition)
}

const CONSTITUENT_FIELDS = [
  'market_id',
  'outcome_id',
  'target_weight',
  'effective_weight_at_publication',
  'weight_cap',
  'normalization',
  'eligibility_status',
] as const
const LEG_FIELDS = [
  'market_id',
  'outcome_id',
  'venue_id',
  'source_series_id',
  'source_market_id',
  'pool_weight',
] as const
const MAPPING_FIELDS = [
  'mapping_id',
  'venue_id',
  'source_event_id',
  'source_series_id',
  'source_market_id',
  'source_outcome_id',
  'valid_from',
  'valid_to',
] as const

/** Legs and caps of a version by its stored constituents, which never change. */
const known_terms = new WeakMap<object, ReadonlyMap<string, ConstituentTerms>>()

function termsOf(version: Row): ReadonlyMap<string, ConstituentTerms> {
  const { constituents } = version as { readonly constituents?: object }
  const known = constituents === undefined ? undefined : known_terms.get(constituents)
  if (known !== undefined) return known
  const terms = version.definition == null ? new Map() : versionTerms(textOf(version, 'definition'))
  if (constituents !== undefined) known_terms.set(constituents, terms)
  return terms
}

/** Returns the ids of every market that a version reads, the legs of pools, sets and rolls included. */
export function marketsOf(version: Row): ReadonlySet<string> {
  const own = rowsOf(version.constituents).map((row) => String(row.market_id))
  const of_legs = [...termsOf(version).values()].flatMap(({ legs }) => legs.map(({ market_id }) => market_id))
  return new Set([...own, ...of_legs])
}

/** Reports whether a version reads a market of one of these venues, as a leg included. */
export function readsAnyVenue(version: Row, venue_ids: ReadonlySet<string>): boolean {
  const isOne = (venue_id: unknown) => venue_ids.has(String(venue_id))
  return (
    rowsOf(version.constituents).some((row) => isOne(rowOrNull(row.market_mapping)?.venue_id)) ||
    [...termsOf(version).values()].some(({ legs }) => legs.some(({ venue_id }) => isOne(venue_id)))
  )
}

/** Returns the constituents of a row of index_version, sorted by constituent_id. */
export function constituentsOf(version: Row): Constituent[] {
  const definitions = definitionsOf(version)
  const terms = termsOf(version)
  const items = rowsOf(version.constituents).map((row) => {
    const mapping = rowOrNull(row.market_mapping)
    const { legs = [], weight_cap = row.weight_cap } = terms.get(textOf(row, 'constituent_id')) ?? {}
    return {
      constituent_id: row.constituent_id,
      index_version_id: version.index_version_id,
      ...fieldsOf({ ...row, weight_cap }, CONSTITUENT_FIELDS),
      eligibility_reason_codes: [...textsOf(row.eligibility_reason_codes)],
      rating_assessment_id_at_selection: textOrNull(row.rating_assessment_id_at_selection),
      market_mapping: mapping === null ? null : fieldsOf(mapping, MAPPING_FIELDS),
      legs: legs.map((leg) => fieldsOf(leg as Row, LEG_FIELDS)),
      definition: definitions.get(textOf(row, 'constituent_id')) ?? {},
    } as Constituent
  })
  return items.sort((a, b) => (a.constituent_id < b.constituent_id ? -1 : 1))
}

/** Returns the constituents as defined in the version. */
function definitionsOf(version: Row): ReadonlyMap<string, Record<string, unknown>> {
  return new Map((definitionOf(version).constituents ?? []).map((item) => [item.constituent_id, { ...item }]))
}

const METHODOLOGY_FIELDS = [
  'methodology_id',
  'version',
  'status',
  'name',
  'document_uri',
  'content_hash',
  'published_at',
  'supersedes_version',
] as const

/** Converts a row of methodology to the resource. */
export function methodologyOf(row: Row): Methodology {
  return {
    ...fieldsOf({ ...row, document_uri: documentUri(row) }, METHODOLOGY_FIELDS),
    parameters: JSON.parse(textOf(row, 'parameters')) as Record<string, unknown>,
    text_sha256: textOf(row, 'text_sha256'),
    text_uri: textUri(row),
  } as Methodology
}
