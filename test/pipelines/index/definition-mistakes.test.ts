import '../../support/fast-check.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeDefinition } from '../../../pipelines/index/definition.ts'
import { inertFields } from '../../../pipelines/index/inert-fields.ts'
import { inspectDefinition, parseDefinition } from '../../../pipelines/index/parse-definition.ts'
import { versionOf, versionRecord } from '../../../pipelines/index/version-record.ts'
import { definitionFile } from '../../support/index-world.ts'
import { refusal } from '../../support/refusal.ts'

const TEXT = `index:
  index_id: idx_demo
  slug: demo
  symbol: DEMO
  name: Demo
  base_date: 2026-01-01T00:00:00Z
methodology:
  methodology_id: mth_demo
  version: "1"
  name: Demo
  parameters:
    restate.bp: "10"
    outlier.k: "5"
versions:
  - version: "1"
    effective_from: 2026-01-01T00:00:00Z
    calculation_frequency: PT1M
    fixing: { at: "16:00" }
    constituents:
      - constituent_id: con_a
        venue_id: v
        source_market_id: a
        target_weight: "0.6"
        normalization: inverse
      - constituent_id: con_b
        target_weight: "0.4"
        normalization: logodds_pool
        legs:
          - { venue_id: v, source_market_id: b, pool_weight: "1" }
          - { venue_id: w, source_market_id: b }
  - version: "2.1"
    effective_from: 2026-02-01T00:00:00Z
    calculation_frequency: PT1M
    constituents:
      - { constituent_id: con_a, venue_id: v, source_market_id: a, target_weight: "1" }
`

/** A mistake in one line: the text written instead, and how its sentence begins. */
type Edit = { readonly was: string; readonly is: string; readonly says: string }
const FORM: readonly Edit[] = [
  {
    was: '  symbol: DEMO',
    is: '  symbl: DEMO',
    says: 'index.symbl is not a key of a definition (did you mean symbol?); ',
  },
  {
    was: '    calculation_frequency: PT1M\n    fixing',
    is: '    calculation_frequency: 60\n    fixing',
    says: 'versions[1].calculation_frequency is "60"; ',
  },
  {
    was: 'normalization: inverse',
    is: 'normalization: inverted',
    says: 'versions[1].constituents[0].normalization is "inverted" (did you mean inverse?); ',
  },
  {
    was: 'pool_weight: "1"',
    is: 'poolweight: "1"',
    says: 'versions[1].constituents[1].legs[0].poolweight is not a key of a definition (did you mean pool_weight?); ',
  },
  {
    was: 'effective_from: 2026-02-01T00:00:00Z',
    is: 'effective_from: February',
    says: 'versions[2.1].effective_from is "February"; ',
  },
]
const RULES: readonly Edit[] = [
  { was: '    restate.bp: "10"', is: '    restate.bp: "-10"', says: 'methodology.parameters.restate.bp is "-10"; ' },
  {
    was: '    outlier.k: "5"',
    is: '    outlier.kk: "5"',
    says: 'methodology.parameters.outlier.kk is not a parameter (did you mean outlier.k?); ',
  },
  { was: 'at: "16:00"', is: 'at: "16:00:30"', says: 'versions[1].fixing.at is "16:00:30"; ' },
  {
    was: 'target_weight: "0.6"',
    is: 'target_weight: "1.6"',
    says: 'versions[1].constituents[0].target_weight is "1.6"; ',
  },
  { was: 'pool_weight: "1"', is: 'pool_weight: "0"', says: 'versions[1].constituents[1].legs[0].pool_weight is "0"; ' },
  {
    was: 'effective_from: 2026-02-01T00:00:00Z',
    is: 'effective_from: 2026-02-30T00:00:00Z',
    says: 'versions[2.1].effective_from is "2026-02-30T00:00:00Z"; ',
  },
]

const lineOf = (edit: Edit) => TEXT.slice(0, TEXT.indexOf(edit.was)).split('\n').length
const withEdits = (edits: readonly Edit[]) => edits.reduce((text, { was, is }) => text.replace(was, is), TEXT)
const refusalOf = (text: string) => {
  try {
    parseDefinition(text, 'demo.yaml')
  } catch (error) {
    return error as Error
  }
  throw new Error('was accepted')
}

test('the text itself is a definition', () => {
  expect(parseDefinition(TEXT, 'demo.yaml').versions).toHaveLength(2)
})

test.each([
  ['of form', FORM],
  ['of rules', RULES],
] as const)('mistakes %s are all named at once, each with its line', (_, edits) => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...edits], { minLength: 1 }), (chosen) => {
      const { message } = refusalOf(withEdits(chosen))
      const wanted = chosen.map((edit) => ({ line: lineOf(edit), says: edit.says })).sort((a, b) => a.line - b.line)
      if (chosen.length === 1) {
        expect(message.startsWith(`demo.yaml:${wanted[0]!.line}: ${wanted[0]!.says}`)).toBe(true)
        return
      }
      const [head, ...lines] = message.split('\n')
      expect(head).toBe(`demo.yaml has ${chosen.length} mistakes:`)
      expect(lines).toHaveLength(chosen.length)
      wanted.forEach(({ line, says }, i) => {
        expect(lines[i]!.startsWith(`  demo.yaml:${line}: ${says}`), lines[i]).toBe(true)
      })
    }),
    { numRuns: 25 },
  )
})

test('of very many mistakes the first twenty are listed', () => {
  const constituents = Array.from({ length: 30 }, (_, n) => ({ constituent_id: `con_${n}`, target_weight: '0' }))
  const { message } = refusalOf(JSON.stringify(definitionFile(constituents), null, 1))
  expect(message.split('\n')[0]).toBe('demo.yaml has 30 mistakes:')
  expect(message.split('\n').at(-1)).toBe('  and 10 more')
})

describe('fields without an effect', () => {
  const leg = (venue_id: string, rest: object = {}) => ({ venue_id, source_market_id: 'm', ...rest })
  const plain = { constituent_id: 'con_a', target_weight: '1' }
  const pool = { ...plain, normalization: 'logodds_pool' as const, legs: [leg('v', { pool_weight: '2' }), leg('w')] }
  const set = { ...plain, normalization: 'multi_outcome_sum_to_one' as const, outcome: 'A' }
  const said = (part: object) => {
    const { versions } = decodeDefinition(definitionFile([part]))
    return inertFields(versions).map(({ fault }) => fault.message.replace(/;.*/, ''))
  }
  const at = 'versions[1].constituents[0]'

  test.each<[string, object, string[]]>([
    ['a pool weight of a plain constituent', { ...plain, pool_weight: '2' }, [`${at}.pool_weight is "2"`]],
    ['a pool weight beside the legs', { ...pool, pool_weight: '2' }, [`${at}.pool_weight is "2"`]],
    ['an outcome beside the legs', { ...pool, outcome: 'NO' }, [`${at}.outcome is "NO"`]],
    [
      'a pool weight of a set of names',
      { ...set, outcomes: ['A', 'B'], pool_weight: '2' },
      [`${at}.pool_weight is "2"`],
    ],
    ['a pool weight of a set with legs', { ...set, outcomes: ['A', leg('w')], pool_weight: '2' }, []],
    ['pool weights of legs', pool, []],
    ['none', plain, []],
  ])('%s', (_name, part, expected) => {
    expect(said(part)).toEqual(expected)
  })

  test('a published version that has one stays readable', () => {
    const { index, methodology, versions } = decodeDefinition(definitionFile([{ ...plain, pool_weight: '2' }]))
    const row = versionRecord(versions[0]!, null)
    expect(versionOf(row, index, methodology).version.constituents).toHaveLength(1)
  })
})

test('a word that is near no other has no hint', () => {
  const { message } = refusal('VALIDATION_DEFINITION_INVALID', () =>
    parseDefinition(TEXT.replace('  slug: demo', '  slug: demo\n  zzz: 1'), 'demo.yaml'),
  )
  expect(message).toMatch(/^demo\.yaml:4: index\.zzz is not a key of a definition; allowed here: /)
})

describe('mistakes of one round', () => {
  const linesOf = (text: string) =>
    refusalOf(text)
      .message.split('\n')
      .slice(1)
      .map((line) => line.trim().replace(/;.*/, ''))

  test('a wrong sum, a doubled name, an early start, a doubled id and a wrong leg are all named', () => {
    const text = TEXT.replace('"2.1"', '"1"')
      .replace('2026-02-01', '2025-02-01')
      .replace('"0.4"', '"0.5"')
      .replace('con_b', 'con_a')
      .replace('pool_weight: "1"', 'pool_weight: "0"')
    expect(linesOf(text)).toEqual([
      'demo.yaml:19: versions[#0].constituents target_weight is "1.1"',
      'demo.yaml:25: versions[#0].constituents[1].constituent_id is "con_a"',
      'demo.yaml:29: versions[#0].constituents[1].legs[0].pool_weight is "0"',
      'demo.yaml:31: versions[#1].version is "1"',
      'demo.yaml:32: versions[#1].effective_from is "2025-02-01T00:00:00Z"',
    ])
  })

  test('of versions that share a name, the line is that of the faulty one, in rules and in form', () => {
    const doubled = TEXT.replace('"2.1"', '"1"')
    expect(linesOf(doubled.replace('target_weight: "1" }', 'target_weight: "2" }'))).toEqual([
      'demo.yaml:31: versions[#1].version is "1"',
      'demo.yaml:35: versions[#1].constituents[0].target_weight is "2"',
    ])
    expect(refusalOf(doubled.replace('2026-02-01', 'February')).message).toMatch(
      /^demo\.yaml:32: versions\[#1\]\.effective_from is /,
    )
  })

  test('what could be decoded is kept for further checks, with its paths', () => {
    const inspected = inspectDefinition(TEXT.replace('"0.6"', '"1.6"'), 'demo.yaml')
    const drafts = inspected.definition === null ? inspected.draft.versions : []
    expect(drafts.map(({ places }) => places)).toEqual([
      ['versions[1].constituents[1]'],
      ['versions[2.1].constituents[0]'],
    ])
  })
})
