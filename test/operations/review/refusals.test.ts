import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { RATING_SUBJECT } from '../../../operations/rating/rating-subject.ts'
import { submitRating } from '../../../operations/rating/submit-rating.ts'
import { listRefusals } from '../../../operations/review/list-refusals.ts'
import { performSignedAct } from '../../../operations/review/perform-signed-act.ts'
import { expireOverrides, moveRecord, proposeOverride } from '../../../operations/review/review.ts'
import { isSignedBy } from '../../../operations/review/signing.ts'
import { SEVERITY_SUBJECT } from '../../../operations/severity/severity-subject.ts'
import { submitForecast } from '../../../operations/severity/submit-forecast.ts'
import { signedText } from '../../../pipelines/review/acts.ts'
import type { ReviewSubject } from '../../../pipelines/review/subject.ts'
import { formatMicros, MICROS_PER_DAY } from '../../../primitives/instants.ts'
import { RATING_COMPONENTS } from '../../../vocabulary/rating.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { refusalOf } from '../../support/refusal.ts'
import { modelRow, type Person, person, portsOf, publishRatings, rosterOfPeople } from '../../support/review-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const analyst = person('analyst', 'analyst', 'committee')
const member = person('member', 'committee')
const other_member = person('other_member', 'committee')
const observer = person('observer', 'observer')
const people = [analyst, member, other_member, observer]
let warehouse: Warehouse
let now: number

beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  now = await warehouse.now()
})
afterAll(() => warehouse.close())

const by = (who: Person) => portsOf(warehouse, people, who)
const refusals = (subject: ReviewSubject = RATING_SUBJECT) => listRefusals(subject, { as_of: null, warehouse })
const rated = async (market_id: string) => {
  const row = { ...modelRow(market_id, 'MR2', now - MICROS_PER_DAY), score: '75.00' }
  await publishRatings(warehouse, [row], (await warehouse.now()) - 1)
  return row.rating_id
}
const approve = (who: Person, record_id: string) =>
  moveRecord(RATING_SUBJECT, by(who), { act: 'approve', record_id, text: null })
const override = (who: Person, record_id: string) =>
  proposeOverride(RATING_SUBJECT, by(who), {
    ...{ record_id, proposed_value: 'MR3', reason_code: 'TEST', narrative: 'a test', starts_at: null },
    expires_at: formatMicros(now + 5 * MICROS_PER_DAY),
  })

/** The refusal of `work`, which is recorded last, as the actor was told, signed by them. */
async function recorded(subject: ReviewSubject, who: Person, work: () => Promise<unknown>) {
  const before = await refusals(subject)
  const { code, message } = await refusalOf(work())
  const [last, ...earlier] = await refusals(subject)
  expect(earlier).toEqual(before)
  expect(last).toMatchObject({ subject: subject.table, actor_id: who.member.actor_id, code, message })
  const { signed_text, signature, public_key } = last as Record<string, string>
  expect(public_key).toBe(who.public_key)
  expect(isSignedBy(signed_text!, signature!, public_key!)).toBe(true)
  expect(isSignedBy(`${signed_text} `, signature!, public_key!)).toBe(false)
  return { ...last, code, text: JSON.parse(signed_text!) as Record<string, unknown> }
}

const document = (file: string, item: Record<string, string>) => {
  const evidence = RATING_COMPONENTS.map((component) =>
    JSON.stringify({ kind: 'document', component, tier: 'A', ...item }),
  )
  writeFileSync(
    join(folder, file),
    `rating: { market_id: mkt_form, kind: analyst, observation_cutoff_at: 2026-01-17T00:00:00Z, effective_from: 2026-01-17T00:00:00Z, effective_to: null, rationale: a test }
components: { resolution_clarity: null, source_reliability: null, liquidity: null, manipulation_resistance: null, data_quality: null, venue_operational_risk: null }
evidence: [${evidence.join(', ')}]
`,
  )
  return join(folder, file)
}
const source_uri = 'https://www.bls.gov/cpi'
const observed_at = '2026-01-16T00:00:00Z'
const content_hash = `sha256:${'a'.repeat(64)}`

const EVIDENCE = 'VALIDATION_EVIDENCE_INVALID'
const hosted = (item: Record<string, string>) => ({ source_uri, observed_at, content_hash, ...item })

test.for([
  ['a wrong hash', hosted({ document: 'cpi.txt' }), EVIDENCE, /^content_hash of cpi.txt is/],
  ['an unlisted host', hosted({ source_uri: 'https://elsewhere.example' }), EVIDENCE, /^source_uri of evidence is/],
  ['a date of the future', hosted({ observed_at: '2099-01-01T00:00:00Z' }), EVIDENCE, /^observed_at of evidence is/],
  ['no date', { source_uri, content_hash }, 'VALIDATION_DEFINITION_INVALID', /observed_at is missing/],
] as const)(
  'evidence with %s is refused on record, with the form as it was written',
  async ([name, item, code, why]) => {
    writeFileSync(join(folder, 'cpi.txt'), 'the document')
    const file = document(`${name}.yaml`, item)
    const found = await recorded(RATING_SUBJECT, analyst, () => submitRating(by(analyst), { file, record_id: null }))
    expect(found).toMatchObject({ code, message: expect.stringMatching(why), act: 'submit', record_id: null })
    expect(found.text.details).toMatchObject({ form: expect.stringContaining('market_id: mkt_form') })
  },
)

test('probabilities that do not sum to 1 are refused on record, among those of severity', async () => {
  const file = join(folder, 'forecast.yaml')
  const scenario = (name: string, probability: string) =>
    `{ name: ${name}, probability: "${probability}", components: { human: "20", economic: null, infrastructure: null, geographic: null, geopolitical: null, duration: null } }`
  writeFileSync(
    file,
    `forecast: { event_id: evt_form, horizon_end: 2099-12-31T00:00:00Z, window_start: 2026-07-01T00:00:00Z, window_end: null, effective_from: null, confidence: "0.5", rationale: a test }
scenarios: [${scenario('mild', '0.5')}, ${scenario('bad', '0.4')}]
evidence: []
`,
  )
  const before = await refusals()
  const found = await recorded(SEVERITY_SUBJECT, analyst, () => submitForecast(by(analyst), file))
  expect(found).toMatchObject({ act: 'submit', message: expect.stringMatching(/^scenarios is 0\.9 in all/) })
  expect(await refusals()).toEqual(before)
})

test('approvals by the proposer, without authority and twice, and overrides of what is withdrawn are refused on record', async () => {
  const rating_id = await rated('mkt_acts')
  const record_id = String((await override(analyst, rating_id)).records[0]!.rating_id)
  const on = { act: 'approve', record_id }
  const own = await recorded(RATING_SUBJECT, analyst, () => approve(analyst, record_id))
  expect(own).toMatchObject({ ...on, code: 'REVIEW_NOT_ALLOWED' })
  const unable = await recorded(RATING_SUBJECT, observer, () => approve(observer, record_id))
  expect(unable).toMatchObject({ ...on, code: 'REVIEW_NOT_ALLOWED' })
  await approve(member, record_id)
  const twice = await recorded(RATING_SUBJECT, other_member, () => approve(other_member, record_id))
  expect(twice).toMatchObject({ ...on, code: 'REVIEW_STATE_CONFLICT' })
  await moveRecord(RATING_SUBJECT, by(member), { act: 'withdraw', record_id, text: 'a test' })
  const gone = await recorded(RATING_SUBJECT, analyst, () => override(analyst, record_id))
  expect(gone).toMatchObject({ act: 'override', record_id, code: 'REVIEW_STATE_CONFLICT' })
  expect(gone.text).toMatchObject({ details: { proposed_value: 'MR3', reason_code: 'TEST' } })
})

test('of two approvals at once the one that came second is on record', async () => {
  const proposed = await override(analyst, await rated('mkt_race'))
  const record_id = String(proposed.records[0]!.rating_id)
  const ended = await Promise.allSettled([approve(member, record_id), approve(other_member, record_id)])
  expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const [last] = await refusals()
  const second = ended[0]!.status === 'rejected' ? member : other_member
  expect(last).toMatchObject({ record_id, actor_id: second.member.actor_id, code: 'REVIEW_STATE_CONFLICT' })
})

test('who is not of the roster is on record by the key alone; the service’s own act leaves none', async () => {
  const record_id = await rated('mkt_stranger')
  const stranger = person('stranger', 'committee')
  await refusalOf(approve(stranger, record_id))
  const [last] = await refusals()
  expect(last).toMatchObject({ actor_id: null, public_key: stranger.public_key, code: 'REVIEW_NOT_ALLOWED' })
  const before = await refusals()
  await expireOverrides(RATING_SUBJECT, { warehouse, at: null })
  expect(await refusals()).toEqual(before)
})

test('an act that is handed over is refused once on record, and in nobody’s name where its signature is forged', async () => {
  const record_id = await rated('mkt_handed')
  const signed_text = signedText({
    ...{ act: 'approve', subject: 'market_rating', subject_id: 'mkt_handed', record_id, details: {} },
    ...{ actor_id: 'observer', acted_at: await warehouse.now() },
  })
  const roster = rosterOfPeople(people)
  const hand = (signature: string) =>
    performSignedAct(RATING_SUBJECT, { warehouse, roster }, { signed_text, signature, public_key: observer.public_key })
  const signature = observer.signer.sign(signed_text)
  const found = await recorded(RATING_SUBJECT, observer, () => hand(signature))
  expect(found).toMatchObject({ act: 'approve', record_id, signed_text, code: 'REVIEW_NOT_ALLOWED' })
  const before = await refusals()
  await refusalOf(hand(signature))
  expect(await refusals()).toEqual(before)
  await refusalOf(hand('0'.repeat(128)))
  expect((await refusals())[0]).toMatchObject({ actor_id: null, act: 'approve', code: 'REVIEW_NOT_ALLOWED' })
  await refusalOf(hand('no signature'))
  expect((await refusals())[0]).toMatchObject({ actor_id: null, signature: 'no signature' })
})

test('the audit holds refusals to their signatures', async () => {
  const check = async () => {
    const { checks } = await auditWarehouse({ warehouse })
    return checks.find((one) => one.check === 'signed refusals')
  }
  const known = await refusals()
  expect(await check()).toMatchObject({ checked: known.length + 1, violations: 0 })
  const step = { app_id: 'forged', app_sequence: 1, stamp: { kind: 'wall' }, operation: 'TEST' } as const
  const theirs = known.find((row) => row.actor_id === 'analyst')!
  const { published_at: _at, row_ordinal: _n, ...row } = theirs
  await warehouse.append('refused_act', [{ ...row, refusal_id: 'rfs_forged', signature: '0'.repeat(128) }], step)
  expect(await check()).toMatchObject({ checked: known.length + 2, violations: 1 })
})
