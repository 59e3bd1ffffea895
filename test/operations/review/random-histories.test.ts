import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RATING_SUBJECT } from '../../../operations/rating/rating-subject.ts'
import { expireOverrides, moveRecord, proposeOverride, upholdDispute } from '../../../operations/review/review.ts'
import { type AssessmentFacts, currentAssessment } from '../../../pipelines/rating/current-rating.ts'
import type { Band } from '../../../pipelines/rating/methodology.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import { formatMicros, MICROS_PER_DAY, type Micros, toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { modelRow, type Person, person, portsOf, publishRatings } from '../../support/review-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/**
 * Random histories of a market's records, done by the operations over a real warehouse, beside a slow model that keeps nothing but
 * who said what when: one entry a record with all its states. At every instant the public view, the pure rule and the slow model
 * give the same record, and what one of them refuses the other refuses.
 */
const HISTORIES = 3
const STEPS = 14
const START = toMicros('2025-01-01T00:00:00Z')
const BANDS: readonly Band[] = ['MR1', 'MR2', 'MR3', 'MR4', 'MR5']

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
  readonly band: string
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
  readonly band: number
  readonly days: number
}
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.nat(7),
  who: fc.nat(3),
  target: fc.nat(30),
  band: fc.nat(4),
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
  'expire',
] as const
const NEXT: Record<string, Record<string, string>> = {
  approve: { under_review: 'approved' },
  dispute: { approved: 'disputed' },
  reject_dispute: { disputed: 'approved' },
  uphold_dispute: { disputed: 'superseded' },
  withdraw: { draft: 'withdrawn', under_review: 'withdrawn', approved: 'withdrawn', disputed: 'withdrawn' },
}

let world = 0

async function play(
  steps: readonly Step[],
  base: Micros,
): Promise<{ entries: Entry[]; market_id: string; refused: number }> {
  const market_id = `mkt_world${world}`
  const entries: Entry[] = []
  let refused = 0
  const add = (entry: Omit<Entry, 'states'>, at: Micros, state: string, id: string) =>
    entries.push({ ...entry, states: [{ at, state, id, filer: null }] })
  for (const [n, { kind: which, who, target, band: place, days }] of steps.entries()) {
    const at = base + n * MICROS_PER_DAY
    const kind = n === 0 ? 'model' : KINDS[which]!
    const by = people[who]!
    const name = by.member.actor_id
    const band = BANDS[place]!
    if (kind === 'model') {
      const row = modelRow(market_id, band, at)
      await publishRatings(warehouse, [row], at)
      add({ band, rank: 2, from: at, to: null, is_override: false, proposer: null }, at, 'approved', row.rating_id)
      continue
    }
    if (kind === 'expire') {
      await expireAll(entries, at)
      continue
    }
    const entry = entries[target % entries.length]!
    const head = entry.states.at(-1)!
    const committee = ROLES[who]!.includes('committee')
    if (kind === 'override') {
      const expires = at + days * MICROS_PER_DAY
      const allowed = name !== 'observer' && (head.state === 'approved' || head.state === 'disputed')
      const done = await attempt(() => override(by, at, head.id, band, expires), allowed)
      if (done === null) refused += 1
      else {
        const id = String(done.records[0]!.rating_id)
        add({ band, rank: 0, from: at, to: expires, is_override: true, proposer: name }, at, 'under_review', id)
      }
      continue
    }
    const next = NEXT[kind]![head.state]
    const own = entry.proposer === name
    const withdrawsOwn = kind === 'withdraw' && own && (head.state === 'draft' || head.state === 'under_review')
    const judged = ['approve', 'reject_dispute', 'uphold_dispute'].includes(kind) && own
    const filed = ['reject_dispute', 'uphold_dispute'].includes(kind) && head.filer === name
    const ended = kind === 'approve' && entry.to !== null && entry.is_override && at >= entry.to
    const role = kind === 'dispute' || committee || withdrawsOwn
    const allowed = next !== undefined && role && !judged && !filed && !ended
    const done = await attempt(() => move(kind, by, at, head.id, band), allowed)
    if (done === null) {
      refused += 1
      continue
    }
    const filer = kind === 'dispute' ? name : head.filer
    entry.states.push({ at, state: next!, id: String(done.records[0]!.rating_id), filer })
    if (kind === 'uphold_dispute') {
      const id = String(done.records[1]!.rating_id)
      add({ band, rank: 0, from: at, to: null, is_override: false, proposer: name }, at, 'approved', id)
    }
  }
  return { entries, market_id, refused }
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

function override(by: Person, at: Micros, record_id: string, band: Band, expires: Micros) {
  return proposeOverride(RATING_SUBJECT, portsOf(warehouse, people, by, at), {
    record_id,
    proposed_value: band,
    reason_code: 'TEST',
    narrative: 'random',
    starts_at: null,
    expires_at: formatMicros(expires),
  })
}

function move(
  kind: Exclude<(typeof KINDS)[number], 'model' | 'expire' | 'override'>,
  by: Person,
  at: Micros,
  record_id: string,
  band: Band,
) {
  const ports = portsOf(warehouse, people, by, at)
  if (kind === 'uphold_dispute')
    return upholdDispute(RATING_SUBJECT, ports, { record_id, grade: band, text: 'random', until: null })
  return moveRecord(RATING_SUBJECT, ports, { act: kind, record_id, text: 'random' })
}

/** The service's expiry beside the slow model's, for the overrides that had ended. */
async function expireAll(entries: Entry[], at: Micros): Promise<void> {
  const ended = entries
    .filter((entry) => entry.is_override && entry.states.at(-1)!.state === 'approved' && entry.to! <= at)
    .sort((a, b) => a.to! - b.to! || (a.states.at(-1)!.id < b.states.at(-1)!.id ? -1 : 1))
  const done = await expireOverrides(RATING_SUBJECT, { warehouse, at })
  expect(done.length).toBe(ended.length)
  for (const [n, entry] of ended.entries()) {
    const [superseded, restored] = done[n]!.records
    const stamp = at + n * 1000
    entry.states.push({ at: stamp, state: 'superseded', id: String(superseded!.rating_id), filer: null })
    const models = entries.filter(({ rank, is_override }) => rank === 2 && !is_override)
    const base = latestModel(models, entry.to!)
    expect(restored?.band ?? null).toBe(base?.band ?? null)
    if (base === null) continue
    const id = String(restored!.rating_id)
    const made = { band: base.band, rank: 2, from: entry.to!, to: null, is_override: false, proposer: null }
    entries.push({ ...made, states: [{ at: stamp, state: 'approved', id, filer: null }] })
  }
}

/** Of the program's records that count now, the one that holds at an instant. */
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

test('at every instant the view, the pure rule and the slow model give one record', async () => {
  let [answers, overrides, refusals] = [0, 0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
      world += 1
      const base = START + world * 40 * MICROS_PER_DAY
      const { entries, market_id, refused } = await play(steps, base)
      refusals += refused
      overrides += entries.filter(({ is_override }) => is_override).length
      for (let n = -1; n <= STEPS + 6; n += 1) {
        const at = base + n * MICROS_PER_DAY + MICROS_PER_DAY / 2
        const wanted = inForce(entries, at)
        const wanted_id = wanted === null ? null : stateAt(wanted, at)!.id
        const { view_id, facts } = await readAt(market_id, at)
        expect(view_id, `${market_id} at ${formatMicros(at)}`).toBe(wanted_id)
        expect(currentAssessment(facts, at)?.record_id ?? null).toBe(wanted_id)
        answers += 1
      }
    }),
    { numRuns: HISTORIES, endOnFailure: true },
  )
  expect(answers).toBe(HISTORIES * (STEPS + 8))
  expect(overrides, 'histories with overrides').toBeGreaterThan(1)
  expect(refusals, 'acts that are refused').toBeGreaterThan(1)
}, 300_000)

async function readAt(market_id: string, at: Micros): Promise<{ view_id: string | null; facts: AssessmentFacts[] }> {
  const session = await openReadSession(warehouse, { as_of: at, tables: ['market_rating'], pin: false })
  try {
    const [row] = await session.query('select rating_id from market_rating where market_id = $market_id', { market_id })
    const rows = await session.query('select * from market_rating_history where market_id = $market_id', { market_id })
    const facts = rows.map((one) => ({
      record_id: String(one.rating_id),
      chain_id: String(one.chain_id),
      revision: one.revision as number,
      kind: (one.issuer as { kind: AssessmentFacts['kind'] }).kind,
      review_state: one.review_state as AssessmentFacts['review_state'],
      effective_from: toMicros(one.effective_from),
      effective_to: one.effective_to === null ? null : toMicros(one.effective_to),
      published_at: toMicros(one.published_at),
      overrides: one.override !== null,
    }))
    return { view_id: row === undefined ? null : String(row.rating_id), facts }
  } finally {
    await session.close()
  }
}
