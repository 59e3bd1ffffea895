import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { RATING_SUBJECT } from '../../../operations/rating/rating-subject.ts'
import { showRating } from '../../../operations/rating/read-ratings.ts'
import { finishActs } from '../../../operations/review/finish-acts.ts'
import { expireOverrides, moveRecord, proposeOverride, upholdDispute } from '../../../operations/review/review.ts'
import { isSignedBy } from '../../../operations/review/signing.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import { formatMicros, MICROS_PER_DAY, toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { refusalOf } from '../../support/refusal.ts'
import { modelRow, person, portsOf, publishRatings } from '../../support/review-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const analyst = person('analyst', 'analyst')
const member_a = person('member_a', 'committee')
const member_b = person('member_b', 'committee')
const observer = person('observer', 'observer')
const people = [analyst, member_a, member_b, observer]
const day = (date: string) => toMicros(`${date}T00:00:00Z`)
let warehouse: Warehouse

beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
})
afterAll(() => warehouse.close())

const code = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return isServiceError(error) ? error.code : String(error)
}
const bandAt = async (market_id: string, as_of: string) => {
  const { rating } = await showRating({ market_id, as_of, warehouse })
  return rating.reason_codes !== undefined && rating.rating_id === null ? 'NR' : rating.band
}

test('E24: disputed, superseded and withdrawn records as they were known', async () => {
  const chain = { chain_id: 'rch_e24', effective_from: '2026-01-01T00:00:00Z' }
  const rat_1 = { ...modelRow('mkt_e24', 'MR2', day('2026-01-01')), ...chain, rating_id: 'rat_1' }
  const reason = { revision: 2, correction_reason: 'SOURCE_CORRECTION' }
  const rat_2 = { ...rat_1, rating_id: 'rat_2', ...reason, supersedes_id: 'rat_1', band: 'MR3' }
  const rat_3 = { ...modelRow('mkt_e24', 'MR2', day('2026-01-20')), rating_id: 'rat_3' }
  const gone = { ...rat_3, rating_id: 'rat_3b', ...reason, supersedes_id: 'rat_3', review_state: 'withdrawn' }
  await publishRatings(warehouse, [rat_1], toMicros('2026-01-01T00:10:00Z'))
  await publishRatings(warehouse, [rat_2], day('2026-01-10'))
  await publishRatings(warehouse, [rat_3], day('2026-01-15'))
  await publishRatings(warehouse, [gone], day('2026-02-01'))
  const ids = []
  for (const as_of of ['2026-01-05', '2026-01-12', '2026-01-16', '2026-01-25', '2026-02-02']) {
    ids.push((await showRating({ market_id: 'mkt_e24', as_of: `${as_of}T00:00:00Z`, warehouse })).rating.rating_id)
  }
  expect(ids).toEqual(['rat_1', 'rat_2', 'rat_2', 'rat_3', 'rat_2'])
  const before = await showRating({ market_id: 'mkt_e24', as_of: '2025-12-31T00:00:00Z', warehouse })
  expect(before.rating).toMatchObject({ band: 'NR', score: null, reason_codes: ['NO_APPROVED_RATING'] })
  expect(await code(showRating({ market_id: 'mkt_absent', as_of: null, warehouse }))).toBe('MARKET_NOT_FOUND')
})

describe('an override', () => {
  const market = 'mkt_override'
  const model = modelRow(market, 'MR2', day('2026-03-01'))
  const propose = (by: typeof analyst, at: number, expires_at: string, record_id = model.rating_id) =>
    proposeOverride(RATING_SUBJECT, portsOf(warehouse, people, by, at), {
      record_id,
      proposed_value: 'MR4',
      reason_code: 'NEWS',
      narrative: 'the source is in doubt',
      starts_at: null,
      expires_at,
    })
  const approve = (by: typeof analyst, record_id: string, at: number) =>
    moveRecord(RATING_SUBJECT, portsOf(warehouse, people, by, at), { act: 'approve', record_id, text: null })

  test('waits for another member, holds while it is in force, and its expiry restores by a new record', async () => {
    await publishRatings(warehouse, [model], day('2026-03-01'))
    const proposed = await propose(analyst, day('2026-03-02'), '2026-03-10T00:00:00Z')
    const record_id = String(proposed.records[0]!.rating_id)
    expect(await bandAt(market, '2026-03-02T12:00:00Z')).toBe('MR2')
    expect(await code(approve(analyst, record_id, day('2026-03-03')))).toBe('REVIEW_NOT_ALLOWED')
    expect(await code(approve(observer, record_id, day('2026-03-03')))).toBe('REVIEW_NOT_ALLOWED')
    await approve(member_a, record_id, day('2026-03-03'))
    await publishRatings(warehouse, [modelRow(market, 'MR1', day('2026-03-04'))], day('2026-03-04'))
    expect(await bandAt(market, '2026-03-02T12:00:00Z')).toBe('MR2')
    expect(await bandAt(market, '2026-03-05T00:00:00Z')).toBe('MR4')
    expect(await code(approve(member_b, record_id, day('2026-03-05')))).toBe('REVIEW_STATE_CONFLICT')
    const expired = await expireOverrides(RATING_SUBJECT, { warehouse, at: day('2026-03-11') })
    expect(expired.map(({ records }) => records.map((row) => [row.review_state, row.band]))).toEqual([
      [
        ['superseded', 'MR4'],
        ['approved', 'MR1'],
      ],
    ])
    const { rating } = await showRating({ market_id: market, as_of: '2026-03-12T00:00:00Z', warehouse })
    expect(rating).toMatchObject({
      band: 'MR1',
      effective_from: '2026-03-10T00:00:00Z',
      reason_codes: ['OVERRIDE_EXPIRED'],
    })
    expect(rating.issuer).toMatchObject({ kind: 'model' })
    expect(await bandAt(market, '2026-03-05T00:00:00Z')).toBe('MR4')
    expect(await expireOverrides(RATING_SUBJECT, { warehouse, at: day('2026-03-12') })).toEqual([])
  })

  test('is refused for longer than 30 days, in the past, without a role, on a record that is withdrawn', async () => {
    const other = modelRow('mkt_refused', 'MR2', day('2026-03-13'))
    await publishRatings(warehouse, [other], day('2026-03-13'))
    const at = day('2026-03-14')
    const late = formatMicros(at + 30 * MICROS_PER_DAY + 1)
    expect(await code(propose(analyst, at, late, other.rating_id))).toBe('VALIDATION_RANGE_INVALID')
    expect(await code(propose(analyst, at, formatMicros(at), other.rating_id))).toBe('VALIDATION_RANGE_INVALID')
    expect(await code(propose(observer, at, '2026-03-20T00:00:00Z', other.rating_id))).toBe('REVIEW_NOT_ALLOWED')
    expect(await code(propose(person('mallory', 'committee'), at, '2026-03-20T00:00:00Z', other.rating_id))).toBe(
      'REVIEW_NOT_ALLOWED',
    )
    expect(await code(propose(analyst, at, '2026-03-20T00:00:00Z', 'rat_absent'))).toBe('RATING_NOT_FOUND')
    const ports = portsOf(warehouse, people, member_a, at)
    await moveRecord(RATING_SUBJECT, ports, { act: 'withdraw', record_id: other.rating_id, text: 'wrong market' })
    expect(await code(propose(analyst, day('2026-03-15'), '2026-03-20T00:00:00Z', other.rating_id))).toBe(
      'REVIEW_STATE_CONFLICT',
    )
    const shown = await showRating({ market_id: 'mkt_refused', as_of: '2026-03-15T00:00:00Z', warehouse })
    expect(shown.rating).toMatchObject({ band: 'NR', score: null, reason_codes: ['NO_APPROVED_RATING'] })
  })
})

test('what is not rated gets no band without a score: not by an override, nor by a decision, but a record may become NR', async () => {
  const [nr, rated] = [
    modelRow('mkt_nr', 'NR', day('2026-03-20')),
    { ...modelRow('mkt_scored', 'MR2', day('2026-03-20')), score: '75.00' },
  ] as const
  await publishRatings(warehouse, [nr, rated], day('2026-03-20'))
  const ports = (by: typeof analyst, date: string) => portsOf(warehouse, people, by, day(date))
  const override = (record_id: string, proposed_value: string, date: string) =>
    proposeOverride(RATING_SUBJECT, ports(analyst, date), {
      ...{ record_id, proposed_value, reason_code: 'NEWS', narrative: 'a test', starts_at: null },
      expires_at: '2026-04-01T00:00:00Z',
    })
  expect(await refusalOf(override(nr.rating_id, 'MR5', '2026-03-21'))).toMatchObject({
    code: 'VALIDATION_RANGE_INVALID',
    message: `band is MR5; allowed for ${nr.rating_id}, which is not rated and has no score: NR, or a rating by a form (tidemark rating submit)`,
  })
  const down = await override(rated.rating_id, 'NR', '2026-03-22')
  expect(down.records[0]).toMatchObject({ band: 'NR', score: null, previous_band: 'MR2', previous_score: '75.00' })
  const about = { record_id: nr.rating_id, text: 'a test' }
  await moveRecord(RATING_SUBJECT, ports(observer, '2026-03-23'), { ...about, act: 'dispute' })
  const uphold = (grade: string) =>
    upholdDispute(RATING_SUBJECT, ports(member_a, '2026-03-24'), { ...about, grade, until: null })
  expect(await code(uphold('MR3'))).toBe('VALIDATION_RANGE_INVALID')
  await uphold('NR')
  expect(await bandAt('mkt_nr', '2026-03-25T00:00:00Z')).toBe('NR')
})

test('a dispute that is upheld puts the committee’s record in the place; its filer may not decide it', async () => {
  const model = modelRow('mkt_dispute', 'MR2', day('2026-04-01'))
  await publishRatings(warehouse, [model], day('2026-04-01'))
  const record_id = model.rating_id
  const ports = (by: typeof analyst, date: string) => portsOf(warehouse, people, by, day(date))
  await moveRecord(RATING_SUBJECT, ports(member_a, '2026-04-02'), {
    act: 'dispute',
    record_id,
    text: 'volume is wrong',
  })
  const disputed = await showRating({ market_id: 'mkt_dispute', as_of: '2026-04-02T12:00:00Z', warehouse })
  expect(disputed.rating).toMatchObject({
    band: 'MR2',
    review_state: 'disputed',
    dispute: { state: 'open', filer: 'member_a' },
  })
  const uphold = (by: typeof analyst) =>
    upholdDispute(RATING_SUBJECT, ports(by, '2026-04-03'), { record_id, grade: 'MR5', text: 'it is', until: null })
  expect(await code(uphold(member_a))).toBe('REVIEW_NOT_ALLOWED')
  await uphold(member_b)
  const decided = await showRating({ market_id: 'mkt_dispute', as_of: '2026-04-04T00:00:00Z', warehouse })
  expect(decided.rating).toMatchObject({ band: 'MR5', issuer: { kind: 'committee', issuer_id: 'member_b' } })
  expect(decided.history.map((row) => row.review_state)).toEqual(['approved', 'disputed', 'superseded', 'approved'])
  expect(await bandAt('mkt_dispute', '2026-04-02T12:00:00Z')).toBe('MR2')
})

test('of two approvals at once one is done; an act that was interrupted is finished by the next', async () => {
  const model = modelRow('mkt_race', 'MR2', day('2026-05-01'))
  await publishRatings(warehouse, [model], day('2026-05-01'))
  const proposed = await proposeOverride(RATING_SUBJECT, portsOf(warehouse, people, analyst), {
    record_id: model.rating_id,
    proposed_value: 'MR3',
    reason_code: 'TEST',
    narrative: 'race',
    starts_at: null,
    expires_at: formatMicros((await warehouse.now()) + 5 * MICROS_PER_DAY),
  })
  const record_id = String(proposed.records[0]!.rating_id)
  const interrupted: Warehouse = {
    ...warehouse,
    append: (table, rows, options) =>
      table === 'market_rating' ? Promise.reject(new Error('killed')) : warehouse.append(table, rows, options),
  }
  const approve = (by: typeof analyst, at: Warehouse) =>
    moveRecord(RATING_SUBJECT, portsOf(at, people, by), { act: 'approve', record_id, text: null })
  expect(await code(approve(member_a, interrupted))).toBe('Error: killed')
  expect((await showRating({ market_id: 'mkt_race', as_of: null, warehouse })).rating.band).toBe('MR2')
  expect(await code(approve(member_b, warehouse))).toBe('REVIEW_STATE_CONFLICT')
  const after = await showRating({ market_id: 'mkt_race', as_of: null, warehouse })
  expect(after.rating.band).toBe('MR3')
  expect(await finishActs(RATING_SUBJECT, { warehouse, at: null })).toBe(0)
  expect(after.acts.map((row) => [row.act, row.actor_id])).toEqual([
    ['override', 'analyst'],
    ['approve', 'member_a'],
  ])
  const answers = await Promise.all(
    [member_a, member_b].map((by) =>
      code(
        moveRecord(RATING_SUBJECT, portsOf(warehouse, people, by), {
          act: 'withdraw',
          record_id: String(after.rating.rating_id),
          text: 'race',
        }),
      ),
    ),
  )
  expect(answers.sort()).toEqual(['REVIEW_STATE_CONFLICT', 'null'])
})

test('every act that a person did has a signature of exactly its text, and the audit finds nothing', async () => {
  const { acts } = await showRating({ market_id: 'mkt_override', as_of: null, warehouse })
  const signed = acts.filter((row) => row.signature !== null)
  expect(signed.length).toBe(2)
  const holds = (row: Row, text = String(row.signed_text)) =>
    isSignedBy(text, String(row.signature), String(row.public_key))
  for (const row of signed) {
    expect(holds(row)).toBe(true)
    expect(holds(row, `${row.signed_text} `)).toBe(false)
  }
  const report = await auditWarehouse({ warehouse } as Parameters<typeof auditWarehouse>[0])
  expect(report.violations).toEqual([])
})
