import { isUtf8 } from 'node:buffer'
import type { QuarantineReason } from '../../pipelines/venues/quarantine.ts'

/** One line of a text file without its line end, or the reason it cannot be read. */
export type Line = { readonly line: number } & ({ readonly text: string } | { readonly reason: QuarantineReason })

/** Longest line of a table of records, in bytes; files of payloads have longer ones. */
export const LINE_BYTES_MAX = 1024 * 1024
const NEWLINE = 10

/**
 * Reads lines of UTF-8 bytes in batches of one chunk each, numbered from 1. Lines end with LF or CRLF; empty ones are counted
 * but omitted. A byte order mark is dropped. Memory is bounded by one chunk and one line of at most `bytes_max`.
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  bytes_max: number = LINE_BYTES_MAX,
): AsyncGenerator<Line[]> {
  let rest: Buffer = Buffer.alloc(0)
  let line = 1
  let skipping = false
  for await (const chunk of chunks) {
    const lines: Line[] = []
    let block = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    if (skipping) {
      const end = block.indexOf(NEWLINE)
      if (end < 0) continue
      block = block.subarray(end + 1)
      line += 1
      skipping = false
    }
    const end = block.lastIndexOf(NEWLINE)
    if (end >= 0) line = splitBlock(block.subarray(0, end), line, lines, bytes_max)
    rest = block.subarray(end + 1)
    if (rest.length > bytes_max) {
      lines.push({ line, reason: 'LINE_TOO_LONG' })
      skipping = true
      rest = Buffer.alloc(0)
    }
    if (lines.length > 0) yield lines
  }
  const last: Line[] = []
  if (rest.length > 0) splitBlock(rest, line, last, bytes_max)
  if (last.length > 0) yield last
}

/** Appends the lines of a block without its last LF; returns the number of the line after them. */
function splitBlock(block: Buffer, first: number, into: Line[], bytes_max: number): number {
  let line = first
  for (const part of isUtf8(block) ? block.toString('utf8').split('\n') : decodeEach(block)) {
    const text = part === null ? null : trimLine(part, line)
    if (text === null) into.push({ line, reason: 'BAD_ENCODING' })
    else if (text.length > bytes_max) into.push({ line, reason: 'LINE_TOO_LONG' })
    else if (text !== '') into.push({ line, text })
    line += 1
  }
  return line
}

function trimLine(text: string, line: number): string {
  const whole = line === 1 ? withoutMark(text) : text
  return whole.endsWith('\r') ? whole.slice(0, -1) : whole
}

/** Decodes the lines of a block with invalid UTF-8 in it; null for each invalid line. */
function* decodeEach(block: Buffer): Generator<string | null> {
  let start = 0
  while (start <= block.length) {
    const found = block.indexOf(NEWLINE, start)
    const end = found < 0 ? block.length : found
    const bytes = block.subarray(start, end)
    yield isUtf8(bytes) ? bytes.toString('utf8') : null
    start = end + 1
  }
}

/** Drops the byte order mark at the beginning of a text. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
