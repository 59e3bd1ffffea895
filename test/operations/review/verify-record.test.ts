import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RATING_SUBJECT } from '../../../operations/rating/rating-subject.ts'
import { showRating } from '../../../operations/rating/read-ratings.ts'
import { runRatings } from '../../../operations/rating/run-ratings.ts'
import { auditActs } from '../../../operations/review/audit-acts.ts'
import { checkAct } from '../../../operations/review/check-act.ts'
import { expireOverrides, moveRecord, proposeOverride, upholdDispute } from '../../../operations/review/review.ts'
import { verifyRecord } from '../../../operations/review/verify-record.ts'
import type { EvidenceItem } from '../../../pipelines/evidence/evidence-item.ts'
import type { ReviewRow } from '../../../pipelines/review/subject.ts'
import { canonicalJson } from '../../../primitives/canonical-json.ts'
import { formatMicros, MICROS_PER_DAY, MICROS_PER_SECOND, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { E22_MARKET, writeRatedDay } from '../../support/rating-world.ts'
import { refusalOf } from '../../support/refusal.ts'
import { type Person, person, portsOf, rosterOfPeople, rosterText } from '../../support/review-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const DAY = toMicros('2026-01-17T00:00:00Z')
const later = (days: number): Micros => DAY + days * MICROS_PER_DAY
const analyst = person('analyst', 'analyst')
const member = person('member', 'committee')
const people = [analyst, member]
const roster = rosterOfPeople(people)
let warehouse: Warehouse
let rating_id: string

beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  for (const n of [0, 1, 2]) {
    await writeRatedDay(warehouse, [E22_MARKET], later(n), { is_first: n === 0 })
    const at = formatMicros(later(n) + 2 * MICROS_PER_SECOND)
    await runRatings({ at, clock: 'recorded', warehouse })
  }
  rating_id = String((await history())[1]!.rating_id)
}, 120_000)
afterAll(() => warehouse.close())

const history = async (): Promise<readonly Row[]> =>
  (await showRating({ market_id: 'mkt_e22', as_of: null, warehouse })).history
const verify = (id: string, at: Warehouse = warehouse, members: typeof roster | null = roster) =>
  verifyRecord(RATING_SUBJECT, id, { warehouse: at, roster: members === null ? null : () => members })
const ports = (by: Person, day: number) => portsOf(warehouse, people, by, later(day))

describe('a rating by the program', () => {
  test('is computed again to the last digit from the figures of its evidence', async () => {
    for (const row of await history()) {
      const verification = await verify(String(row.rating_id))
      expect(verification).toMatchObject({ ok: true, violation: null })
      expect(verification.checks.map(({ check }) => check)).toEqual(['evidence', 'origin'])
    }
  })

  test('that does not exist is told so', async () => {
    expect(await refusalOf(verify('rat_absent'))).toMatchObject({ code: 'RATING_NOT_FOUND' })
  })

  test.each<[string, (row: Row) => Row, RegExp, string]>([
    ['the score', (row) => ({ ...row, score: '99.99' }), /^score is "99.99"; computed again: "/, 'computed_again'],
    ['the band', (row) => ({ ...row, band: 'MR1' }), /^band is "MR1"; computed again: "/, 'computed_again'],
    [
      'the component',
      (row) => ({ ...row, component_scores: { ...(row.component_scores as Row), liquidity: '99.00' } }),
      /^component_scores is/,
      'computed_again',
    ],
    ['the confidence', (row) => ({ ...row, confidence: '0.9999' }), /^confidence is "0.9999"/, 'computed_again'],
    [
      'the figures of an item',
      (row) => ({ ...row, evidence: changed(row, 'measured') }),
      /has the hash sha256:/,
      'evidence',
    ],
    [
      'the hash of an item',
      (row) => ({ ...row, evidence: changed(row, 'content_hash') }),
      /has the hash sha256:/,
      'evidence',
    ],
    [
      'the source of an item',
      (row) => ({ ...row, evidence: changed(row, 'source_uri') }),
      /does not match its content, whose id is evd_/,
      'evidence',
    ],
  ])('with another %s is rejected', async (_what, change, detail, rule) => {
    const verification = await verify(rating_id, await forged(change))
    expect(verification.ok).toBe(false)
    expect(verification.violation).toMatchObject({ record_id: rating_id, rule, detail: expect.stringMatching(detail) })
  })
})

describe('records that acts made', () => {
  test('are decided again from what was known before: override, approval, its end, dispute and its decision, withdrawal', async () => {
    const expires_at = formatMicros(later(6))
    const asked = { proposed_value: 'MR5', reason_code: 'TEST', narrative: 'a test', starts_at: null, expires_at }
    const override = await proposeOverride(RATING_SUBJECT, ports(analyst, 3), { record_id: rating_id, ...asked })
    const proposed = String(override.records[0]!.rating_id)
    await moveRecord(RATING_SUBJECT, ports(member, 4), { act: 'approve', record_id: proposed, text: null })
    await expireOverrides(RATING_SUBJECT, { warehouse, at: later(7) })
    const dispute = { act: 'dispute', record_id: rating_id, text: 'wrong' } as const
    await moveRecord(RATING_SUBJECT, ports(analyst, 8), dispute)
    const decision = { record_id: rating_id, grade: 'MR4', text: 'it is', until: null }
    const decided = await upholdDispute(RATING_SUBJECT, ports(member, 9), decision)
    const record_id = String(decided.records[1]!.rating_id)
    await moveRecord(RATING_SUBJECT, ports(member, 10), { act: 'withdraw', record_id, text: 'done' })
    const rows = await history()
    expect(rows.filter(({ act_id }) => act_id !== null).length).toBe(8)
    for (const row of rows) expect(await verify(String(row.rating_id))).toMatchObject({ ok: true, violation: null })
    expect(await auditActs(warehouse)).toEqual({ checked: 6, violations: [] })
  }, 180_000)

  test('are not of a roster that does not know the key, or knows it as another’s', async () => {
    const [made] = (await history()).filter(({ act_id }) => act_id !== null)
    const stranger = person('analyst', 'analyst')
    const id = String(made!.rating_id)
    expect(await verify(id, warehouse, rosterOfPeople([stranger]))).toMatchObject({
      ok: false,
      violation: { rule: 'act_roster' },
    })
    const renamed = { members: [{ ...analyst.member, actor_id: 'somebody' }], expires_at: null }
    expect(await verify(id, warehouse, renamed)).toMatchObject({
      violation: { rule: 'act_roster', detail: 'its key is of somebody' },
    })
    expect(await verify(id, warehouse, null)).toMatchObject({ ok: true })
    expect(rosterText(people)).toContain('analyst')
  })
})

describe('an act as it is stored', () => {
  type Forgery = readonly [what: string, change: (act: Row) => Row, rule: string]
  const FORGERIES: readonly Forgery[] = [
    ['another text', (act) => ({ ...act, signed_text: String(act.signed_text).replace('TEST', 'NEWS') }), 'act_text'],
    ['no JSON', (act) => ({ ...act, signed_text: 'approve' }), 'act_text'],
    ['another actor', (act) => ({ ...act, actor_id: 'member' }), 'act_text'],
    [
      'another signature',
      (act) => ({ ...act, signature: member.signer.sign(String(act.signed_text)) }),
      'act_signature',
    ],
    ['no signature', (act) => ({ ...act, signature: null }), 'act_signature'],
    ['another key', (act) => ({ ...act, public_key: member.signer.public_key }), 'act_signature'],
    ['other records', (act) => ({ ...act, records: String(act.records).replaceAll('MR5', 'MR1') }), 'act_records'],
    ['another revision', (act) => ({ ...act, revision: 7 }), 'act_records'],
  ]

  test.each(FORGERIES)('with %s is found out', async (_what, change, rule) => {
    const { acts } = await showRating({ market_id: 'mkt_e22', as_of: null, warehouse })
    const [shown] = acts
    const made = (await history()).filter(({ act_id }) => act_id === shown!.act_id) as ReviewRow[]
    const published = new Map(made.map((row) => [String(row.rating_id), row]))
    const act = { ...shown!, records: canonicalJson(made.map(({ published_at, row_ordinal, ...row }) => row)) }
    expect(checkAct(RATING_SUBJECT, act, published)).toBeNull()
    expect(checkAct(RATING_SUBJECT, change(act), published)).toMatchObject({ rule })
  })
})

function changed(row: Row, field: 'measured' | 'content_hash' | 'source_uri'): Row[string] {
  const other = { measured: '{}', content_hash: `sha256:${'0'.repeat(64)}`, source_uri: 'https://example.com' }[field]
  const items = row.evidence as unknown as readonly EvidenceItem[]
  return items.map((item, n) => (n === 0 ? { ...item, [field]: other } : item)) as unknown as Row[string]
}

let forgeries = 0

/** A warehouse of its own with the rows of market_rating as they are, but for one. */
async function forged(change: (row: Row) => Row): Promise<Warehouse> {
  forgeries += 1
  const other = await openWarehouse({ root: join(folder, `forged-${forgeries}`), create: true })
  for (const [n, row] of (await history()).entries()) {
    if (row.revision !== 1 || row.act_id !== null) continue
    const { published_at, row_ordinal: _ordinal, ...kept } = row
    const stamp = { kind: 'recorded', at: toMicros(published_at) } as const
    const options = { app_id: `forged ${n}`, app_sequence: 1, stamp, operation: 'TEST' }
    await other.append('market_rating', [row.rating_id === rating_id ? change(kept) : kept], options)
  }
  return other
}
