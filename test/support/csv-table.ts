/** A record as a table shows it: null and nested values as JSON, everything else as its text. */
export function asTexts(record: Readonly<Record<string, unknown>>): Record<string, string | null> {
  const cell = (value: unknown) =>
    value === null || value === undefined ? null : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, cell(value)]))
}

/** Reads RFC 4180, an empty field without quotes as null. */
export function parseCsv(text: string): (string | null)[][] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  const rows: (string | null)[][] = [[]]
  for (let match = field.exec(text); match !== null; match = field.exec(text)) {
    const [, quoted, plain, end] = match
    rows.at(-1)!.push(quoted === undefined ? plain || null : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
  }
  if (field.lastIndex !== 0) throw new TypeError('not RFC 4180')
  return rows.slice(0, -1)
}
