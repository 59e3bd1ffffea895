import { type ArchiveFile, readArchiveFile, uncompressedName } from '../archive-file.ts'
import { timedLine } from './wrapper.ts'

/**
 * Form of a file, from its first bytes: one XML or JSON document, JSON line by line, nothing but blanks, a package of files, a
 * table, or anything else. Names
 * do not count, except that `.jsonl` and `.ndjson` are always lines: recorders name files as they like.
 */
export type FileShape = 'document' | 'lines' | 'empty' | 'packed' | 'table' | 'other'

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
  const binary = binaryShape(bytes)
  if (binary !== null) return binary
  return shapeOf(bytes.toString('utf8'), /\.(?:jsonl|ndjson)$/i.test(uncompressedName(file.name)))
}

/** Returns the form of a file that begins with this text. */
function shapeOf(head: string, is_named_lines = false): FileShape {
  const text = head.replace(/^\ufeff/, '').trimStart()
  if (text === '') return 'empty'
  if (is_named_lines) return 'lines'
  if (text.startsWith('<')) return 'document'
  const [first = '', ...rest] = text.split('\n', LINES_BEFORE).map((line) => line.trim())
  const has_more = rest.some((line) => line !== '')
  if (isTimed(first)) return 'lines'
  if (isJson(first)) return has_more ? 'lines' : 'document'
  const opens = /^[{[]/.test(first)
  // A document that is printed over several lines begins with a bracket alone, or with a field whose value ends on a later line.
  if (opens && (!has_more || /[[{,:]$/.test(first))) return 'document'
  if (rest.some((line) => isJson(line) || isTimed(line))) return 'lines'
  if (opens) return 'document'
  return isTable([first, ...rest]) ? 'table' : 'other'
}

/** First bytes of files that hold other files, and of tables that are not text; a tar names itself further on. */
const PACKED = ['504b0304', '28b52ffd', 'fd377a585a00', '377abcaf271c', '526172211a07', '04224d18']
const TABLES = ['50415231', '53514c69746520666f726d6174', '4152524f5731', '894844460d0a']
const TAR_MAGIC = { at: 257, text: 'ustar' }

function binaryShape(bytes: Buffer): 'packed' | 'table' | null {
  const begins = (magics: readonly string[]) =>
    magics.some((magic) => bytes.toString('hex', 0, magic.length / 2) === magic)
  const is_tar = bytes.toString('latin1', TAR_MAGIC.at, TAR_MAGIC.at + TAR_MAGIC.text.length) === TAR_MAGIC.text
  if (is_tar || begins(PACKED)) return 'packed'
  return begins(TABLES) ? 'table' : null
}

/** Whether a header and the line below it have as many fields; a line break inside quotes makes this a guess. */
function isTable([header = '', row = '']: readonly string[]): boolean {
  return [',', ';', '\t'].some((mark) => {
    const columns = header.split(mark).length
    return columns > 1 && row.split(mark).length >= columns
  })
}

/** Whether a line is JSON behind a time. */
function isTimed(line: string): boolean {
  const timed = /^[[("']?\d/.test(line) ? timedLine(line) : null
  return timed !== null && isJson(timed.text)
}

function isJson(line: string): boolean {
  if (!/^[{[].*[}\]]$/s.test(line)) return false
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
