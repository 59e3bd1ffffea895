import type { JsonObject } from '../../pipelines/text/json-fields.ts'
import type { QuarantineReason } from '../../pipelines/venues/quarantine.ts'
import { type ArchiveFile, readArchiveFile } from './archive-file.ts'
import { readLines } from './lines.ts'

/** One line: its JSON object and text, or why it cannot be read. */
export type JsonLine = { readonly line: number } & (
  | { readonly text: string; readonly object: JsonObject }
  | { readonly reason: QuarantineReason }
)

/** The objects of a file with one JSON object a line, in batches. */
export async function* readJsonLines(file: ArchiveFile): AsyncGenerator<JsonLine[]> {
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
    // Not JSON: quarantined below, like JSON that is no object.
  }
  return { line, reason: 'BAD_JSON' }
}
