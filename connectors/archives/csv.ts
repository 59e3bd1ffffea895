import type { QuarantineReason } from '../../pipelines/venues/quarantine.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { type ArchiveFile, readArchiveFile } from './archive-file.ts'
import { readLines } from './lines.ts'

/** One row: its fields in the order of the requested columns, or the reason it cannot be read. */
export type CsvRow = { readonly line: number } & (
  | { readonly text: string; readonly fields: readonly string[] }
  | { readonly reason: QuarantineReason }
)

/**
 * Reads the rows of a CSV file (RFC 4180) whose first line names the columns, in batches. Columns are found by name, in any
 * order; others are ignored. A record is one line: a line break inside quotes is quarantined, because one lost quote must not
 * swallow the rest of a file.
 * @param columns names that the header must have
 * @throws {ServiceError} VALIDATION_ARCHIVE_INVALID if the file is empty or the header lacks a column or repeats one
 */
export async function* readCsv(file: ArchiveFile, columns: readonly string[]): AsyncGenerator<CsvRow[]> {
  let picker: ((line: number, text: string) => CsvRow) | null = null
  for await (const lines of readLines(readArchiveFile(file))) {
    const rows: CsvRow[] = []
    for (const line of lines) {
      if (picker === null) picker = readHeader(file, 'text' in line ? line.text : '', columns)
      else rows.push('text' in line ? picker(line.line, line.text) : line)
    }
    if (rows.length > 0) yield rows
  }
  if (picker === null) readHeader(file, '', columns)
}

/** Returns the names of a CSV file's columns. @throws {ServiceError} VALIDATION_ARCHIVE_INVALID if it has no header */
export async function csvColumns(file: ArchiveFile): Promise<readonly string[]> {
  for await (const [first] of readLines(readArchiveFile(file))) {
    const names = first !== undefined && 'text' in first ? splitCsvLine(first.text) : null
    if (names !== null) return names
    break
  }
  throw new ServiceError(
    'VALIDATION_ARCHIVE_INVALID',
    `${file.name} has no header; allowed: a CSV file (RFC 4180) whose first line names the columns, or a Parquet file`,
    { field: 'file', value: file.path },
  )
}

/** Splits a line into its fields; null if its quotes are broken. */
export function splitCsvLine(text: string): string[] | null {
  if (!text.includes('"')) return text.split(',')
  const fields: string[] = []
  let at = 0
  while (at <= text.length) {
    const field = text[at] === '"' ? quotedField(text, at) : plainField(text, at)
    if (field === null) return null
    fields.push(field.value)
    at = field.next
  }
  return fields
}

type Field = { readonly value: string; readonly next: number }

function plainField(text: string, start: number): Field | null {
  const comma = text.indexOf(',', start)
  const end = comma < 0 ? text.length : comma
  const value = text.slice(start, end)
  return value.includes('"') ? null : { value, next: end + 1 }
}

function quotedField(text: string, start: number): Field | null {
  let end = text.indexOf('"', start + 1)
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  if (end < 0 || (end + 1 < text.length && text[end + 1] !== ',')) return null
  return { value: text.slice(start + 1, end).replaceAll('""', '"'), next: end + 2 }
}

function readHeader(
  file: ArchiveFile,
  header: string,
  columns: readonly string[],
): (line: number, text: string) => CsvRow {
  const names = splitCsvLine(header) ?? []
  const ordinals = columns.map((column) => names.indexOf(column))
  const wrong = columns.find((column, n) => ordinals[n]! < 0 || names.indexOf(column, ordinals[n]! + 1) >= 0)
  if (wrong !== undefined) {
    throw new ServiceError(
      'VALIDATION_ARCHIVE_INVALID',
      `${file.name} begins with ${JSON.stringify(header.slice(0, 200))}; allowed: a header with each of ${columns.join(',')} once (${wrong} is missing or repeated)`,
      { field: 'header', value: header.slice(0, 200) },
    )
  }
  return (line, text) => {
    const fields = splitCsvLine(text)
    if (fields === null) return { line, reason: 'BAD_QUOTES' }
    if (fields.length !== names.length) return { line, reason: 'WRONG_COLUMN_COUNT' }
    return { line, text, fields: ordinals.map((ordinal) => fields[ordinal]!) }
  }
}
