import type { Output, TableCell } from '../../service/output.ts'
import type { Row } from '../../warehouse/schema.ts'

/** When a record is in force, and when it was published. */
export const PERIOD_FIELDS = ['effective_from', 'effective_to', 'published_at']

/** Prints a record with its components, evidence, history and review acts. */
export async function printRecord(
  output: Output,
  shown: { readonly record: Row; readonly history: readonly Row[]; readonly acts: readonly Row[] },
  fields: { readonly record: readonly string[]; readonly history: readonly string[] },
): Promise<void> {
  const { record, history, acts } = shown
  await output.table(
    ['field', 'value'],
    fields.record.map((name) => [name, cell(record[name])]),
  )
  const components = Object.entries((record.component_scores ?? {}) as Row)
  await printRows(
    output,
    'Components',
    ['component', 'score'],
    components.map(([component, score]) => ({ component, score })),
  )
  const evidence = (record.evidence ?? []) as readonly Row[]
  await printRows(
    output,
    'Evidence',
    ['component', 'kind', 'tier', 'observed_at', 'content_hash', 'source_uri'],
    evidence,
  )
  await printRows(output, 'All records', fields.history, history)
  await printRows(output, 'Acts', ['acted_at', 'act', 'actor_id', 'chain_id', 'revision', 'act_id'], acts)
}

/** Prints a table below a title; nothing without rows. */
export async function printRows(
  output: Output,
  title: string,
  fields: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return
  await output.line(`\n${title}`)
  await output.table(
    fields,
    rows.map((row) => fields.map((name) => cell(row[name]))),
  )
}

function cell(value: Row[string]): TableCell {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
