import type { Output, TableCell } from '../../service/output.ts'

/** One record: JSON where it is asked for, else a line a field. What is nested is shown as JSON. */
export async function printRecord(output: Output, record: unknown): Promise<void> {
  if (output.json) return output.document(record)
  const fields = Object.entries((record ?? {}) as Record<string, unknown>)
  await output.table(
    ['field', 'value'],
    fields.map(([field, value]) => [field, cell(value)]),
  )
}

function cell(value: unknown): TableCell {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as TableCell)
}
