import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { VALUE_COLUMNS } from '../../../pipelines/venues/forecastbench.ts'
import { parseRecord, QUARANTINE_REASONS, Quarantined } from '../../../pipelines/venues/quarantine.ts'
import { QUOTE_COLUMNS, TRADE_COLUMNS } from '../../../pipelines/venues/quotes-archive.ts'
import { InvariantError } from '../../../primitives/errors.ts'
import { ROOT } from '../../support/source-files.ts'

const docs = readFileSync(join(ROOT, 'docs/archives.md'), 'utf8')

test('docs/archives.md has exactly one row a reason, with its meaning', () => {
  const section = docs.slice(docs.indexOf('## Why a record is quarantined'), docs.indexOf('## Why a record is ignored'))
  const rows = [...section.matchAll(/^\| `([A-Z_]+)` \| (.+) \|$/gm)].map(([, reason, meaning]) => [reason, meaning])
  expect(Object.fromEntries(rows)).toEqual(QUARANTINE_REASONS)
  expect(rows).toHaveLength(Object.keys(QUARANTINE_REASONS).length)
})

test('docs/archives.md names every column of every CSV file', () => {
  for (const column of [...VALUE_COLUMNS, ...QUOTE_COLUMNS, ...TRADE_COLUMNS]) expect(docs).toContain(`\`${column}\``)
})

test('a bug inside a parser is not taken for a malformed record', () => {
  expect(parseRecord(() => 5)).toEqual({ record: 5 })
  const refuse = () => {
    throw new Quarantined('BAD_DATE')
  }
  expect(parseRecord(refuse)).toEqual({ reason: 'BAD_DATE' })
  const fail = () => {
    throw new InvariantError('a bug')
  }
  expect(() => parseRecord(fail)).toThrow(InvariantError)
})
