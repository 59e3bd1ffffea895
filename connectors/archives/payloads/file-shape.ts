import { type ArchiveFile, readArchiveFile, uncompressedName } from '../archive-file.ts'
import { timedLine } from './wrapper.ts'

/**
 * Form of a file, from its first bytes: one XML or JSON document, JSON line by line, nothing but blanks, or anything else. Names
 * do not count, except that `.jsonl` and `.ndjson` are always lines: recorders name files as they like.
 */
export type FileShape = 'document' | 'lines' | 'empty' | 'other'

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
  const head = Buffer.concat(chunks).toString('utf8')
  return shapeOf(head, /\.(?:jsonl|ndjson)$/i.test(uncompressedName(file.name)))
}

/** Returns the form of a file that begins with this text. */
function shapeOf(head: string, is_named_lines = false): FileShape {
  const text = head.replace(/^\ufeff/, '').trimStart()
  if (text === '') return 'empty'
  if (is_named_lines) return 'lines'
  if (text.startsWith('<')) return 'document'
  const [first = '', ...rest] = text.split('\n', LINES_BEFORE).map((line) => line.trim())
  const has_more = rest.some((line) => line !== '')
  if (isJson(first)) return has_more ? 'lines' : 'document'
  const opens = /^[{[]/.test(first)
  // A document that is printed over several lines begins with a bracket alone, or with a field that goes on.
  if (opens && (!has_more || /[[{,:]$/.test(first))) return 'document'
  if (rest.some(isJson)) return 'lines'
  return opens ? 'document' : 'other'
}

function isJson(text: string): boolean {
  const line = /^\d|^[[("']\d/.test(text) ? (timedLine(text)?.text ?? text) : text
  if (!/^[{[].*[}\]]$/s.test(line)) return false
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
