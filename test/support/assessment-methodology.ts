import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { CodedMethodology } from '../../operations/review/assessment-methodology.ts'

/** Compares a methodology's text with the code: its hash, its parameter table both ways, and that every parameter has a rule. */
export function expectCoded({ document, text_sha256, parameters }: CodedMethodology): void {
  const bytes = readFileSync(document)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(
    text_sha256,
    `${document.pathname} has changed: the next text of a methodology that is in use stands beside it`,
  ).toBe(sha256)
  const text = bytes.toString('utf8')
  const rows = [...text.matchAll(/^\| `([\w.]+)` \| (.+) \|$/gm)].map(([, name, value]) => [name, value])
  expect(rows).toEqual(Object.entries(parameters))
  const rules = text.slice(0, text.indexOf('Parameters\n| name'))
  const roots = Object.keys(parameters).map((name) => name.replace(/^(components|weights)\.\w+/, '$1.<name>'))
  const ruled = (name: string) => rules.includes(`\`${name}`) || rules.includes(`\`${name.split('.')[0]}\``)
  expect([...new Set(roots)].filter((name) => !ruled(name))).toEqual([])
  const numbers = [...text.matchAll(/^## (\d+)\. /gm)].map((match) => Number(match[1]))
  expect(numbers).toEqual(numbers.map((_, i) => i + 1))
}
