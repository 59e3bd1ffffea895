import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AssessmentFacts, currentAssessment } from '../../../pipelines/review/current-assessment.ts'
import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { ASSESSMENT_KINDS, REVIEW_STATES } from '../../../vocabulary/review.ts'
import { type MemoryDatabase, openMemoryDatabase, readRows } from '../../../warehouse/duckdb/memory-database.ts'
import { inForceSql } from '../../../warehouse/read/in-force-sql.ts'
import { SEED } from '../../support/seed.ts'
import { sized } from '../../support/sized.ts'

let database: MemoryDatabase
beforeAll(async () => {
  database = await openMemoryDatabase({ threads: '1' })
})
afterAll(() => database.close())

type Found = AssessmentFacts & { readonly subject: string }
type Draft = Omit<Found, 'subject' | 'record_id' | 'revision' | 'row_ordinal' | 'chain_id'> & { readonly chain: number }
/** Records of one subject, and the instant of the question. */
type Case = { readonly records: readonly Found[]; readonly at: Micros }

/** Few instants, so that most records are equal in one key of the order or another. */
const instant = fc.integer({ min: 0, max: 1 })
const draft: fc.Arbitrary<Draft> = fc.record({
  chain: fc.nat(3),
  kind: fc.constantFrom('model' as const, 'model' as const, 'model' as const, ...ASSESSMENT_KINDS),
  review_state: fc.constantFrom('approved' as const, 'approved' as const, 'approved' as const, ...REVIEW_STATES),
  effective_from: instant,
  effective_to: fc.option(fc.integer({ min: 1, max: 5 }), { freq: 3 }),
  published_at: instant,
  overrides: fc.constantFrom(false, false, false, true),
})
const drafts = fc.record({ all: fc.array(draft, { minLength: 1, maxLength: 9 }), at: fc.integer({ min: 1, max: 4 }) })

/** Numbers the records of each chain. */
function caseOf(all: readonly Draft[], at: Micros, n: number): Case {
  const revisions = new Map<number, number>()
  const records = all.map(({ chain, ...facts }, row_ordinal) => {
    const revision = (revisions.get(chain) ?? 0) + 1
    revisions.set(chain, revision)
    const [subject, chain_id] = [`s${n}`, `s${n}c${chain}`]
    return { ...facts, subject, chain_id, record_id: `${chain_id}.${revision}`, revision, row_ordinal }
  })
  return { records, at }
}

const literal = (at: Micros | null) => (at === null ? 'null::timestamptz' : `timestamptz '${formatMicros(at)}'`)
const valuesOf = (one: Found, at: Micros) => {
  const texts = [one.record_id, one.chain_id, one.subject, one.review_state].map((text) => `'${text}'`)
  const instants = [one.effective_from, one.effective_to, one.published_at, at].map(literal)
  const override = one.overrides ? "'yes'" : 'null::varchar'
  return `(${[...texts, ...instants, one.revision, one.row_ordinal, `{'kind': '${one.kind}'}`, override].join(', ')})`
}
const COLUMNS = 'record_id, chain_id, subject, review_state, effective_from, effective_to, published_at, asked_at'

/** Answers of the statement by subject. @param at the instant as SQL: a literal, or the column that has it */
async function byStatement(cases: readonly Case[], at: string): Promise<Map<string, string>> {
  const values = cases.flatMap((one) => one.records.map((record) => valuesOf(record, one.at))).join(', ')
  const heads = `(
    select *
    from (values ${values}) as r (${COLUMNS}, revision, row_ordinal, issuer, "override")
    where published_at <= ${at}
    qualify row_number() over (partition by chain_id order by revision desc) = 1
  )`
  const sql = inForceSql({ columns: 'subject, record_id', heads, subject: 'subject', at })
  const rows = await readRows(database.connection, sql)
  return new Map(rows.map(({ subject, record_id }) => [String(subject), String(record_id)]))
}

test('the statement and the pure rule choose one record, whatever is equal and in whatever order it is given', async () => {
  const cases = fc
    .sample(drafts, { numRuns: sized(150, 4_000), seed: SEED })
    .map(({ all, at }, n) => caseOf(all, at, n))
  const by_column = await byStatement(cases, 'asked_at')
  const by_literal = await byStatement(cases, literal(1))
  let tied = 0
  for (const [n, { records, at }] of cases.entries()) {
    const given = n % 2 === 0 ? records : records.toReversed()
    const found = currentAssessment(given, at)
    expect(by_column.get(`s${n}`) ?? null, JSON.stringify(records)).toBe(found?.record_id ?? null)
    expect(by_literal.get(`s${n}`) ?? null).toBe(currentAssessment(given, 1)?.record_id ?? null)
    const keyOf = ({ overrides, kind, effective_from, published_at }: Found) =>
      `${[overrides, kind, effective_from, published_at]}`
    if (found !== null && records.filter((one) => keyOf(one) === keyOf(found)).length > 1) tied += 1
  }
  expect(by_column.size).toBeGreaterThan(cases.length / 2)
  expect(tied).toBeGreaterThan(cases.length / 10)
})
