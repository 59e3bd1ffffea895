import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AnswerFormat } from '../../api/export/answer-format.ts'
import { parquetWriter } from '../../api/export/parquet-writer.ts'
import { cellsOf, csvLine, tableColumns } from '../../api/export/table-columns.ts'
import { FillRow } from '../../trading/would-fill/fill-row.ts'

type Rows = AsyncGenerator<FillRow>

/** Rows of one piece of the output. */
const PIECE_ROWS = 1000

/**
 * Writes rows as they come; what stays in memory is one piece. A file appears whole or not at all; JSON is one object a line.
 * @returns the number of rows
 */
export async function writeFillRows(rows: Rows, format: AnswerFormat, out: string | Writable): Promise<number> {
  let written = 0
  const counted = async function* () {
    for await (const piece of piecesOf(rows)) {
      written += piece.length
      yield piece
    }
  }
  const bytes = Readable.from(format === 'parquet' ? parquetBytes(counted()) : textBytes(counted(), format))
  if (typeof out !== 'string') await pipeline(bytes, out)
  else await writeWhole(bytes, out)
  return written
}

async function writeWhole(bytes: Readable, path: string): Promise<void> {
  const part = `${path}.part`
  try {
    await pipeline(bytes, createWriteStream(part))
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

async function* piecesOf(rows: Rows): AsyncGenerator<readonly FillRow[]> {
  let piece: FillRow[] = []
  for await (const row of rows) {
    piece.push(row)
    if (piece.length < PIECE_ROWS) continue
    yield piece
    piece = []
  }
  if (piece.length > 0) yield piece
}

const COLUMNS = tableColumns(FillRow, [])

async function* textBytes(
  pieces: AsyncGenerator<readonly FillRow[]>,
  format: Exclude<AnswerFormat, 'parquet'>,
): AsyncGenerator<Buffer> {
  if (format === 'csv') yield Buffer.from(csvLine(COLUMNS.map(({ name }) => name)))
  const line = (row: FillRow) => (format === 'csv' ? csvLine(cellsOf(COLUMNS, row)) : `${JSON.stringify(row)}\n`)
  for await (const piece of pieces) yield Buffer.from(piece.map(line).join(''))
}

async function* parquetBytes(pieces: AsyncGenerator<readonly FillRow[]>): AsyncGenerator<Buffer> {
  const writer = parquetWriter(COLUMNS)
  yield writer.head()
  for await (const piece of pieces) yield await writer.rowGroup(piece.map((row) => cellsOf(COLUMNS, row)))
  yield writer.foot()
}
