import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { FORECASTBENCH_FILES, QUOTES_FILES } from '../../connectors/archives/file-names.ts'
import { readArchive } from '../../connectors/archives/read-archive.ts'
import { VALUE_COLUMNS } from '../../pipelines/venues/forecastbench.ts'
import { QUOTE_COLUMNS } from '../../pipelines/venues/quotes-archive.ts'
import { tempFolder } from '../support/temp-folder.ts'

test.each([
  ['forecastbench', FORECASTBENCH_FILES.values, VALUE_COLUMNS, FORECASTBENCH_FILES.questions],
  ['quotes', QUOTES_FILES.quotes, QUOTE_COLUMNS, QUOTES_FILES.markets],
] as const)('%s: files that are not read are ignored, each under its rule', async (kind, table, columns, lines) => {
  const dir = tempFolder()
  for (const name of ['README.md', 'NOTICE.txt', lines]) writeFileSync(join(dir, name), '')
  writeFileSync(join(dir, table), `${columns.join(',')}\n`)
  writeFileSync(join(dir, `${table}.gz`), gzipSync(`${columns.join(',')}\n`))
  const { files, ignored } = await readArchive(kind, dir, 0)
  expect([...files].sort()).toEqual([lines, `${table}.gz`].sort())
  expect(ignored).toEqual(
    [
      { file: 'NOTICE.txt', line: 1, rule: 'NOT_DATA' },
      { file: 'README.md', line: 1, rule: 'NOT_DATA' },
      { file: table, line: 1, rule: 'SECOND_COPY' },
    ].sort((a, b) => (a.file < b.file ? -1 : 1)),
  )
})
