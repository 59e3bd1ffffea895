import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { followVenue } from '../../../operations/live/follow-venue.ts'
import { holdWhilePaused } from '../../../operations/pause/hold-while-paused.ts'
import { openPauses, pauseText } from '../../../operations/pause/pauses.ts'
import { recordPause, recordResume } from '../../../operations/pause/record-schedule-act.ts'
import {
  isFirstAfter,
  pausedSpans,
  type ScheduleAct,
  spansToMakeUp,
  standingPauses,
} from '../../../operations/pause/schedule-acts.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { eventually } from '../../workflows/support/temporal.ts'

const BY = { actor: 'ada', reason: 'wrong books' }
const ID = 'ingest-venue/kalshi'
const root = join(tempFolder(), 'warehouse')
let warehouse: Warehouse
/** Another process of the same warehouse. */
let other: Warehouse

beforeAll(async () => {
  warehouse = await openWarehouse({ root, create: true })
  other = await openWarehouse({ root })
})
afterAll(async () => {
  await warehouse.close()
  await other.close()
})

test('a pause is seen by another process, with everybody who paused, each once; its end too', async () => {
  const pauses = openPauses(other)
  expect(await pauses.of(ID)).toBeNull()
  const BOB = { actor: 'bob', reason: 'the same' }
  await Promise.all([recordPause(warehouse, ID, BY), recordPause(warehouse, ID, BY), recordPause(other, ID, BOB)])
  const first = await recordPause(warehouse, ID, BOB)
  expect(await pauses.of(ID)).toEqual(first)
  const { also = [], ...begun } = first
  expect([begun, ...also].map(({ paused_by, reason }) => [paused_by, reason]).toSorted()).toEqual(
    [BY, BOB].map(({ actor, reason }) => [actor, reason]).toSorted(),
  )
  expect(pauseText(first)).toMatch(/^paused by \w+ at \S+Z \(.*\) and by \w+ at \S+Z \(.*\)$/)
  expect((await pauses.acts()).filter(({ act }) => act === 'paused')).toHaveLength(2)
  expect(await pauses.of('publish-tick')).toBeNull()
  expect(await recordResume(warehouse, ID, BY)).toEqual(first)
  expect(await recordResume(warehouse, ID, BY)).toBeNull()
  expect(await pauses.of(ID)).toBeNull()
})

describe('work of a schedule', () => {
  test('ends when a pause begins and begins again when it is over, in whatever process the pause is made', async () => {
    const stop = new AbortController()
    const sessions: string[] = []
    const pauses = openPauses(warehouse)
    const session = async () => {
      const report = { records_new: 0, gaps: 0, quarantined: 0, last_source_at: null }
      await holdWhilePaused({ pauses, schedule_id: ID, signal: stop.signal }, async (signal) => {
        sessions.push('begun')
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        sessions.push('ended')
      })
      return report
    }
    const on_problem = (error: unknown) => sessions.push(String(error))
    const following = followVenue({ venue_id: 'kalshi', session_ms: 1, session, signal: stop.signal, on_problem })
    const told = (count: number) => eventually(async () => (sessions.length >= count ? true : null))
    await told(1)
    await recordPause(other, ID, BY)
    await told(2)
    expect(sessions).toEqual(['begun', 'ended'])
    await recordResume(other, ID, BY)
    await told(3)
    stop.abort()
    await following
    expect(sessions).toEqual(['begun', 'ended', 'begun', 'ended'])
  }, 120_000)
})

describe('acts', () => {
  const act = (kind: ScheduleAct['act'], at: number, range: ScheduleAct['range'] = null): ScheduleAct => {
    return { schedule_id: 'publish-tick', act: kind, actor: 'ada', reason: 'r', range, at, acted_at: String(at) }
  }

  test('the first pause holds until it is resumed; spans that are over are made up for once', () => {
    const acts = [act('paused', 10), act('paused', 20), act('resumed', 30), act('resumed', 40), act('paused', 50)]
    expect(standingPauses(acts).get('publish-tick')).toMatchObject({ paused_at: '50' })
    const spans = [
      { from: 10, to: 30 },
      { from: 50, to: Number.POSITIVE_INFINITY },
    ]
    expect(pausedSpans(acts, 'publish-tick')).toEqual(spans)
    expect(spansToMakeUp(acts, 'publish-tick')).toEqual([{ from: 10, to: 30 }])
    expect(spansToMakeUp([...acts, act('made_up', 60, { from: 10, to: 30 })], 'publish-tick')).toEqual([])
    const firsts = Array.from({ length: 60 }, (_, at) => at).filter((at) => isFirstAfter(spans, at, 5))
    expect(firsts).toEqual([30, 31, 32, 33, 34])
  })
})
