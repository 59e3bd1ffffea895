import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvCell } from '../../primitives/csv-cell.ts'
import { plainLines } from '../../primitives/plain-text.ts'

/** Reads a cell as docs/decisions/0007 says. */
function textOf(cell: string): string {
  const text = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
  return /^'+[=+\-@\t]/.test(text) ? text.slice(1) : text
}

test.each([
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['+1 (555) 0100', "'+1 (555) 0100"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ["'=1", "''=1"],
  ['-0.25', '-0.25'],
  ['+1.5e-9', '+1.5e-9'],
  ["it's", "it's"],
  ['\u001b[31mred\u202e', '?[31mred?'],
])('%j is written as %j', (text, cell) => {
  expect(csvCell(text)).toBe(cell)
})

const TEXTS = fc.oneof(fc.string(), fc.stringMatching(/^['=+\-@\t]{1,4}[a-z0-9",]{0,4}$/))

test('a reader has every text again, and an exact one needs no rule', () => {
  fc.assert(
    fc.property(TEXTS, (text) => {
      expect(textOf(csvCell(plainLines(text)))).toBe(plainLines(text))
      const exact = csvCell(text, true)
      expect(exact.startsWith('"') ? exact.slice(1, -1).replaceAll('""', '"') : exact).toBe(text)
    }),
  )
})
