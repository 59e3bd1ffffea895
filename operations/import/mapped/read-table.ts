import { type ArchiveFile, readArchiveFile } from '../../../connectors/archives/archive-file.ts'
import { type CsvRow, csvColumns, readCsv } from '../../../connectors/archives/csv.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import { parquetColumns, parquetTexts } from '../../../warehouse/duckdb/read/parquet-texts.ts'

/** A file with columns. Rows of a CSV file are numbered by line, those of a Parquet file from 1. */
export type Table = {
  readonly columns: readonly string[]
  rows(columns: readonly string[]): AsyncGenerator<CsvRow[]>
}

const PARQUET = 'PAR1'

/**
 * Opens a CSV or Parquet file, by its first bytes; null: the file is empty.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_ARCHIVE_INVALID
 */
export async function openTable(file: ArchiveFile): Promise<Table | null> {
  const head = await firstBytes(file)
  if (head === '') return null
  if (/^(?:\xef\xbb\xbf)?(?:\{|\[[\s{])/.test(head)) throw isJson(file)
  if (head !== PARQUET) {
    return { columns: await csvColumns(file), rows: (columns) => readCsv(file, columns) }
  }
  const columns = await parquetColumns(file.path).catch((error: Error) => {
    throw corrupt(file, error)
  })
  return { columns, rows: (wanted) => parquetRows(file, wanted) }
}

function isJson(file: ArchiveFile): ServiceError {
  return new ServiceError(
    'VALIDATION_ARCHIVE_INVALID',
    `${file.name} is JSON; allowed: CSV or Parquet, as DuckDB writes it: copy (from read_json('${file.name}')) to 'rows.parquet' (nothing of the archive was stored)`,
    { field: 'file', value: file.path },
  )
}

function corrupt(file: ArchiveFile, error: Error): ServiceError {
  const [reason] = error.message.split('\n')
  return new ServiceError(
    'VALIDATION_ARCHIVE_INVALID',
    `${file.name} is corrupt: ${reason}; allowed: a complete Parquet file (nothing of the archive was stored)`,
    { field: 'file', value: file.path },
    error,
  )
}

async function firstBytes(file: ArchiveFile): Promise<string> {
  for await (const chunk of readArchiveFile(file)) return chunk.toString('latin1', 0, PARQUET.length)
  return ''
}

async function* parquetRows(file: ArchiveFile, columns: readonly string[]): AsyncGenerator<CsvRow[]> {
  let line = 0
  try {
    for await (const rows of parquetTexts(file.path, columns)) {
      yield rows.map((row) => {
        line += 1
        const fields = row.map((text) => text ?? '')
        return { line, text: JSON.stringify(row), fields }
      })
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : corrupt(file, error as Error)
  }
}
