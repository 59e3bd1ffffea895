import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLivePublisher } from '../../../operations/live/live-publisher.ts'
import { listRatings, showRating } from '../../../operations/rating/read-ratings.ts'
import { rosterFile, rosterHistory } from '../../../operations/review/read-roster.ts'
import { REVIEW_SUBJECTS } from '../../../operations/review/review-subjects.ts'
import { verifyRecord } from '../../../operations/review/verify-record.ts'
import { listSeverity, showSeverity } from '../../../operations/severity/read-severity.ts'
import { MICROS_PER_SECOND, toMicros } from '../../../primitives/instants.ts'
import { SANDBOX_MEMBERS } from '../../../service/committee/open-committee.ts'
import { SANDBOX_ACTS } from '../../../service/committee/sandbox-acts.ts'
import { assessWorld } from '../../../service/live/assess-world.ts'
import { LIVE_INDEX_IDS } from '../../../service/live/live-definitions.ts'
import { prepareWorld } from '../../../service/live/prepare-world.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { readSql } from '../../../warehouse/sql/read-sql.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const MINUTE = 60 * MICROS_PER_SECOND
const home = tempFolder()
/** A service that began some minutes ago, and has been making its sample since. */
const until = (Date.now() - 150_000) * 1_000
let warehouse: Warehouse
let ratings: readonly Row[]
let story: Record<string, string>

beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(home, 'warehouse'), create: true })
  await prepareWorld({ home, warehouse, until })
  await assessWorld({ home, warehouse, with_committee: true })
  ratings = await listRatings({ as_of: null, warehouse })
  story = JSON.parse(readFileSync(join(home, 'live', 'committee.json'), 'utf8')).subjects
}, 300_000)
afterAll(() => warehouse.close())

const acts = async (): Promise<readonly Row[]> => {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['assessment_act'] })
  const all = await Promise.all(
    Object.entries(story).map(([on, subject_id]) => {
      const subject = on.endsWith('_event') ? 'severity_assessment' : 'market_rating'
      return session.query(readSql(import.meta.url, '../../../operations/sql/acts_of_subject.sql'), {
        subject,
        subject_id,
      })
    }),
  )
  await session.close()
  return all.flat()
}
const rated = (subject: string) => showRating({ market_id: story[subject]!, as_of: null, warehouse })

/** Returns the rows made by people, and two that the program alone made. */
const worthChecking = (rows: readonly Row[]) => {
  const by_program = rows.filter(({ act_id }) => act_id === null)
  return [...rows.filter(({ act_id }) => act_id !== null), ...by_program.slice(0, 2)]
}

describe('a new simulated world of a sandbox', () => {
  test('has markets of several bands by the program, from what was measured and from facts that say that they are simulated', () => {
    const by_program = ratings.filter(({ issuer }) => (issuer as Row).kind === 'model')
    expect(new Set(by_program.map(({ band }) => band)).size).toBeGreaterThanOrEqual(2)
    const good = by_program.find(({ band }) => band !== 'NR')!
    const source = (good.evidence as Row[]).find(({ component }) => component === 'source_reliability')!
    expect(JSON.parse(String(source.measured))).toMatchObject({
      source_ids: expect.arrayContaining(['simulated_bureau']),
      facts_version: '1.simulated-1',
    })
    for (const row of by_program) expect(row.score === null).toBe(row.band === 'NR')
  })

  test('has a rating by a form, one by an override, one by a decision, and one that waits', async () => {
    expect((await rated('reviewed')).rating).toMatchObject({
      band: expect.stringMatching(/^MR[23]$/),
      issuer: { kind: 'analyst' },
    })
    expect((await rated('overridden')).rating).toMatchObject({
      band: 'MR4',
      override: { authority: 'sandbox_analyst', reason_code: 'SOURCE_LATE', proposed_value: 'MR4' },
    })
    expect((await rated('disputed')).rating).toMatchObject({ band: 'MR4', reason_codes: ['DISPUTE_UPHELD'] })
    expect((await rated('disputed')).history.map(({ review_state }) => review_state).sort()).toEqual([
      'approved',
      'approved',
      'disputed',
      'superseded',
    ])
    const { rating, history } = await rated('proposed')
    expect(rating).toMatchObject({ issuer: { kind: 'model' } })
    expect(history.map(({ review_state }) => review_state)).toContain('under_review')
  })

  test('has a cyclone that went from SEV-3 to SEV-4 with a forecast beside it, and an earthquake of SEV-1 that is disputed', async () => {
    const event_id = story.worst_event!
    const { assessment, history } = await showSeverity({
      event_id,
      assessment_type: 'observed',
      as_of: null,
      warehouse,
    })
    expect(assessment).toMatchObject({ level: 'SEV-4', review_state: 'approved', previous_level: 'SEV-3' })
    expect(history.map(({ level, review_state }) => `${level} ${review_state}`)).toEqual([
      'SEV-3 approved',
      'SEV-4 under_review',
      'SEV-4 approved',
    ])
    const forecast = await showSeverity({ event_id, assessment_type: 'forecast', as_of: null, warehouse })
    expect(forecast.assessment).toMatchObject({ level: 'SEV-3', review_state: 'approved', issuer: { kind: 'analyst' } })
    const observed = await listSeverity({ as_of: null, warehouse, assessment_type: 'observed' })
    expect(observed.find((row) => row.event_id === story.other_event)).toMatchObject({
      level: 'SEV-1',
      review_state: 'disputed',
      dispute: { state: 'open', filer: 'sandbox_observer' },
    })
  })

  test('has the keys of its members below the home, for its owner alone, and only their public halves in the roster', async () => {
    const dir = join(home, 'committee')
    expect(statSync(dir).mode & 0o777).toBe(0o700)
    const keys = readdirSync(dir).filter((name) => name.endsWith('.pem'))
    expect(keys.sort()).toEqual(
      Object.keys(SANDBOX_MEMBERS)
        .map((name) => `${name}.pem`)
        .sort(),
    )
    for (const key of keys) expect(statSync(join(dir, key)).mode & 0o777).toBe(0o600)
    expect(readFileSync(rosterFile(home), 'utf8')).not.toContain('PRIVATE')
  })

  test('every record and act of it holds when it is computed again', async () => {
    const roster = await rosterHistory(warehouse, home, null)
    const events = await listSeverity({ as_of: null, warehouse, assessment_type: 'observed' })
    const in_force = [
      ...worthChecking(ratings.filter(({ band }) => band !== 'NR')).map(
        (row) => [REVIEW_SUBJECTS.market_rating, row] as const,
      ),
      ...worthChecking(events.filter(({ level }) => level !== 'UNKNOWN')).map(
        (row) => [REVIEW_SUBJECTS.severity_assessment, row] as const,
      ),
    ]
    expect(in_force.length).toBeGreaterThanOrEqual(6)
    for (const [subject, row] of in_force) {
      const verified = await verifyRecord(subject, String(row[subject.id_field]), { warehouse, roster })
      expect(verified.violation).toBeNull()
    }
  }, 120_000)

  test('prepared again it has no further acts, also where nobody has kept that they were all done', async () => {
    const before = await acts()
    expect(before).toHaveLength(SANDBOX_ACTS.length)
    writeFileSync(join(home, 'live', 'committee.json'), JSON.stringify({ subjects: story, is_over: false }))
    await prepareWorld({ home, warehouse })
    await assessWorld({ home, warehouse, with_committee: true })
    expect(await acts()).toHaveLength(SANDBOX_ACTS.length)
  }, 120_000)

  test('its past ends when the service began: the ticks since then are published late, stamped when they are, as the clock goes on', async () => {
    const levels = async () => {
      const session = await openReadSession(warehouse, { as_of: null, tables: ['index_observation'] })
      const range = { index_ids: LIVE_INDEX_IDS, from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
      const rows = await session.query(readSql(import.meta.url, '../../../operations/sql/published_ticks.sql'), range)
      await session.close()
      return rows.map(({ tick_at }) => toMicros(tick_at))
    }
    const past = await levels()
    expect(Math.max(...past)).toBe(Math.floor((until - 1) / MINUTE) * MINUTE)
    const before = await warehouse.now()
    await openLivePublisher(warehouse).publishDue()
    const late = (await levels()).filter((tick_at) => tick_at > until)
    expect(late.length).toBeGreaterThanOrEqual(2 * LIVE_INDEX_IDS.length)
    const { head_stamp } = await warehouse.log('index_observation').snapshot()
    expect(head_stamp).toBeGreaterThan(before)
  }, 120_000)
})
