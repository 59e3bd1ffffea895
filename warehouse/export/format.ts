/**
 * Output formats of a query result.
 *   table    plain text for people, cut after a number of rows with a note
 *   json     one array of row objects: decimals as strings, instants as RFC 3339, null for no value
 *   ndjson   the same objects, one per line
 *   csv      RFC 4180 with a header line; null is an empty field, an empty text is ""; formulas and control characters are made
 *            harmless (docs/decisions/0007-texts-of-others.md)
 *   csv-exact  the same with every text as it is, for programs
 *   arrow    Arrow IPC file (`polars.read_ipc`, `pyarrow.ipc.open_file`, `pandas.read_feather`)
 *   parquet  one Parquet file, zstd
 */
export const SQL_FORMATS = ['table', 'json', 'ndjson', 'csv', 'csv-exact', 'arrow', 'parquet'] as const
export type SqlFormat = (typeof SQL_FORMATS)[number]

/** Pieces of a written result; the row counter is complete after the last piece. */
export type Pieces = AsyncGenerator<string | Uint8Array, void, undefined>
export type RowCounter = { rows: number }
