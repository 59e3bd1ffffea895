import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditWarehouse } from '../../operations/audit/audit-warehouse.ts'
import { RATING_SUBJECT } from '../../operations/rating/rating-subject.ts'
import { showRating } from '../../operations/rating/read-ratings.ts'
import { listRefusals } from '../../operations/review/list-refusals.ts'
import type { ReviewPorts } from '../../operations/review/perform-act.ts'
import { findAct } from '../../operations/review/perform-signed-act.ts'
import { rosterFile } from '../../operations/review/read-roster.ts'
import { moveRecord, proposeOverride, upholdDispute } from '../../operations/review/review.ts'
import type { SignedAct } from '../../pipelines/review/signed-act.ts'
import { formatMicros, MICROS_PER_DAY, MICROS_PER_SECOND } from '../../primitives/instants.ts'
import type { Band } from '../../vocabulary/rating.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { deliverAct, findReview } from '../../workflows/client/reviews.ts'
import { refusalOf } from '../support/refusal.ts'
import { modelRow, type Person, person, portsOf, publishRatings, rosterText } from '../support/review-world.ts'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { fakePorts } from './support/fake-ports.ts'
import { eventually, startWorker, type TestWorker, testServer } from './support/temporal.ts'

const folder = tempFolder()
const home = join(folder, 'home')
const temporal = testServer(join(folder, 'temporal'))
const analyst = person('analyst', 'analyst')
const member_a = person('member_a', 'committee')
const member_b = person('member_b', 'committee')
const people = [analyst, member_a, member_b]
let warehouse: Warehouse
let worker: TestWorker

beforeAll(async () => {
  mkdirSync(home, { recursive: true })
  writeFileSync(rosterFile(home), rosterText(people))
  for (const one of people) writeFileSync(keyFile(one), one.pem)
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  worker = await startWorker(temporal, fakePorts(warehouse, home), { queues: ['bulk'] })
}, 120_000)
afterAll(async () => {
  await worker.stop()
  await warehouse.close()
})

/** Long enough for both acts on a machine that has much else to do. */
const EXPIRY_SECONDS = 40

const keyFile = ({ member }: Person) => join(home, `${member.actor_id}.pem`)

/** Ports whose acts the workflow of their chain performs. */
function through(by: Person): ReviewPorts {
  const deliver = async (signed: SignedAct, chain_id: string) => {
    const { act_id } = await deliverAct(temporal.client(), { subject: 'market_rating', chain_id }, signed)
    return (await findAct(warehouse, RATING_SUBJECT, act_id))!
  }
  return { ...portsOf(warehouse, people, by), deliver }
}

async function rated(market_id: string, band: Band): Promise<string> {
  const now = await warehouse.now()
  const row = modelRow(market_id, band, now - MICROS_PER_DAY)
  await publishRatings(warehouse, [row], now)
  return row.rating_id
}

const show = (market_id: string) => showRating({ market_id, as_of: null, warehouse })
const statesOf = async (market_id: string) =>
  (await show(market_id)).history.map(({ band, review_state }) => `${band} ${review_state}`)

async function override(record_id: string, seconds: number) {
  const expires_at = formatMicros((await warehouse.now()) + seconds * MICROS_PER_SECOND)
  const asked = { proposed_value: 'MR4', reason_code: 'TEST', narrative: 'a test', starts_at: null, expires_at }
  const { records } = await proposeOverride(RATING_SUBJECT, through(analyst), { record_id, ...asked })
  return { record_id: String(records[0]!.rating_id), chain_id: records[0]!.chain_id }
}

describe('through the workflow of its chain', () => {
  test('an override is proposed, approved, and ends by a timer: what the program says is restored once', async () => {
    const proposed = await override(await rated('mkt_timer', 'MR2'), EXPIRY_SECONDS)
    const of = { subject: 'market_rating', chain_id: proposed.chain_id } as const
    expect(await findReview(temporal.client(), of)).toMatchObject({ phase: 'waiting', acts: 1 })
    const approve = (by: Person) =>
      moveRecord(RATING_SUBJECT, through(by), { act: 'approve', record_id: proposed.record_id, text: null })
    expect(await refusalOf(approve(analyst))).toMatchObject({ code: 'REVIEW_NOT_ALLOWED' })
    const answers = await Promise.allSettled([approve(member_a), approve(member_b)])
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const second = answers[0]!.status === 'rejected' ? 'member_a' : 'member_b'
    const refused = await listRefusals(RATING_SUBJECT, { as_of: null, warehouse })
    expect(refused.map(({ actor_id, act, record_id }) => [actor_id, act, record_id])).toEqual([
      [second, 'approve', proposed.record_id],
      ['analyst', 'approve', proposed.record_id],
    ])
    expect((await show('mkt_timer')).rating.band).toBe('MR4')
    expect(await findReview(temporal.client(), of)).toMatchObject({ phase: 'running' })
    // A query of the workflow costs less than a read of the warehouse.
    const isOver = async () => ((await findReview(temporal.client(), of))?.phase === 'over' ? true : null)
    await eventually(isOver, 110_000, 2_000)
    expect(await statesOf('mkt_timer')).toEqual([
      'MR2 approved',
      'MR4 under_review',
      'MR4 approved',
      'MR4 superseded',
      'MR2 approved',
    ])
    expect((await show('mkt_timer')).acts.map(({ act }) => act)).toEqual(['override', 'approve', 'expire'])
  }, 120_000)

  test('a dispute of a rating begins its review, another member upholds it', async () => {
    const record_id = await rated('mkt_dispute', 'MR2')
    await moveRecord(RATING_SUBJECT, through(analyst), { act: 'dispute', record_id, text: 'volume is wrong' })
    const uphold = { record_id, grade: 'MR5', text: 'it is', until: null }
    expect(await refusalOf(upholdDispute(RATING_SUBJECT, through(analyst), uphold))).toMatchObject({
      code: 'REVIEW_NOT_ALLOWED',
    })
    await upholdDispute(RATING_SUBJECT, through(member_a), uphold)
    expect(await statesOf('mkt_dispute')).toEqual(['MR2 approved', 'MR2 disputed', 'MR2 superseded', 'MR5 approved'])
  }, 120_000)

  test('the same act delivered twice is done once; another’s signature, another roster and an old act are refused', async () => {
    const record_id = await rated('mkt_twice', 'MR2')
    const kept: { signed: SignedAct; chain_id: string }[] = []
    const keep: ReviewPorts = {
      ...portsOf(warehouse, people, member_a),
      deliver: async (signed, chain_id) => {
        kept.push({ signed, chain_id })
        return { act_id: '', records: [] }
      },
    }
    await moveRecord(RATING_SUBJECT, keep, { act: 'withdraw', record_id, text: 'wrong market' })
    const { signed, chain_id } = kept[0]!
    const deliver = (one: SignedAct) => deliverAct(temporal.client(), { subject: 'market_rating', chain_id }, one)
    const other = { ...signed, signature: member_b.signer.sign(signed.signed_text) }
    expect(await refusalOf(deliver(other))).toMatchObject({ code: 'REVIEW_NOT_ALLOWED' })
    const stranger = person('member_a', 'committee')
    const forged = {
      ...signed,
      public_key: stranger.signer.public_key,
      signature: stranger.signer.sign(signed.signed_text),
    }
    expect(await refusalOf(deliver(forged))).toMatchObject({ code: 'REVIEW_NOT_ALLOWED' })
    const signed_text = signed.signed_text.replace(/"acted_at":"[^"]+"/, '"acted_at":"2026-01-01T00:00:00Z"')
    const old = { ...signed, signed_text, signature: member_a.signer.sign(signed_text) }
    expect(await refusalOf(deliver(old))).toMatchObject({
      code: 'REVIEW_NOT_ALLOWED',
      message: expect.stringContaining('acted_at is 2026-01-01T00:00:00Z'),
    })
    const [first, second] = await Promise.all([deliver(signed), deliver(signed)])
    expect(second).toEqual(first)
    await eventually(async () => {
      const view = await findReview(temporal.client(), { subject: 'market_rating', chain_id })
      return view?.phase === 'over' ? true : null
    })
    expect(await deliver(signed)).toEqual(first) // in another run of the review, where this one is over
    expect(await statesOf('mkt_twice')).toEqual(['MR2 approved', 'MR2 withdrawn'])
  }, 120_000)

  test('by a flag of the command line: the records that the command prints without it', async () => {
    const record_id = await rated('mkt_flag', 'MR3')
    const environment = {
      TIDEMARK_HOME: home,
      TIDEMARK_WAREHOUSE: warehouse.root,
      TEMPORAL_ADDRESS: temporal.server().address,
    }
    const argv = ['rating', 'dispute', record_id, '--basis', 'why', '--key', keyFile(analyst), '--temporal', '--json']
    const done = await tidemark(argv, { environment })
    expect(done.stderr).not.toContain('Error')
    expect(JSON.parse(done.stdout).records[0]).toMatchObject({ review_state: 'disputed', market_id: 'mkt_flag' })
    const decide = [
      'rating',
      'decide',
      record_id,
      '--reject',
      '--decision',
      'no',
      '--key',
      keyFile(analyst),
      '--temporal',
    ]
    const refused = await tidemark(decide, { environment })
    expect(refused).toMatchObject({ exit_code: 2, stdout: '' })
    expect(refused.stderr).toContain('REVIEW_NOT_ALLOWED')
    expect(await statesOf('mkt_flag')).toEqual(['MR3 approved', 'MR3 disputed'])
  }, 120_000)

  test('nothing of it contradicts the audit', async () => {
    expect(await auditWarehouse({ warehouse })).toMatchObject({ violations: [] })
  }, 120_000)
})
