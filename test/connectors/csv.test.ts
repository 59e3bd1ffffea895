import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findArchiveFile } from '../../connectors/archives/archive-file.ts'
import { type CsvRow, readCsv, splitCsvLine } from '../../connectors/archives/csv.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder()

async function rowsOf(text: string, columns: readonly string[]): Promise<CsvRow[]> {
  writeFileSync(join(folder, 'rows.csv'), text)
  const rows: CsvRow[] = []
  for await (const batch of readCsv(findArchiveFile(folder, 'rows.csv'), columns)) rows.push(...batch)
  return rows
}

describe('splitCsvLine', () => {
  test('what is quoted as RFC 4180 says comes back', () => {
    const quoted = (field: string) => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)
    const field = fc.string({ maxLength: 8 }).filter((text) => !/[\r\n]/.test(text))
    fc.assert(
      fc.property(fc.array(field, { minLength: 1, maxLength: 6 }), (fields) => {
        expect(splitCsvLine(fields.map(quoted).join(','))).toEqual(fields)
      }),
    )
  })

  test.each([
    ['a,b,', ['a', 'b', '']],
    ['', ['']],
    ['"",x', ['', 'x']],
    ['"a,""b""",c', ['a,"b"', 'c']],
    ['a,"b', null],
    ['a,"b"c', null],
    ['a"b,c', null],
    ['"a""', null],
  ])('%j', (line, fields) => {
    expect(splitCsvLine(line)).toEqual(fields)
  })
})

describe('readCsv', () => {
  test('finds columns by name: order is free, further columns are ignored, line numbers are kept', async () => {
    const rows = await rowsOf('note,b,a\n-,2,1\n\n-,"4",3\n', ['a', 'b'])
    expect(rows).toEqual([
      { line: 2, text: '-,2,1', fields: ['1', '2'] },
      { line: 4, text: '-,"4",3', fields: ['3', '4'] },
    ])
  })

  test('a row with another number of fields or broken quotes is named', async () => {
    expect(await rowsOf('a,b\n1\n1,2,3\n"1,2\n1,2', ['a', 'b'])).toEqual([
      { line: 2, reason: 'WRONG_COLUMN_COUNT' },
      { line: 3, reason: 'WRONG_COLUMN_COUNT' },
      { line: 4, reason: 'BAD_QUOTES' },
      { line: 5, text: '1,2', fields: ['1', '2'] },
    ])
  })

  test.each([
    ['an empty file', ''],
    ['a file of empty lines', '\n\n'],
    ['a missing column', 'a,c\n1,2\n'],
    ['a column twice', 'a,b,a\n1,2,3\n'],
    ['no header', '1,2\n'],
    ['another separator', 'a;b\n1;2\n'],
  ])('refuses %s', async (_, text) => {
    await expect(rowsOf(text, ['a', 'b'])).rejects.toMatchObject({ code: 'VALIDATION_ARCHIVE_INVALID' })
  })

  test('a header alone is an archive without records', async () => {
    expect(await rowsOf('a,b\n', ['a', 'b'])).toEqual([])
  })
})
