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
    ['a separator that is none', 'a|b\n1|2\n'],
  ])('refuses %s', async (_, text) => {
    await expect(rowsOf(text, ['a', 'b'])).rejects.toMatchObject({ code: 'VALIDATION_ARCHIVE_INVALID' })
  })

  test.each([
    ['semicolons', 'a;"b;, c"\r\n1;"2;"\r\n', ['a', 'b;, c'], ['1', '2;']],
    ['tabs, and a comma in a name', '\ufeffa\tb, c\td\n1\t2\t3,0\n', ['b, c', 'd'], ['2', '3,0']],
    ['commas, and semicolons in a name', 'a;b,c,d\n1,2,3\n', ['a;b', 'd'], ['1', '3']],
  ])('fields separated by %s', async (_, text, columns, fields) => {
    expect(await rowsOf(text, columns)).toMatchObject([{ line: 2, fields }])
  })

  test.each([
    ['an empty file', '', 'is empty'],
    ['a line that is not UTF-8', Buffer.from([0x61, 0xff, 0x2c, 0x62, 0x0a]), 'cannot be read (BAD_ENCODING)'],
    ['a missing column', 'a,c\n1,2\n', 'where b is missing or repeated; a table of other columns'],
  ])('%s is named with the next step', async (_, text, message) => {
    writeFileSync(join(folder, 'rows.csv'), text)
    const reading = readCsv(findArchiveFile(folder, 'rows.csv'), ['a', 'b'])
    await expect(reading.next()).rejects.toMatchObject({ message: expect.stringContaining(message) })
  })

  test('a header alone is an archive without records', async () => {
    expect(await rowsOf('a,b\n', ['a', 'b'])).toEqual([])
  })
})
