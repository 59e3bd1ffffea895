import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RATING_SUBJECT } from '../../../operations/rating/rating-subject.ts'
import { expireOverrides, moveRecord, proposeOverride, upholdDispute } from '../../../operations/review/review.ts'
import { SEVERITY_SUBJECT } from '../../../operations/severity/severity-subject.ts'
import { type AssessmentFacts, currentAssessment } from '../../../pipelines/review/current-assessment.ts'
import type { ReviewSubject } from '../../../pipelines/review/subject.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import { formatMicros, MICROS_PER_DAY, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { Band } from '../../../vocabulary/rating.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { assessedRow, modelRow, type Person, person, portsOf, publishRecords } from '../../support/review-world.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/**
 * Random histories of a market's and of an event's records, done by the operations over a real warehouse, beside a slow model that keeps nothing but
 * who said what when: one entry a record with all its states. At every instant the public view, the pure rule and the slow model
 * give the same record, and what one of them refuses the other refuses.
 */
const HISTORIES = sized(1, 10)
const STEPS = 14
const START = toMicros('2025-01-01T00:00:00Z')

/** Subject under review; the rules are the same for each kind. */
type Reviewed = {
  readonly subject: ReviewSubject
  readonly grades: readonly string[]
  /** A record by the program. */
  readonly made: (subject_id: string, grade: string, at: Micros) => Row
}
const RATINGS: Reviewed = {
  subject: RATING_SUBJECT,
  grades: ['MR1', 'MR2', 'MR3', 'MR4', 'MR5'],
  made: (market_id, band, at) => modelRow(market_id, band as Band, at),
}
const ASSESSMENTS: Reviewed = {
  subject: SEVERITY_SUBJECT,
  grades: ['SEV-1', 'SEV-2', 'SEV-3', 'SEV-4', 'UNKNOWN'],
  made: (event_id, level, at) => assessedRow(event_id, level, at),
}

const people = [
  person('analyst', 'analyst'),
  person('member_a', 'committee'),
  person('member_b', 'committee'),
  person('observer', 'observer'),
]
const folder = tempFolder()
let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
})
afterAll(() => warehouse.close())

/** The slow model's record. */
type Entry = {
  readonly grade: string
  readonly rank: number
  readonly from: Micros
  readonly to: Micros | null
  readonly is_override: boolean
  readonly proposer: string | null
  readonly states: { readonly at: Micros; readonly state: string; readonly id: string; readonly filer: string | null }[]
}

const stateAt = (entry: Entry, at: Micros) => entry.states.filter((one) => one.at <= at).at(-1)
const inForce = (entries: readonly Entry[], at: Micros): Entry | null => {
  const counting = entries.filter((entry) => {
    const state = stateAt(entry, at)?.state
    return (state === 'approved' || state === 'disputed') && entry.from <= at && (entry.to === null || at < entry.to)
  })
  let best: Entry | null = null
  for (const entry of counting) if (best === null || isBefore(entry, best, at)) best = entry
  return best
}
const isBefore = (a: Entry, b: Entry, at: Micros): boolean => {
  if (a.is_override !== b.is_override) return a.is_override
  if (a.rank !== b.rank) return a.rank < b.rank
  if (a.from !== b.from) return a.from > b.from
  return stateAt(a, at)!.at > stateAt(b, at)!.at
}

type Step = {
  readonly kind: number
  readonly who: number
  readonly target: number
  readonly grade: number
  readonly days: number
}
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.nat(8),
  who: fc.nat(3),
  target: fc.nat(30),
  grade: fc.nat(4),
  days: fc.integer({ min: 1, max: 6 }),
})

const ROLES = [['analyst'], ['committee'], ['committee'], ['observer']]
const KINDS = [
  'model',
  'override',
  'approve',
  'dispute',
  'reject_dispute',
  'uphold_dispute',
  'withdraw',
  'return',
  'expire',
] as const
const NEXT: Record<string, Record<string, string>> = {
  approve: { under_review: 'approved' },
  dispute: { approved: 'disputed' },
  reject_dispute: { disputed: 'approved' },
  uphold_dispute: { disputed: 'superseded' },
  return: { under_review: 'draft' },
  withdraw: { draft: 'withdrawn', under_review: 'withdrawn', approved: 'withdrawn', disputed: 'withdrawn' },
}

let world = 0

async function play(
  of: Reviewed,
  steps: readonly Step[],
  base: Micros,
): Promise<{ entries: Entry[]; subject_id: string; refused: number }> {
  const subject_id = `${of.subject.table === 'market_rating' ? 'mkt' : 'evt'}_world${world}`
  const idOf = (row: Row) => String(row[of.subject.id_field])
  const entries: Entry[] = []
  let refused = 0
  const add = (entry: Omit<Entry, 'states'>, at: Micros, state: string, id: string) =>
    entries.push({ ...entry, states: [{ at, state, id, filer: null }] })
  for (const [n, { kind: which, who, target, grade: place, days }] of steps.entries()) {
    const at = base + n * MICROS_PER_DAY
    const kind = n === 0 ? 'model' : KINDS[which]!
    const by = people[who]!
    const name = by.member.actor_id
    const grade = of.grades[place]!
    if (kind === 'model') {
      const row = of.made(subject_id, grade, at)
      await publishRecords(warehouse, of.subject.table, [row], at)
      add({ grade, rank: 2, from: at, to: null, is_override: false, proposer: null }, at, 'approved', idOf(row))
      continue
    }
    if (kind === 'expire') {
      await expireAll(of, entries, at)
      continue
    }
    const entry = entries[target % entries.length]!
    const head = entry.states.at(-1)!
    const committee = ROLES[who]!.includes('committee')
    if (kind === 'override') {
      const expires = at + days * MICROS_PER_DAY
      const allowed = name !== 'observer' && (head.state === 'approved' || head.state === 'disputed')
      const done = await attempt(() => override(of, by, at, head.id, grade, expires), allowed)
      if (done === null) refused += 1
      else {
        const id = idOf(done.records[0]!)
        add({ grade, rank: 0, from: at, to: expires, is_override: true, proposer: name }, at, 'under_review', id)
      }
      continue
    }
    const next = NEXT[kind]![head.state]
    const own = entry.proposer === name
    const withdrawsOwn = kind === 'withdraw' && own && (head.state === 'draft' || head.state === 'under_review')
    const judged = ['approve', 'return', 'reject_dispute', 'uphold_dispute'].includes(kind) && own
    const filed = ['reject_dispute', 'uphold_dispute'].includes(kind) && head.filer === name
    const ended = kind === 'approve' && entry.to !== null && entry.is_override && at >= entry.to
    const role = kind === 'dispute' || committee || withdrawsOwn
    const allowed = next !== undefined && role && !judged && !filed && !ended
    const done = await attempt(() => move(of, kind, by, at, head.id, grade), allowed)
    if (done === null) {
      refused += 1
      continue
    }
    const filer = kind === 'dispute' ? name : head.filer
    entry.states.push({ at, state: next!, id: idOf(done.records[0]!), filer })
    if (kind === 'uphold_dispute') {
      const id = idOf(done.records[1]!)
      add({ grade, rank: 0, from: at, to: null, is_override: false, proposer: name }, at, 'approved', id)
    }
  }
  return { entries, subject_id, refused }
}

async function attempt<T>(work: () => Promise<T>, allowed: boolean): Promise<T | null> {
  try {
    const done = await work()
    expect(allowed, 'the slow model refuses what was done').toBe(true)
    return done
  } catch (error) {
    if (!isServiceError(error)) throw error
    expect(allowed, `the slow model does what was refused: ${error.message}`).toBe(false)
    return null
  }
}

function override(of: Reviewed, by: Person, at: Micros, record_id: string, grade: string, expires: Micros) {
  return proposeOverride(of.subject, portsOf(warehouse, people, by, at), {
    record_id,
    proposed_value: grade,
    reason_code: 'TEST',
    narrative: 'random',
    starts_at: null,
    expires_at: formatMicros(expires),
  })
}

function move(
  { subject }: Reviewed,
  kind: Exclude<(typeof KINDS)[number], 'model' | 'expire' | 'override'>,
  by: Person,
  at: Micros,
  record_id: string,
  grade: string,
) {
  const ports = portsOf(warehouse, people, by, at)
  if (kind === 'uphold_dispute') return upholdDispute(subject, ports, { record_id, grade, text: 'random', until: null })
  return moveRecord(subject, ports, { act: kind, record_id, text: 'random' })
}

/** The service's expiry beside the slow model's, for the overrides that had ended. */
async function expireAll({ subject }: Reviewed, entries: Entry[], at: Micros): Promise<void> {
  const ended = entries
    .filter((entry) => entry.is_override && entry.states.at(-1)!.state === 'approved' && entry.to! <= at)
    .sort((a, b) => a.to! - b.to! || (a.states.at(-1)!.id < b.states.at(-1)!.id ? -1 : 1))
  const done = await expireOverrides(subject, { warehouse, at })
  expect(done.length).toBe(ended.length)
  for (const [n, entry] of ended.entries()) {
    const [superseded, restored] = done[n]!.records
    const stamp = at + n * 1000
    entry.states.push({ at: stamp, state: 'superseded', id: String(superseded![subject.id_field]), filer: null })
    const models = entries.filter(({ rank, is_override }) => rank === 2 && !is_override)
    const base = latestModel(models, entry.to!)
    expect(restored?.[subject.grade_field] ?? null).toBe(base?.grade ?? null)
    if (base === null) continue
    const id = String(restored![subject.id_field])
    const made = { grade: base.grade, rank: 2, from: entry.to!, to: null, is_override: false, proposer: null }
    entries.push({ ...made, states: [{ at: stamp, state: 'approved', id, filer: null }] })
  }
}

/** Returns the model record in force at an instant, among those that count now. */
function latestModel(models: readonly Entry[], at: Micros): Entry | null {
  let best: Entry | null = null
  for (const entry of models) {
    const newest = entry.states.at(-1)!
    if (!['approved', 'disputed'].includes(newest.state) || entry.from > at) continue
    const isLater =
      best === null || entry.from > best.from || (entry.from === best.from && newest.at >= best.states.at(-1)!.at)
    if (isLater) best = entry
  }
  return best
}

test.each([
  ['ratings', RATINGS],
  ['assessments', ASSESSMENTS],
])(
  '%s: at every instant the view, the pure rule and the slow model give one record',
  async (_name, of) => {
    let [answers, overrides, refusals] = [0, 0, 0]
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
        world += 1
        const base = START + world * 40 * MICROS_PER_DAY
        const { entries, subject_id, refused } = await play(of, steps, base)
        refusals += refused
        overrides += entries.filter(({ is_override }) => is_override).length
        for (let n = -1; n <= STEPS + 6; n += 1) {
          const at = base + n * MICROS_PER_DAY + MICROS_PER_DAY / 2
          const wanted = inForce(entries, at)
          const wanted_id = wanted === null ? null : stateAt(wanted, at)!.id
          const { view_id, facts } = await readAt(of, subject_id, at)
          expect(view_id, `${subject_id} at ${formatMicros(at)}`).toBe(wanted_id)
          expect(currentAssessment(facts, at)?.record_id ?? null).toBe(wanted_id)
          answers += 1
        }
      }),
      { numRuns: HISTORIES, endOnFailure: true },
    )
    expect(answers).toBe(HISTORIES * (STEPS + 8))
    expect(overrides + refusals, 'overrides, and acts that are refused').toBeGreaterThan(1)
  },
  300_000,
)

async function readAt(
  { subject }: Reviewed,
  subject_id: string,
  at: Micros,
): Promise<{ view_id: string | null; facts: AssessmentFacts[] }> {
  const { table, id_field, subject_field } = subject
  const session = await openReadSession(warehouse, { as_of: at, tables: [table], pin: false })
  try {
    const [row] = await session.query(`select ${id_field} from ${table} where ${subject_field} = $subject_id`, {
      subject_id,
    })
    const columns = `${id_field}, chain_id, revision, issuer, review_state, effective_from, effective_to, published_at, row_ordinal, override`
    const history = `select ${columns} from ${table}_history where ${subject_field} = $subject_id`
    const rows = await session.query(history, { subject_id })
    const facts = rows.map((one) => ({
      record_id: String(one[id_field]),
      chain_id: String(one.chain_id),
      revision: one.revision as number,
      kind: (one.issuer as { kind: AssessmentFacts['kind'] }).kind,
      review_state: one.review_state as AssessmentFacts['review_state'],
      effective_from: toMicros(one.effective_from),
      effective_to: one.effective_to === null ? null : toMicros(one.effective_to),
      published_at: toMicros(one.published_at),
      row_ordinal: one.row_ordinal as number,
      overrides: one.override !== null,
    }))
    return { view_id: row === undefined ? null : String(row[id_field]), facts }
  } finally {
    await session.close()
  }
}
