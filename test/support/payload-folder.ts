import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** A line of a `*.payloads.jsonl` file. */
export type PayloadLine = {
  readonly venue_id?: string
  readonly endpoint: string
  readonly request?: string | null
  readonly received_at: string
  /** Text, or a value that is written as JSON. */
  readonly body: unknown
}

/** The text of a line. */
export function payloadLine({ venue_id = 'kalshi', request = null, body, ...line }: PayloadLine): string {
  return JSON.stringify({ venue_id, request, ...line, body: typeof body === 'string' ? body : JSON.stringify(body) })
}

/** Writes a file of payloads into a folder; compressed where its name ends so. */
export function writePayloads(dir: string, name: string, lines: readonly PayloadLine[]): void {
  writeArchiveFile(dir, name, lines.map((line) => `${payloadLine(line)}\n`).join(''))
}

/** Writes a file into an archive's folder; compressed where its name ends so. */
export function writeArchiveFile(dir: string, name: string, text: string): void {
  const path = join(dir, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text)
}
