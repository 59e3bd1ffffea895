import type { KnowledgeChange } from '../../protocol/resources/knowledge-change.ts'
import { parseWritten } from '../data/instant-text.ts'

/** One field of a record before and after; null: the record was not known, or not in force. */
export type ChangedField = { readonly name: string; readonly before: string | null; readonly after: string | null }

/** Longest value in a table; the API has all. */
const VALUE_MAX = 300
/** Fields that name a record which was added or removed. */
const NAMING: Readonly<Record<KnowledgeChange['subject'], readonly string[]>> = {
  index: ['name', 'status'],
  index_version: ['version', 'effective_from'],
  constituent: ['market_id', 'target_weight'],
  rating: ['band', 'score'],
  level: ['level', 'quality_state'],
}

/** Returns what differs of a record: changed fields of a revised one, then changed inputs; the naming fields of any other. */
export function changedFields(change: KnowledgeChange): readonly ChangedField[] {
  const { subject, change: kind, changed_fields, changed_inputs, before, after } = change
  const [old, now] = [before, after] as readonly (Readonly<Record<string, unknown>> | null)[]
  const names = kind === 'revised' ? changed_fields : NAMING[subject]
  const fields = names.map((name) => ({ name, before: valueText(old?.[name]), after: valueText(now?.[name]) }))
  const inputs = changed_inputs.flatMap((input) => {
    const [was, is] = [input.before, input.after] as readonly (Readonly<Record<string, unknown>> | null)[]
    const of_input = input.changed_fields.length === 0 ? ['normalized_value'] : input.changed_fields
    return of_input.map((name) => ({
      name: `input ${input.constituent_id}, ${name}`,
      before: valueText(was?.[name]),
      after: valueText(is?.[name]),
    }))
  })
  return [...fields, ...inputs]
}

function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text
}

/** Two instants of knowledge to compare, or what is wrong with what was written. */
export type Compared =
  | { readonly from: string; readonly to: string; readonly refused: null }
  | { readonly refused: string }

const EXAMPLE = 'a date, or a date and time in UTC, such as 2025-12-05 08:30'

/** Reads the two written instants. */
export function comparedOf(written: { readonly from: string; readonly to: string }): Compared {
  const [from, to] = [parseWritten(written.from), parseWritten(written.to)]
  if (from === null) return { refused: `“${written.from}” is not a date. Use ${EXAMPLE}.` }
  if (to === null) return { refused: `“${written.to}” is not a date. Use ${EXAMPLE}.` }
  if (Date.parse(from) > Date.parse(to)) return { refused: 'The first instant is after the second.' }
  return { from, to, refused: null }
}
