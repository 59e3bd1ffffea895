/** One line of RFC 4180: missing is empty, lists and objects are JSON, quotes where needed, LF at the end. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvField).join(',')}\n`
}

function csvField(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
