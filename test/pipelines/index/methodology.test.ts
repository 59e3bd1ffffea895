import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { methodologyHash, methodologyTextOf } from '../../../pipelines/index/methodology.ts'
import { METHODOLOGY_TEXT_SHA256, SECOND_METHODOLOGY_TEXT_SHA256 } from '../../../pipelines/index/methodology-text.ts'
import {
  PARAMETER_KINDS,
  PARAMETER_SHEET,
  resolveParameters,
  SECOND_TEXT_PARAMETERS,
} from '../../../pipelines/index/parameters.ts'
import { canonicalJson, contentHash } from '../../../primitives/canonical-json.ts'
import { FINALITY_CONFLICT, STATE_REASONS } from '../../../vocabulary/index-level.ts'
import { ROOT } from '../../support/source-files.ts'

const FIRST_NAMES = Object.keys(PARAMETER_SHEET).filter(
  (name) => !(SECOND_TEXT_PARAMETERS as readonly string[]).includes(name),
)
const TEXTS = [
  { path: 'docs/methodology/index-1.md', sha256: METHODOLOGY_TEXT_SHA256, names: FIRST_NAMES },
  { path: 'docs/methodology/index-2.md', sha256: SECOND_METHODOLOGY_TEXT_SHA256, names: Object.keys(PARAMETER_SHEET) },
]

describe.each(TEXTS)('$path', ({ path, sha256, names }) => {
  const bytes = readFileSync(join(ROOT, path))
  const text = bytes.toString('utf8')

  /** Rows of the table below a header line: cells without their backticks. */
  function tableAfter(header: string): string[][] {
    const lines = text.split('\n')
    const start = lines.indexOf(header)
    expect(start, `${path} has the table ${header}`).toBeGreaterThan(0)
    const rows = lines.slice(start + 2)
    const end = rows.findIndex((line) => !line.startsWith('|'))
    return rows.slice(0, end).map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.replaceAll('`', '')),
    )
  }

  test('has the hash that the code carries', () => {
    const how = `${path} has changed. Leave it as it was and write the next text beside it, unless no methodology names it yet.`
    expect(createHash('sha256').update(bytes).digest('hex'), how).toBe(sha256)
  })

  test('has a parameter sheet of exactly its names, in the order of the code, with kind and default', () => {
    const sheet = Object.entries(PARAMETER_SHEET).map(([name, row]) => [
      name,
      typeof row.kind === 'string' ? row.kind : row.kind.join(' or '),
      row.default ?? 'off',
    ])
    const rows = tableAfter('| name | kind | default | meaning |')
    expect(rows.map((cells) => cells.slice(0, 3))).toEqual(sheet.filter(([name]) => names.includes(name!)))
    for (const cells of rows) {
      expect(cells).toHaveLength(4)
      expect(cells[3]).toMatch(/\((\d+)(, \d+)?\)$/)
    }
  })

  test('explains every kind as the code does', () => {
    const kinds = Object.entries(PARAMETER_KINDS).map(([name, { allowed }]) => [name, allowed])
    expect(tableAfter('| kind | allowed |')).toEqual(kinds)
  })

  test('uses every name in a rule before the sheet, but those of the arithmetic', () => {
    const rules = text.slice(0, text.indexOf('## 18. Parameters'))
    const unused = names.filter((name) => !rules.includes(`\`${name}\``))
    expect(unused).toEqual(['calc.precision', 'calc.rounding'])
  })

  test('is a whole: sections count up, references point to one', () => {
    const numbers = [...text.matchAll(/^## (\d+)\. /gm)].map((match) => Number(match[1]))
    expect(numbers).toEqual(numbers.map((_, i) => i + 1))
    const referred = [...text.matchAll(/\b[Ss]ections? (\d+)/g)].map((match) => Number(match[1]))
    expect(referred.filter((number) => !numbers.includes(number))).toEqual([])
  })
})

test('the second text names every reason that a state has of its own', () => {
  const text = readFileSync(join(ROOT, 'docs/methodology/index-2.md'), 'utf8')
  const own = STATE_REASONS.filter((reason) => reason !== 'COVERAGE_OR_FALLBACK')
  expect([...own, FINALITY_CONFLICT].filter((reason) => !text.includes(`\`${reason}\``))).toEqual([])
})

describe('content hash', () => {
  const defaults = resolveParameters({})
  const hash = (given: Record<string, string>) => methodologyHash(resolveParameters(given))

  test('covers exactly the parameters and the text', () => {
    const document = canonicalJson({ parameters: defaults, text_sha256: METHODOLOGY_TEXT_SHA256 })
    expect(methodologyHash(defaults)).toBe(`sha256:${createHash('sha256').update(document).digest('hex')}`)
    expect(document.startsWith('{"parameters":{"admission.grace":"PT5S",')).toBe(true)
  })

  test('is that of the text whose parameters it writes', () => {
    const texts = resolveParameters({ 'pool.finality': 'any' })
    expect(methodologyTextOf(texts)).toBe(SECOND_METHODOLOGY_TEXT_SHA256)
    expect(methodologyHash(texts)).toBe(contentHash({ parameters: texts, text_sha256: SECOND_METHODOLOGY_TEXT_SHA256 }))
    expect(hash({ 'pool.finality': 'any' })).toBe(hash({ 'pool.finality': 'any', settle_from: 'source_at' }))
    expect(hash({ 'pool.finality': 'any' })).not.toBe(hash({}))
  })

  test('of a methodology of the first text never changes', () => {
    expect(hash({})).toBe('sha256:58fffbab5ed82c24671a53570d68f71e7f50fe80c81f678ce9bc448a1c4136f1')
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
