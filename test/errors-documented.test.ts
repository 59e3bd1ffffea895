import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ERROR_CODES } from '../primitives/error-codes.ts'
import { PRODUCT_FOLDERS } from './support/house/folders.ts'
import { commentsOf } from './support/house/parsed-source.ts'
import { houseFolder, ROOT, type SourceFile, sourceFiles } from './support/source-files.ts'

/** docs/errors.md and primitives/error-codes.ts say the same, row by row. */
const documented = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .map(([, code, status, exit_code, retryable, when, remedy]) => ({
    code: code!.replaceAll('`', ''),
    row: { status: +status!, exit_code: +exit_code!, retryable: retryable === 'yes' },
    when: when!,
    remedy: remedy!,
  }))

test('every code is documented, and every documented code exists', () => {
  expect(documented.map(({ code }) => code)).toEqual(Object.keys(ERROR_CODES))
})

/** Files that decide when a code is given: no page that lists the codes, no schema that names them, no comment. */
const deciding = sourceFiles(['.ts', '.mjs']).filter(
  ({ path }) =>
    PRODUCT_FOLDERS.includes(houseFolder(path)) && !/^(protocol|console|api\/pages|primitives\/error-codes)/.test(path),
)
const given = new Set(deciding.flatMap(codesOf))

/** Words in capitals of a file's texts. */
function codesOf(file: SourceFile): string[] {
  const code = commentsOf(file).reduce((text, { value }) => text.replace(value, ''), file.text)
  return code.match(/\b[A-Z]+(_[A-Z]+)+\b/g) ?? []
}

test('a code in a comment is not used', () => {
  expect(codesOf({ path: 'x.ts', text: "// GONE_CODE\nfail('SOME_CODE') /* OLD_CODE */" })).toEqual(['SOME_CODE'])
})

describe.each(documented)('$code', ({ code, row, when, remedy }) => {
  test('has the documented status, exit code and retryable', () => {
    expect(row).toEqual(ERROR_CODES[code as keyof typeof ERROR_CODES])
  })

  test('says when it happens and what to do', () => {
    expect(when.length).toBeGreaterThan(10)
    expect(remedy.length).toBeGreaterThan(10)
  })

  test('is used by the code', () => {
    expect(given).toContain(code)
  })
})
