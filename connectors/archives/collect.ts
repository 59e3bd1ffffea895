import type { JsonObject } from '../../pipelines/text/json-fields.ts'
import type { Parsed, QuarantineReason } from '../../pipelines/venues/quarantine.ts'
import type { Origin } from '../../pipelines/venues/record.ts'
import { type ArchiveFile, readArchiveFile } from './archive-file.ts'
import { type CsvRow, readCsv } from './csv.ts'
import { readLines } from './lines.ts'

/** Records read so far, and the items that were rejected. */
export type Collected<T> = {
  readonly records: T[]
  readonly quarantine: (Origin & { readonly reason: QuarantineReason })[]
}

type Row = Exclude<CsvRow, { readonly reason: QuarantineReason }>
type Line = Exclude<JsonLine, { readonly reason: QuarantineReason }>
type Unread = { readonly line: number; readonly reason: QuarantineReason }

/** Parses every row of a CSV file. */
export function collectCsv<T>(
  file: ArchiveFile,
  columns: readonly string[],
  parse: (row: Row & Origin) => Parsed<T>,
): Promise<Collected<T>> {
  return collect<Row, T>(file, readCsv(file, columns), parse)
}

/** Parses every line of a file with one JSON object per line. */
export function collectJsonLines<T>(
  file: ArchiveFile,
  parse: (line: Line & Origin) => Parsed<T>,
): Promise<Collected<T>> {
  return collect<Line, T>(file, readJsonLines(file), parse)
}

async function collect<I extends { readonly line: number }, T>(
  { name }: ArchiveFile,
  batches: AsyncIterable<(I | Unread)[]>,
  parse: (item: I & Origin) => Parsed<T>,
): Promise<Collected<T>> {
  const records: T[] = []
  const quarantine: Collected<T>['quarantine'] = []
  for await (const batch of batches) {
    for (const item of batch) {
      const parsed = isUnread(item) ? item : parse({ ...item, file: name })
      if ('record' in parsed) records.push(parsed.record)
      else quarantine.push({ file: name, line: item.line, reason: parsed.reason })
    }
  }
  return { records, quarantine }
}

function isUnread(item: { readonly line: number }): item is Unread {
  return 'reason' in item
}

/** One line: its JSON object and text, or the reason it cannot be read. */
type JsonLine = { readonly line: number } & (
  | { readonly text: string; readonly object: JsonObject }
  | { readonly reason: QuarantineReason }
)

/** Reads the objects of a file with one JSON object per line, in batches. */
async function* readJsonLines(file: ArchiveFile): AsyncGenerator<JsonLine[]> {
  for await (const lines of readLines(readArchiveFile(file))) {
    yield lines.map((line) => ('text' in line ? parseLine(line.line, line.text) : line))
  }
}

function parseLine(line: number, text: string): JsonLine {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { line, text, object: value as JsonObject }
  } catch {
    // Invalid JSON is quarantined below, like JSON that is not an object.
  }
  return { line, reason: 'BAD_JSON' }
}
