import type { Output, TableCell } from '../../service/output.ts'

/** Prints one record: as JSON with --json, else one line per field with nested values as JSON. */
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
