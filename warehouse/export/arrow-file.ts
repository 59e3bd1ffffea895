import type { DuckDBResult } from '@duckdb/node-api'
import type { Pieces, RowCounter } from './format.ts'
export async function* arrowFile(_r: DuckDBResult, _c: RowCounter): Pieces {}
