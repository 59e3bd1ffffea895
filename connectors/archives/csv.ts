import type { QuarantineReason } from '../../pipelines/venues/quarantine.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { type ArchiveFile, readArchiveFile } from './archive-file.ts'
import { type Line, readLines } from './lines.ts'

/** One row: its fields in the order of the requested columns, or the reason it cannot be read. */
export type CsvRow = { readonly line: number } & (
  | { readonly text: string; readonly fields: readonly string[] }
  | { readonly reason: QuarantineReason }
)

/** Separators of fields, the preferred one first. */
const SEPARATORS = [',', ';', '\t'] as const
type Separator = (typeof SEPARATORS)[number]

/** Returns the separator of a file by its header: the one that makes most fields of it; of equal ones the preferred one. */
export function separatorOf(header: string): Separator {
  const fieldsBy = (separator: Separator) => splitCsvLine(header, separator)?.length ?? 0
  return SEPARATORS.reduce((best, one) => (fieldsBy(one) > fieldsBy(best) ? one : best))
}

/**
 * Reads the rows of a CSV file (RFC 4180, separated as its header is) whose first line names the columns, in batches. Columns
 * are found by name, in any order; others are ignored. A record is one line: a line break inside quotes is quarantined, because
 * one lost quote must not swallow the rest of a file.
 * @param columns names that the header must have
 * @throws {ServiceError} VALIDATION_ARCHIVE_INVALID if the file is empty or the header lacks a column or repeats one
 */
export async function* readCsv(file: ArchiveFile, columns: readonly string[]): AsyncGenerator<CsvRow[]> {
  let picker: ((line: number, text: string) => CsvRow) | null = null
  for await (const lines of readLines(readArchiveFile(file))) {
    const rows: CsvRow[] = []
    for (const line of lines) {
      if (picker === null) picker = readHeader(file, line, columns)
      else rows.push('text' in line ? picker(line.line, line.text) : line)
    }
    if (rows.length > 0) yield rows
  }
  if (picker === null) headerOf(file, null)
}

/** Returns the names of a CSV file's columns. @throws {ServiceError} VALIDATION_ARCHIVE_INVALID if it has no header */
export async function csvColumns(file: ArchiveFile): Promise<readonly string[]> {
  for await (const [first] of readLines(readArchiveFile(file))) return headerOf(file, first ?? null).names
  return headerOf(file, null).names
}

/** Splits a line into its fields; null if its quotes are broken. */
export function splitCsvLine(text: string, separator: Separator = ','): string[] | null {
  if (!text.includes('"')) return text.split(separator)
  const fields: string[] = []
  let at = 0
  while (at <= text.length) {
    const field = text[at] === '"' ? quotedField(text, at, separator) : plainField(text, at, separator)
    if (field === null) return null
    fields.push(field.value)
    at = field.next
  }
  return fields
}

type Field = { readonly value: string; readonly next: number }

function plainField(text: string, start: number, separator: Separator): Field | null {
  const found = text.indexOf(separator, start)
  const end = found < 0 ? text.length : found
  const value = text.slice(start, end)
  return value.includes('"') ? null : { value, next: end + 1 }
}

function quotedField(text: string, start: number, separator: Separator): Field | null {
  let end = text.indexOf('"', start + 1)
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  if (end < 0 || (end + 1 < text.length && text[end + 1] !== separator)) return null
  return { value: text.slice(start + 1, end).replaceAll('""', '"'), next: end + 2 }
}

type Header = { readonly text: string; readonly names: readonly string[]; readonly separator: Separator }

/** Reads the first line of a file. @throws {ServiceError} VALIDATION_ARCHIVE_INVALID */
function headerOf(file: ArchiveFile, line: Line | null): Header {
  const text = line !== null && 'text' in line ? line.text : ''
  const separator = separatorOf(text)
  const names = splitCsvLine(text, separator)
  if (text !== '' && names !== null) return { text, names, separator }
  const seen = line === null ? 'is empty' : 'reason' in line ? `cannot be read (${line.reason})` : 'has broken quotes'
  throw invalid(file, `${seen}; allowed: a CSV file in UTF-8 whose first line names its columns`, text)
}

function invalid(file: ArchiveFile, how: string, header: string): ServiceError {
  const message = `${file.name} ${how} (nothing of the archive was stored)`
  return new ServiceError('VALIDATION_ARCHIVE_INVALID', message, { field: 'header', value: header.slice(0, 200) })
}

function readHeader(
  file: ArchiveFile,
  first: Line,
  columns: readonly string[],
): (line: number, text: string) => CsvRow {
  const { text: header, names, separator } = headerOf(file, first)
  const ordinals = columns.map((column) => names.indexOf(column))
  const wrong = columns.find((column, n) => ordinals[n]! < 0 || names.indexOf(column, ordinals[n]! + 1) >= 0)
  if (wrong !== undefined) {
    throw invalid(
      file,
      `begins with ${JSON.stringify(header.slice(0, 200))}; allowed: a header with each of ${columns.join()} once, where ${wrong} is missing or repeated; a table of other columns is imported with \`quotes --mapping FILE\``,
      header,
    )
  }
  return (line, text) => {
    const fields = splitCsvLine(text, separator)
    if (fields === null) return { line, reason: 'BAD_QUOTES' }
    if (fields.length !== names.length) return { line, reason: 'WRONG_COLUMN_COUNT' }
    return { line, text, fields: ordinals.map((ordinal) => fields[ordinal]!) }
  }
}
