import type { DuckDBResult } from '@duckdb/node-api'
import { AsyncByteQueue, Field, makeData, RecordBatch, RecordBatchFileWriter, Schema, Struct } from 'apache-arrow'
import { rawVector } from '../duckdb/read/raw-vectors.ts'
import { arrowColumnOf } from './arrow-column-of.ts'
import type { ArrowColumn } from './arrow-columns.ts'
import type { Pieces, RowCounter } from './format.ts'

const BATCH_ROWS = 65_536
const BATCH_TEXT_BYTES = 128 << 20

/**
 * Writes a result as an Arrow IPC file (`polars.read_ipc`, `pyarrow.ipc.open_file`, `pandas.read_feather`): DuckDB's vectors
 * become Arrow's buffers without a JavaScript value per cell (bench/arrow-export.bench.ts).
 * @throws {ServiceError} VALIDATION_SQL_REFUSED: a column type that Arrow does not have
 */
export async function* arrowFile(result: DuckDBResult, counter: RowCounter): Pieces {
  const writer = new PieceWriter()
  for await (const batch of recordBatches(result, counter)) {
    writer.write(batch)
    yield writer.takePiece()
  }
  writer.finish()
  yield writer.takePiece()
}

/** Writes into memory; each batch is copied out before its columns reuse their memory for more rows. */
class PieceWriter extends RecordBatchFileWriter {
  readonly #kept = new KeptBytes()

  constructor() {
    super()
    this._sink = this.#kept
  }

  takePiece(): Uint8Array {
    return Buffer.concat(this.#kept.parts.splice(0))
  }
}

class KeptBytes extends AsyncByteQueue {
  readonly parts: Uint8Array[] = []

  override write(part: Uint8Array): void {
    this.parts.push(part)
  }
}

/** Yields at least one batch, so that an empty result has its columns. */
async function* recordBatches(result: DuckDBResult, counter: RowCounter): AsyncGenerator<RecordBatch> {
  const names = result.deduplicatedColumnNames()
  const columns = result.columnTypes().map((type, n) => arrowColumnOf(type, names[n]!))
  const schema = new Schema(names.map((name, n) => new Field(name, columns[n]!.type, true)))
  let rows = 0
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    for (const [n, column] of columns.entries()) column.append(rawVector(chunk, n), chunk.rowCount, null)
    rows += chunk.rowCount
    counter.rows += chunk.rowCount
    if (rows < BATCH_ROWS && columns.every((column) => column.textBytes() < BATCH_TEXT_BYTES)) continue
    yield batchOf(schema, columns, rows)
    rows = 0
  }
  if (rows > 0 || counter.rows === 0) yield batchOf(schema, columns, rows)
}

function batchOf(schema: Schema, columns: readonly ArrowColumn[], length: number): RecordBatch {
  const children = columns.map((column) => column.take())
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }))
}
