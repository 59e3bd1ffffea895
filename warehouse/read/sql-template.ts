import { readFileSync } from 'node:fs'
import { invariant } from '../../primitives/errors.ts'

/** The SQL files that have `{{name}}` places for relations and literals, which parameters cannot stand for. */
export type SqlTemplate =
  | 'rows_visible'
  | 'current_by_window'
  | 'current_by_intervals'
  | 'current_by_intervals_and_tail'
  | 'build_intervals'
  | 'audit_revisions'
  | 'audit_duplicates'
  | 'audit_received_clocks'
  | 'audit_calculated_clocks'
  | 'audit_weights'
  | 'digest_rows'
  | 'file_rows'
  | 'stamp_order'
  | 'market_observation'
  | 'index_definition'
  | 'index_version'
  | 'constituent'
  | 'index_observation'
  | 'index_observation_input'
  | 'newest_places'
  | 'rows_at_places'
  | 'page_of_records'
  | 'without_superseded'
  | 'revised_keys'
  | 'records_of_index_observation'
  | 'records_of_market_quote'
  | 'records_of_market_mark'
  | 'records_of_public_trade'
  | 'records_of_severity_index_value'
  | 'assessment_heads'
  | 'page_of_assessments'
  | 'newest_as_of'
  | 'candle_rows'
  | 'rows_where'
  | 'assessment_in_force'
  | 'assessment_head'
  | 'assessment_of_chain'
  | 'records_of_chain'
  | 'records_of_act'
  | 'records_of_acts'
  | 'assessment_model_at'
  | 'overrides_ended'
  | 'assessments_waiting'
  | 'acts_without_records'
  | 'assessments_waiting'

/** The text of warehouse/sql/<name>.sql with every place filled in; a place without a value or a value without a place is a bug. */
export function fillTemplate(name: SqlTemplate, values: Readonly<Record<string, string>>): string {
  const used = new Set<string>()
  const text = templateText(name).replaceAll(/\{\{(\w+)\}\}/g, (_, place: string) => {
    const value = values[place]
    invariant(value !== undefined, `${name}.sql: no value for {{${place}}}`)
    used.add(place)
    return value
  })
  const idle = Object.keys(values).filter((place) => !used.has(place))
  invariant(idle.length === 0, `${name}.sql: no place for ${idle.join(', ')}`)
  return text
}

/** A column or relation name as SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A text as SQL. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

const TEXTS = new Map<SqlTemplate, string>()

/** Without the header comment, which documents the places by their names. */
function templateText(name: SqlTemplate): string {
  const known = TEXTS.get(name)
  if (known !== undefined) return known
  const file = readFileSync(new URL(`../sql/${name}.sql`, import.meta.url), 'utf8')
  const text = file.replaceAll(/^--.*\n/gm, '').trim()
  TEXTS.set(name, text)
  return text
}
