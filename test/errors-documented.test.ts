import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ERROR_CODES } from '../primitives/errors.ts'
import { ROOT, sourceFiles } from './support/source-files.ts'

/** docs/errors.md and primitives/errors.ts say the same, row by row. */
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

const code_files = sourceFiles(['.ts']).filter(({ path }) => !/^(test|primitives\/errors)/.test(path))

describe.each(documented)('$code', ({ code, row, when, remedy }) => {
  test('has the documented status, exit code and retryable', () => {
    expect(row).toEqual(ERROR_CODES[code as keyof typeof ERROR_CODES])
  })

  test('says when it happens and what to do', () => {
    expect(when.length).toBeGreaterThan(10)
    expect(remedy.length).toBeGreaterThan(10)
  })

  test('is used by the code', () => {
    expect(code_files.some(({ text }) => text.includes(code))).toBe(true)
  })
})
