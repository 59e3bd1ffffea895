import type { Refusal } from '../../../pipelines/venues/quarantine.ts'
import { separatorOf, splitCsvLine } from '../csv.ts'
import { quoted } from './refuse-shape.ts'

/** Files that hold no payload by their first bytes or lines, and what to do with each. */

type Magic = readonly [head: string, what: string]

/** First bytes, as hexadecimal digits, of files that hold other files; a tar names itself further on. */
const PACKED: readonly Magic[] = [
  ['504b0304', 'a zip file'],
  ['504b0506', 'an empty zip file'],
  ['28b52ffd', 'a zstd file'],
  ['fd377a585a00', 'an xz file'],
  ['377abcaf271c', 'a 7z file'],
  ['526172211a07', 'a rar file'],
  ['04224d18', 'an lz4 file'],
  ['1f9d', 'a compress (.Z) file'],
]
const TAR = { at: 257, text: 'ustar' }
/** Parquet is read with a mapping; the others are not. */
const PARQUET = '50415231'
const TABLES: readonly Magic[] = [
  ['53514c69746520666f726d6174', 'an SQLite database'],
  ['4152524f5731', 'an Arrow file'],
  ['894844460d0a', 'an HDF5 file'],
  ['d0cf11e0a1b11ae1', 'an Excel workbook'],
]
/** Name of a part that every Excel workbook has, which is a zip file. */
const OFFICE_PART = '[Content_Types].xml'
const UTF16 = /^(?:fffe|feff)/
const COLUMNS_MAX = 12

/** Refuses a file that begins with these bytes; null: it may be text. */
export function refuseBinary(bytes: Buffer): Refusal | null {
  const head = bytes.toString('hex', 0, 16)
  const found = (magics: readonly Magic[]) => magics.find(([magic]) => head.startsWith(magic))?.[1]
  const exported = (what: string): Refusal => ({
    reason: 'TABLE_FILE',
    advice: `${what}: write its table as CSV or Parquet and import that with \`quotes --mapping FILE\``,
  })
  if (bytes.toString('latin1', 0, 2048).includes(OFFICE_PART)) return exported('an Excel workbook')
  const is_tar = bytes.toString('latin1', TAR.at, TAR.at + TAR.text.length) === TAR.text
  const packed = is_tar ? 'a tar file' : found(PACKED)
  if (packed !== undefined) return { reason: 'PACKED_FILE', advice: `${packed}: unpack it and import the folder` }
  const table = found(TABLES)
  if (table !== undefined) return exported(table)
  if (head.startsWith(PARQUET)) {
    const advice = 'a Parquet file: describe its columns in a mapping and import it with `quotes --mapping FILE`'
    return { reason: 'TABLE_FILE', advice }
  }
  if (UTF16.test(head)) {
    return { reason: 'BAD_ENCODING', advice: 'a text in UTF-16: convert it with iconv -f UTF-16 -t UTF-8' }
  }
  return bytes.includes(0) ? unknown('data that are neither text nor in a form that is known') : null
}

/** Says why a text file is refused. Its first lines decide; none of them is JSON. */
export function refuseText(lines: readonly [string, ...string[]]): Refusal {
  const [first, second = ''] = lines
  const separator = separatorOf(first)
  const columns = splitCsvLine(first, separator) ?? []
  // A line break inside quotes makes this a guess.
  if (columns.length > 1 && second.split(separator).length >= columns.length) {
    const named = columns.slice(0, COLUMNS_MAX).join(', ') + (columns.length > COLUMNS_MAX ? ', …' : '')
    const advice = `a table with the columns ${quoted(named)}: describe them in a mapping and import it with \`quotes --mapping FILE\``
    return { reason: 'TABLE_FILE', advice }
  }
  const before = lines.map(textBeforeJson).find((text) => text !== null)
  if (before !== undefined && before !== null) {
    const stamp = '`2026-01-17T00:00:05Z {…}`'
    return unknown(
      `lines with ${quoted(before)} before their JSON: write the receive time with its zone there, as in ${stamp}, or nothing`,
    )
  }
  return unknown(
    `text that begins with ${quoted(first)}: accepted are answers and messages as JSON or, of GDACS, XML, in a file each or line by line`,
  )
}

function unknown(advice: string): Refusal {
  return { reason: 'UNKNOWN_SHAPE', advice }
}

/** Text before the JSON that a line ends with; null if it ends with none. */
function textBeforeJson(line: string): string | null {
  const [, before, json] = /^([^{]+?)(\{.*\})$/s.exec(line) ?? []
  if (before === undefined || json === undefined) return null
  try {
    JSON.parse(json)
    return before
  } catch {
    return null
  }
}
