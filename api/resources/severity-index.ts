import type {
  SeverityIndex,
  SeverityIndexValue,
  SeverityIndexVersion,
} from '../../protocol/resources/severity-index.ts'
import type { Row } from '../../warehouse/schema.ts'
import { fieldsOf, rowsOf, textsOf } from './pick.ts'

const INDEX_FIELDS = [
  'severity_index_id',
  'name',
  'description',
  'status',
  'unit',
  'active_version_id',
  'active_version',
  'published_at',
] as const

/** Converts a severity index of the catalogue to the resource. */
export function severityIndexOf(row: Row): SeverityIndex {
  return fieldsOf(row, INDEX_FIELDS) as unknown as SeverityIndex
}

type StoredVersion = {
  readonly rho?: string
  readonly decay_days?: string
  readonly events: Readonly<Partial<Record<(typeof RULES)[number], readonly string[]>>>
  readonly relevance?: { readonly default?: string; readonly events?: readonly Row[] }
}
const RULES = ['venue_ids', 'hazard_types', 'countries', 'event_ids'] as const
const VERSION_FIELDS = [
  'severity_index_version_id',
  'severity_index_id',
  'version',
  'effective_from',
  'effective_to',
  'assessment_type',
  'methodology_id',
  'methodology_version',
] as const

/**
 * Converts a version of the catalogue to the resource; an empty list, which selects everything, becomes null.
 * @param methodology row of the version's methodology; its parameters are the defaults
 */
export function severityIndexVersionOf(row: Row, methodology: Row | null): SeverityIndexVersion {
  const { events, relevance, rho, decay_days } = JSON.parse(String(row.definition)) as StoredVersion
  const parameters = JSON.parse(String(methodology?.parameters ?? '{}')) as Readonly<Record<string, string>>
  const rules = RULES.map((name) => [name, (events[name] ?? []).length === 0 ? null : events[name]] as const)
  return {
    ...fieldsOf(row, VERSION_FIELDS),
    event_rule: Object.fromEntries(rules),
    relevance: {
      default: relevance?.default ?? '1',
      events: (relevance?.events ?? []).map((item) => fieldsOf(item, ['event_id', 'relevance'])),
    },
    rho: rho ?? parameters['index.rho'],
    decay_days: decay_days ?? parameters['index.decay_days'],
    published_at: row.published_at,
  } as unknown as SeverityIndexVersion
}

const VALUE_FIELDS = [
  'value_id',
  'revision',
  'supersedes_id',
  'correction_reason',
  'severity_index_id',
  'severity_index_version_id',
  'value',
  'unit',
  'level_equivalent',
  'methodology_id',
  'methodology_version',
] as const
const INPUT_FIELDS = ['event_id', 'assessment_id', 'relevance', 'days_since_end', 'level', 'score'] as const

/** Converts a row of severity_index_value to the resource, without its inputs. */
export function severityIndexValueOf(row: Row): SeverityIndexValue {
  return {
    ...fieldsOf(row, VALUE_FIELDS),
    input_assessment_ids: textsOf(row.input_assessment_ids),
    ...fieldsOf(row, ['coverage_ratio', 'quality_state', 'calculated_at', 'source_cutoff_at', 'published_at']),
  } as unknown as SeverityIndexValue
}

/** The same with `inputs`: every event of the rule (expand=inputs). */
export function severityIndexValueWithInputs(row: Row): SeverityIndexValue {
  const inputs = rowsOf(row.inputs).map((item) => fieldsOf(item, INPUT_FIELDS))
  return { ...severityIndexValueOf(row), inputs } as unknown as SeverityIndexValue
}
