import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TSchema } from 'typebox'
import { type ParquetColumn, parquetWriter } from '../../api/export/parquet-writer.ts'
import { cellsOf, csvLine, tableColumns } from '../../api/export/table-columns.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { count } from '../../report/number-text.ts'
import type { GlobalOptions } from '../../service/invocation.ts'
import type { Output } from '../../service/output.ts'
import { writeOutput } from '../../warehouse/export/output-file.ts'
import { formatOf, type RowFlags, type RowFormat } from './row-options.ts'

type Rows = AsyncGenerator<Readonly<Record<string, unknown>>>
type Pieces = AsyncGenerator<readonly Readonly<Record<string, unknown>>[]>

/**
 * Writes rows to --out or the output, in the format that the options name.
 * @param what  kind of the rows, in the plural
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: Parquet on a terminal
 */
export async function writeRows(
  rows: Rows,
  schema: TSchema,
  {
    options,
    output,
    what,
  }: { readonly options: RowFlags & GlobalOptions; readonly output: Output; readonly what: string },
): Promise<void> {
  const { out } = options
  const format = formatOf(options)
  if (out === undefined && output.terminal && format === 'parquet')
    throw notAllowed('VALIDATION_USAGE_INVALID', '--format', 'parquet', '--out FILE, or a pipe')
  const written = await writeTo(rows, tableColumns(schema, []), format, out ?? output.sink())
  if (out !== undefined) await output.line(`${count(written)} ${what} written to ${out}`)
}

/** Rows of one piece of the output. */
const PIECE_ROWS = 1000

/**
 * Writes rows as they come; what stays in memory is one piece. A file appears whole or not at all; JSON is one object a line.
 * @returns the number of rows
 */
async function writeTo(
  rows: Rows,
  columns: readonly ParquetColumn[],
  format: RowFormat,
  out: string | Writable,
): Promise<number> {
  let written = 0
  const pieces = piecesOf(rows)
  // A header before a refused request would look like a list without rows.
  const first = await pieces.next()
  const counted = async function* () {
    try {
      for (let piece = first; piece.done !== true; piece = await pieces.next()) {
        written += piece.value.length
        yield piece.value
      }
    } finally {
      await pieces.return(undefined)
    }
  }
  const bytes = Readable.from(
    format === 'parquet' ? parquetBytes(counted(), columns) : textBytes(counted(), columns, format),
  )
  if (typeof out !== 'string') await pipeline(bytes, out)
  else await writeOutput(out, (file) => pipeline(bytes, file), { option: 'out' })
  return written
}

async function* piecesOf(rows: Rows): Pieces {
  let piece: Readonly<Record<string, unknown>>[] = []
  for await (const row of rows) {
    piece.push(row)
    if (piece.length < PIECE_ROWS) continue
    yield piece
    piece = []
  }
  if (piece.length > 0) yield piece
}

async function* textBytes(
  pieces: Pieces,
  columns: readonly ParquetColumn[],
  format: Exclude<RowFormat, 'parquet'>,
): AsyncGenerator<Buffer> {
  if (format === 'csv') yield Buffer.from(csvLine(columns.map(({ name }) => name)))
  const line = (row: Readonly<Record<string, unknown>>) =>
    format === 'csv' ? csvLine(cellsOf(columns, row)) : `${JSON.stringify(row)}\n`
  for await (const piece of pieces) yield Buffer.from(piece.map(line).join(''))
}

async function* parquetBytes(pieces: Pieces, columns: readonly ParquetColumn[]): AsyncGenerator<Buffer> {
  const writer = parquetWriter(columns)
  yield writer.head()
  for await (const piece of pieces) yield await writer.rowGroup(piece.map((row) => cellsOf(columns, row)))
  yield writer.foot()
}
