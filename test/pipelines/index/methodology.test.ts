import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { methodologyDocumentText, methodologyHash } from '../../../pipelines/index/methodology.ts'
import { METHODOLOGY_TEXT_SHA256 } from '../../../pipelines/index/methodology-text.ts'
import { PARAMETER_KINDS, PARAMETER_SHEET, resolveParameters } from '../../../pipelines/index/parameters.ts'
import { ROOT } from '../../support/source-files.ts'

const PATH = 'docs/methodology/index-1.md'
const bytes = readFileSync(join(ROOT, PATH))
const text = bytes.toString('utf8')

/** Rows of the table below a header line: cells without their backticks. */
function tableAfter(header: string): string[][] {
  const lines = text.split('\n')
  const start = lines.indexOf(header)
  expect(start, `${PATH} has the table ${header}`).toBeGreaterThan(0)
  const rows = lines.slice(start + 2)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  return rows.slice(0, end).map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.replaceAll('`', '')),
  )
}

test('the code carries the hash of the normative text', () => {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const how = `${PATH} has changed. While no methodology that is in use names it, update the hash with
  sed -i "s/'[0-9a-f]\\{64\\}'/'$(sha256sum ${PATH} | cut -d' ' -f1)'/" pipelines/index/methodology-text.ts
else leave it as it was and write the next text beside it.`
  expect(METHODOLOGY_TEXT_SHA256, how).toBe(sha256)
})

describe('the parameter sheet of the text', () => {
  const rows = tableAfter('| name | kind | default | meaning |')

  test('has exactly the names of the code, in its order, with kind and default', () => {
    const sheet = Object.entries(PARAMETER_SHEET).map(([name, row]) => [
      name,
      typeof row.kind === 'string' ? row.kind : row.kind.join(' or '),
      row.default ?? 'off',
    ])
    expect(rows.map((cells) => cells.slice(0, 3))).toEqual(sheet)
  })

  test('says what each one means and in which section', () => {
    for (const cells of rows) {
      expect(cells).toHaveLength(4)
      expect(cells[3]).toMatch(/\((\d+)(, \d+)?\)$/)
    }
  })

  test('explains every kind as the code does', () => {
    const kinds = Object.entries(PARAMETER_KINDS).map(([name, { allowed }]) => [name, allowed])
    expect(tableAfter('| kind | allowed |')).toEqual(kinds)
  })

  test('is used: every name but those of the arithmetic stands in a rule before the sheet', () => {
    const rules = text.slice(0, text.indexOf('## 18. Parameters'))
    const unused = Object.keys(PARAMETER_SHEET).filter((name) => !rules.includes(`\`${name}\``))
    expect(unused).toEqual(['calc.precision', 'calc.rounding'])
  })
})

test('the text is a whole: sections count up, references point to one', () => {
  const numbers = [...text.matchAll(/^## (\d+)\. /gm)].map((match) => Number(match[1]))
  expect(numbers).toEqual(numbers.map((_, i) => i + 1))
  const referred = [...text.matchAll(/\b[Ss]ections? (\d+)/g)].map((match) => Number(match[1]))
  expect(referred.filter((number) => !numbers.includes(number))).toEqual([])
})

describe('content hash', () => {
  const defaults = resolveParameters({})
  const hash = (given: Record<string, string>) => methodologyHash(resolveParameters(given))

  test('covers exactly the parameters and the text', () => {
    const document = methodologyDocumentText(defaults)
    expect(JSON.parse(document)).toEqual({ parameters: defaults, text_sha256: METHODOLOGY_TEXT_SHA256 })
    expect(methodologyHash(defaults)).toBe(`sha256:${createHash('sha256').update(document).digest('hex')}`)
    expect(document.startsWith('{"parameters":{"admission.grace":"PT5S",')).toBe(true)
  })

  test('is the same for a default that is written and one that is left out', () => {
    expect(hash({ 'admission.grace': 'PT5S' })).toBe(hash({}))
    expect(hash({ roll_stop: '3' })).toBe(hash({}))
  })

  test('is another one for every other value, and for every other text', () => {
    const others = [
      {},
      { 'cap.single': '0.3' },
      { 'admission.grace': 'PT6S' },
      { mode: 'chain_linked' },
      { 'outlier.k': '5.0' },
    ]
    expect(new Set(others.map(hash)).size).toBe(others.length)
    expect(methodologyHash(defaults, 'f'.repeat(64))).not.toBe(methodologyHash(defaults))
  })
})
