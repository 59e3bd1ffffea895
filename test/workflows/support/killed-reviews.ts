import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { RATING_SUBJECT } from '../../../operations/rating/rating-subject.ts'
import { showRating } from '../../../operations/rating/read-ratings.ts'
import type { ReviewPorts } from '../../../operations/review/perform-act.ts'
import { findAct } from '../../../operations/review/perform-signed-act.ts'
import { rosterFile } from '../../../operations/review/read-roster.ts'
import { moveRecord, proposeOverride, upholdDispute } from '../../../operations/review/review.ts'
import type { SignedAct } from '../../../pipelines/review/signed-act.ts'
import { formatMicros, MICROS_PER_DAY, MICROS_PER_SECOND } from '../../../primitives/instants.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { deliverAct } from '../../../workflows/client/reviews.ts'
import { childArgv } from '../../support/child-argv.ts'
import { modelRow, type Person, person, portsOf, publishRatings, rosterText } from '../../support/review-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import type { ReviewChildOptions } from './review-child.ts'
import { eventually, testServer } from './temporal.ts'

const CHILD = fileURLToPath(new URL('./review-child.ts', import.meta.url))
const MARKETS = ['mkt_dispute', 'mkt_override', 'mkt_withdrawn'] as const

/**
 * Reviews of three ratings through Temporal, whose workers are processes of their own that end themselves, as SIGKILL would, at
 * places between two steps; the next worker goes on. To be called where tests are described.
 */
export function killedReviews() {
  const folder = tempFolder()
  const home = join(folder, 'home')
  const log = join(folder, 'deaths.log')
  const temporal = testServer(join(folder, 'temporal'))
  const analyst = person('analyst', 'analyst')
  const member_a = person('member_a', 'committee')
  const people = [analyst, member_a]
  let warehouse: Warehouse
  let left: string[] = []
  let over = false
  let child: ChildProcess | null = null

  beforeAll(async () => {
    mkdirSync(home, { recursive: true })
    writeFileSync(log, '')
    writeFileSync(rosterFile(home), rosterText(people))
    warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  }, 120_000)
  afterAll(async () => {
    over = true
    child?.kill('SIGKILL')
    await warehouse.close()
  })

  /** Starts one worker after the other until `stop`; each ends at the next place, and then one that does not. */
  async function keepWorkers(): Promise<void> {
    while (!over) {
      const dies_at = left.shift() ?? null
      const { address } = temporal.server()
      const options: ReviewChildOptions = { address, root: warehouse.root, home, dies_at, log }
      child = spawn(process.execPath, childArgv(CHILD, JSON.stringify(options)), {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      await once(child, 'exit')
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

  let kept: Promise<void> | null = null
  return {
    warehouse: () => warehouse,
    /** The ratings that acts are about, published before. */
    async rate(): Promise<Readonly<Record<(typeof MARKETS)[number], string>>> {
      const now = await warehouse.now()
      const rows = MARKETS.map((market_id) => modelRow(market_id, 'MR2', now - MICROS_PER_DAY))
      await publishRatings(warehouse, rows, now)
      return Object.fromEntries(rows.map((row) => [row.market_id, row.rating_id])) as Record<
        (typeof MARKETS)[number],
        string
      >
    },
    /** From now on workers end at these places; the one that works now ends at once. */
    endAt(places: readonly string[]): void {
      left = [...places]
      if (kept === null) kept = keepWorkers()
      else child?.kill('SIGKILL')
    },
    /** Points between two steps at which workers have ended. */
    deaths: (): readonly string[] => readFileSync(log, 'utf8').split('\n').filter(Boolean),
    async stop(): Promise<void> {
      over = true
      child?.kill('SIGKILL')
      await kept
    },
    async disputeUpheld(record_id: string): Promise<void> {
      await moveRecord(RATING_SUBJECT, through(analyst), { act: 'dispute', record_id, text: 'volume is wrong' })
      await upholdDispute(RATING_SUBJECT, through(member_a), { record_id, grade: 'MR5', text: 'it is', until: null })
    },
    async overrideApproved(record_id: string, seconds: number): Promise<void> {
      const expires_at = formatMicros((await warehouse.now()) + seconds * MICROS_PER_SECOND)
      const asked = { proposed_value: 'MR4', reason_code: 'TEST', narrative: 'a test', starts_at: null, expires_at }
      const { records } = await proposeOverride(RATING_SUBJECT, through(analyst), { record_id, ...asked })
      const proposed = String(records[0]!.rating_id)
      await moveRecord(RATING_SUBJECT, through(member_a), { act: 'approve', record_id: proposed, text: null })
    },
    async overrideEnds(): Promise<void> {
      const ended = async () =>
        (await showRating({ market_id: 'mkt_override', as_of: null, warehouse })).history.length === 5
      await eventually(async () => ((await ended()) ? true : null), 300_000)
    },
    async withdrawn(record_id: string): Promise<void> {
      await moveRecord(RATING_SUBJECT, through(member_a), { act: 'withdraw', record_id, text: 'wrong market' })
    },
    /** Records and acts of all three, as one reads them. */
    async told() {
      const of = async (market_id: string) => {
        const { history, acts } = await showRating({ market_id, as_of: null, warehouse })
        return {
          records: history.map(({ band, revision, review_state }) => `${band} ${revision} ${review_state}`),
          acts: acts.map(({ act, actor_id }) => `${act} by ${actor_id}`),
        }
      }
      return Object.fromEntries(await Promise.all(MARKETS.map(async (id) => [id, await of(id)] as const)))
    },
  }
}

/** Expected records and acts of a run in which no worker ends. */
export const UNDISTURBED = {
  mkt_dispute: {
    records: ['MR2 1 approved', 'MR2 2 disputed', 'MR2 3 superseded', 'MR5 1 approved'],
    acts: ['dispute by analyst', 'uphold_dispute by member_a'],
  },
  mkt_override: {
    records: ['MR2 1 approved', 'MR4 1 under_review', 'MR4 2 approved', 'MR4 3 superseded', 'MR2 1 approved'],
    acts: ['override by analyst', 'approve by member_a', 'expire by tidemark'],
  },
  mkt_withdrawn: {
    records: ['MR2 1 approved', 'MR2 2 withdrawn'],
    acts: ['withdraw by member_a'],
  },
}
