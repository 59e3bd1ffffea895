import type { Refusal } from '../../../pipelines/venues/quarantine.ts'
import { type ArchiveFile, readArchiveFile, uncompressedName } from '../archive-file.ts'
import { refuseBinary, refuseText } from './refuse-file.ts'
import { timedLine } from './wrapper.ts'

/**
 * Form of a file, from its first bytes: one XML or JSON document, JSON line by line, nothing but blanks, or the reason it holds no
 * payload. Names do not count, except that `.jsonl` and `.ndjson` are lines unless they begin as XML: recorders name files as they
 * like.
 */
export type FileShape = 'document' | 'lines' | 'empty' | Refusal

/** Bytes that are looked at. A longer first line belongs to a document, or is a line that cannot be read either way. */
const HEAD_BYTES = 256 * 1024
/** Lines that may come before the first JSON line of a recording: a comment, a keep-alive, a torn line. */
const LINES_BEFORE = 20

/** Reads the form of a file. @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_ARCHIVE_INVALID */
export async function readFileShape(file: ArchiveFile): Promise<FileShape> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of readArchiveFile(file)) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= HEAD_BYTES) break
  }
  const bytes = Buffer.concat(chunks)
  return (
    refuseBinary(bytes) ?? shapeOf(bytes.toString('utf8'), /\.(?:jsonl|ndjson)$/i.test(uncompressedName(file.name)))
  )
}

/** Returns the form of a file that begins with this text. */
function shapeOf(head: string, is_named_lines = false): FileShape {
  const text = head.replace(/^\ufeff/, '').trimStart()
  if (text === '') return 'empty'
  if (text.startsWith('<')) return 'document'
  if (is_named_lines) return 'lines'
  const [first = '', ...rest] = text.split('\n', LINES_BEFORE).map((line) => line.trim())
  const has_more = rest.some((line) => line !== '')
  if (isTimedJson(first)) return 'lines'
  if (isJson(first)) return has_more ? 'lines' : 'document'
  const opens = /^[{[]/.test(first)
  // A document that is printed over several lines begins with a bracket alone, or with a field whose value ends on a later line.
  if (opens && (!has_more || /[[{,:]$/.test(first))) return 'document'
  if (rest.some((line) => isJson(line) || isTimedJson(line))) return 'lines'
  return opens ? 'document' : refuseText([first, ...rest])
}

/** Whether a line is JSON behind a time. */
function isTimedJson(line: string): boolean {
  const timed = /^[[("']?\d/.test(line) ? timedLine(line) : null
  return timed !== null && isJson(timed.text)
}

/** Whether a line is an object, a list, or a text that holds one. */
function isJson(line: string): boolean {
  if (!/^(?:[{[].*[}\]]|"\s*[{[].*")$/s.test(line)) return false
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
