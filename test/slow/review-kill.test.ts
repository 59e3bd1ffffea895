import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditWarehouse } from '../../operations/audit-warehouse.ts'
import { RATING_SUBJECT } from '../../operations/rating/rating-subject.ts'
import { showRating } from '../../operations/rating/read-ratings.ts'
import type { ReviewPorts } from '../../operations/review/perform-act.ts'
import { findAct } from '../../operations/review/perform-signed-act.ts'
import { rosterFile } from '../../operations/review/read-roster.ts'
import { moveRecord, proposeOverride, upholdDispute } from '../../operations/review/review.ts'
import type { SignedAct } from '../../pipelines/review/signed-act.ts'
import { formatMicros, MICROS_PER_DAY, MICROS_PER_SECOND } from '../../primitives/instants.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { deliverAct } from '../../workflows/client/reviews.ts'
import { modelRow, type Person, person, portsOf, publishRatings, rosterText } from '../support/review-world.ts'
import { tempFolder } from '../support/temp-folder.ts'
import type { ReviewChildOptions } from '../workflows/support/review-child.ts'
import { eventually, testServer } from '../workflows/support/temporal.ts'

/**
 * A dispute that is upheld, an override that ends and a withdrawal, each through its workflow, while every worker ends itself as
 * SIGKILL would: before and after each write, and before it tells what it did. The next worker goes on. The records and acts are
 * those of nobody being killed: each once.
 */
const CHILD = fileURLToPath(new URL('../workflows/support/review-child.ts', import.meta.url))
const folder = tempFolder()
const home = join(folder, 'home')
const log = join(folder, 'deaths.log')
const temporal = testServer(join(folder, 'temporal'))
const analyst = person('analyst', 'analyst')
const member_a = person('member_a', 'committee')
const people = [analyst, member_a]
let warehouse: Warehouse

/** Where the workers end, one after the other, while people act and when the override ends; then one that does not. */
const WRITES = ['before assessment_act', 'after assessment_act', 'before market_rating', 'after market_rating']
const WHILE_ACTING = [...WRITES, 'before performReviewAct tells', 'after assessment_act', 'after market_rating']
const AT_THE_END = [...WRITES, 'before expireOverrides tells']
const EXPIRY_SECONDS = 150
const left = [...WHILE_ACTING]
let deaths = 0
let over = false
let child: ChildProcess | null = null

beforeAll(async () => {
  mkdirSync(home, { recursive: true })
  writeFileSync(log, '')
  writeFileSync(rosterFile(home), rosterText(people))
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
}, 60_000)
afterAll(async () => {
  over = true
  child?.kill('SIGKILL')
  await warehouse.close()
})

/** Starts one worker after the other until the test is over. */
async function keepWorkers(): Promise<void> {
  while (!over) {
    const dies_at = left.shift() ?? null
    const { address } = temporal.server()
    const options: ReviewChildOptions = { address, root: warehouse.root, home, dies_at, log }
    child = spawn(process.execPath, ['--import', 'tsx', CHILD, JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await once(child, 'exit')
    if (dies_at !== null) deaths += 1
  }
}

/** Ports whose acts the workflow of their chain performs. */
function through(by: Person): ReviewPorts {
  const deliver = async (signed: SignedAct, chain_id: string) => {
    const { act_id } = await deliverAct(temporal.client(), { subject: 'market_rating', chain_id }, signed, 2)
    return (await findAct(warehouse, RATING_SUBJECT, act_id))!
  }
  return { ...portsOf(warehouse, people, by), deliver }
}

const MARKETS = ['mkt_dispute', 'mkt_override', 'mkt_withdrawn'] as const

/** The ratings that acts are about, published before. */
async function rate(): Promise<Readonly<Record<(typeof MARKETS)[number], string>>> {
  const now = await warehouse.now()
  const rows = MARKETS.map((market_id) => modelRow(market_id, 'MR2', now - MICROS_PER_DAY))
  await publishRatings(warehouse, rows, now)
  return Object.fromEntries(rows.map((row) => [row.market_id, row.rating_id])) as Awaited<ReturnType<typeof rate>>
}

async function disputeUpheld(record_id: string): Promise<void> {
  await moveRecord(RATING_SUBJECT, through(analyst), { act: 'dispute', record_id, text: 'volume is wrong' })
  await upholdDispute(RATING_SUBJECT, through(member_a), { record_id, grade: 'MR5', text: 'it is', until: null })
}

async function overrideApproved(record_id: string): Promise<void> {
  const expires_at = formatMicros((await warehouse.now()) + EXPIRY_SECONDS * MICROS_PER_SECOND)
  const asked = { proposed_value: 'MR4', reason_code: 'TEST', narrative: 'a test', starts_at: null, expires_at }
  const { records } = await proposeOverride(RATING_SUBJECT, through(analyst), { record_id, ...asked })
  const proposed = String(records[0]!.rating_id)
  await moveRecord(RATING_SUBJECT, through(member_a), { act: 'approve', record_id: proposed, text: null })
}

async function overrideEnds(): Promise<void> {
  const ended = async () =>
    (await showRating({ market_id: 'mkt_override', as_of: null, warehouse })).history.length === 5
  await eventually(async () => ((await ended()) ? true : null), 300_000)
}

async function withdrawn(record_id: string): Promise<void> {
  await moveRecord(RATING_SUBJECT, through(member_a), { act: 'withdraw', record_id, text: 'wrong market' })
}

const told = async (market_id: string) => {
  const { history, acts } = await showRating({ market_id, as_of: null, warehouse })
  return {
    records: history.map(({ band, revision, review_state }) => `${band} ${revision} ${review_state}`),
    acts: acts.map(({ act, actor_id }) => `${act} by ${actor_id}`),
  }
}

test(`workers end at ${WHILE_ACTING.length + AT_THE_END.length} of their steps: the records and acts are those of nobody ending`, async () => {
  const { mkt_dispute, mkt_override, mkt_withdrawn } = await rate()
  const kept = keepWorkers()
  await Promise.all([disputeUpheld(mkt_dispute), overrideApproved(mkt_override), withdrawn(mkt_withdrawn)])
  const while_acting = deaths
  left.splice(0, left.length, ...AT_THE_END)
  child?.kill('SIGKILL')
  await overrideEnds()
  expect(while_acting, 'workers that ended while people acted').toBeGreaterThanOrEqual(5)
  expect(deaths, 'workers that ended').toBeGreaterThanOrEqual(7)
  over = true
  child?.kill('SIGKILL')
  await kept
  const places = readFileSync(log, 'utf8').trimEnd().split('\n')
  process.stderr.write(`workers ended: ${places.join(', ')}\n`)
  expect(places).toEqual(expect.arrayContaining(WRITES))
  expect(await told('mkt_dispute')).toEqual({
    records: ['MR2 1 approved', 'MR2 2 disputed', 'MR2 3 superseded', 'MR5 1 approved'],
    acts: ['dispute by analyst', 'uphold_dispute by member_a'],
  })
  expect(await told('mkt_override')).toEqual({
    records: ['MR2 1 approved', 'MR4 1 under_review', 'MR4 2 approved', 'MR4 3 superseded', 'MR2 1 approved'],
    acts: ['override by analyst', 'approve by member_a', 'expire by tidemark'],
  })
  expect(await told('mkt_withdrawn')).toEqual({
    records: ['MR2 1 approved', 'MR2 2 withdrawn'],
    acts: ['withdraw by member_a'],
  })
  expect(await auditWarehouse({ warehouse })).toMatchObject({ violations: [] })
}, 600_000)
