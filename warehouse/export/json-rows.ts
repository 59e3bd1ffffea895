import type { DuckDBResult } from '@duckdb/node-api'
import { resultRows } from '../read/chunk-rows.ts'
import type { Pieces, RowCounter } from './format.ts'

/** One JSON array of row objects, one row a line, ended by a newline. */
export async function* jsonArray(result: DuckDBResult, counter: RowCounter): Pieces {
  for await (const lines of rowLines(result)) {
    yield (counter.rows === 0 ? '[\n' : ',\n') + lines.join(',\n')
    counter.rows += lines.length
  }
  yield counter.rows === 0 ? '[]\n' : '\n]\n'
}

/** One JSON object a line. */
export async function* jsonLines(result: DuckDBResult, counter: RowCounter): Pieces {
  for await (const lines of rowLines(result)) {
    yield `${lines.join('\n')}\n`
    counter.rows += lines.length
  }
}

async function* rowLines(result: DuckDBResult): AsyncGenerator<string[]> {
  for await (const rows of resultRows(result)) yield rows.map((row) => JSON.stringify(row))
}
