import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VenueConnector } from '../../../connectors/venues/venue-connector.ts'
import type { OwnVenueWork } from '../../../operations/own-venue/own-venue-work.ts'
import { recordPause, recordResume } from '../../../operations/pause/record-schedule-act.ts'
import { listSeverity } from '../../../operations/severity/read-severity.ts'
import { MICROS_PER_DAY } from '../../../primitives/instants.ts'
import { openLivePorts } from '../../../service/live/live-ports.ts'
import { runLiveWork } from '../../../service/live/run-live-work.ts'
import { latePauses } from '../../../service/schedules/late-pauses.ts'
import { ingestScheduleOf, SCHEDULE_IDS } from '../../../vocabulary/schedules.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { hazardRow } from '../../support/hazard-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { eventually } from '../../workflows/support/temporal.ts'

const VENUE = 'kalshi'
const BY = { actor: 'ada', reason: 'wrong books' }
/** Everything that the scheduler of a process runs by the clock. */
const LOOPS = [
  ingestScheduleOf(VENUE),
  SCHEDULE_IDS.own_venue,
  SCHEDULE_IDS.tell_marks,
  SCHEDULE_IDS.list_markets,
  SCHEDULE_IDS.merge_files,
  SCHEDULE_IDS.assess,
] as const
/** Long enough for every loop to have a turn. */
const TURN_MS = 1_500

const folder = tempFolder()
const root = join(folder, 'warehouse')
let warehouse: Warehouse
/** Turns by schedule, and sessions of the own venue that have ended. */
const turns = new Map<string, number>()
let sessions_ended = 0
const count = (id: string) => void turns.set(id, (turns.get(id) ?? 0) + 1)

beforeAll(async () => {
  warehouse = await openWarehouse({ root, create: true })
  const day = (await warehouse.now()) - MICROS_PER_DAY
  const options = { app_id: 'alert', app_sequence: 1, stamp: { kind: 'recorded', at: day }, operation: 'TEST' } as const
  await warehouse.append('hazard_alert', [hazardRow('evt_paused', day)], options)
  for (const id of [SCHEDULE_IDS.publish, ...LOOPS]) await recordPause(warehouse, id, BY)
})
afterAll(() => warehouse.close())

const own_venue: OwnVenueWork = {
  session: async (_session, { signal }) => {
    count(SCHEDULE_IDS.own_venue)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    sessions_ended += 1
    return { records_new: 0, last_source_at: null, cursor: 0 }
  },
  tellMarks: async () => {
    count(SCHEDULE_IDS.tell_marks)
    return { told: 0 }
  },
  listMarkets: async () => {
    count(SCHEDULE_IDS.list_markets)
    return { done: 0, refused: 0, notes: 0 }
  },
}

/** The warehouse, with merges counted. */
function counted(of: Warehouse): Warehouse {
  return {
    ...of,
    log: (table) => {
      const log = of.log(table)
      const compact: typeof log.compact = (...args) => {
        count(SCHEDULE_IDS.merge_files)
        return log.compact(...args)
      }
      return { ...log, compact }
    },
  }
}

/** Runs the scheduler of a process, without a Temporal server, until something holds. */
async function work(until: () => Promise<unknown>): Promise<void> {
  turns.clear()
  const stop = new AbortController()
  const ports = openLivePorts({
    home: folder,
    warehouse: counted(warehouse),
    connect: () => {
      count(ingestScheduleOf(VENUE))
      throw new RangeError('no such venue here') as unknown as VenueConnector
    },
    follows: () => true,
    on_problem: () => undefined,
    output: { note: () => undefined, problem: () => undefined },
    own_venue,
  })
  const running = runLiveWork({
    ports,
    venues: [VENUE],
    temporal: Promise.resolve(null),
    owner: 'ours',
    queues: ['live'],
    cache: folder,
    signal: stop.signal,
    on_problem: () => undefined,
    on_step: () => undefined,
    on_note: () => undefined,
  })
  try {
    await until()
  } finally {
    stop.abort()
    await running
    await ports.close()
  }
}

const assessed = async () => (await listSeverity({ as_of: null, assessment_type: 'observed', warehouse })).length > 0

describe('the scheduler of a process', () => {
  test('begins nothing that is paused, nor after a restart', async () => {
    for (const _start of ['first', 'second']) {
      await work(() => sleep(TURN_MS))
      expect([...turns]).toEqual([])
      expect(await assessed()).toBe(false)
    }
  })

  test.each(LOOPS.filter((id) => id !== SCHEDULE_IDS.assess))(
    'begins %s, and nothing else, when that alone is resumed',
    async (id) => {
      await recordResume(warehouse, id, BY)
      await work(() => eventually(async () => (turns.has(id) ? true : null)))
      expect([...turns.keys()]).toEqual([id])
      await recordPause(warehouse, id, BY)
    },
  )

  test('assesses when that is resumed', async () => {
    await recordResume(warehouse, SCHEDULE_IDS.assess, BY)
    await work(() => eventually(async () => ((await assessed()) ? true : null)))
    expect([...turns]).toEqual([])
  })

  test('ends work under way within seconds when it is paused', async () => {
    await recordResume(warehouse, SCHEDULE_IDS.own_venue, BY)
    await work(async () => {
      await eventually(async () => (turns.has(SCHEDULE_IDS.own_venue) ? true : null))
      const ended_before = sessions_ended
      await recordPause(warehouse, SCHEDULE_IDS.own_venue, BY)
      await eventually(async () => (sessions_ended > ended_before ? true : null))
      const before = turns.get(SCHEDULE_IDS.own_venue)
      await sleep(TURN_MS)
      expect(turns.get(SCHEDULE_IDS.own_venue)).toBe(before)
    })
  })
})

test('a part that begins before its warehouse is made sees its pauses as soon as that is there', async () => {
  const late_root = join(folder, 'late')
  const pauses = latePauses(late_root)
  expect(await pauses.isPaused(SCHEDULE_IDS.settle)).toBe(false)
  const made = await openWarehouse({ root: late_root, create: true })
  await recordPause(made, SCHEDULE_IDS.settle, BY)
  expect(await pauses.isPaused(SCHEDULE_IDS.settle)).toBe(true)
  await recordResume(made, SCHEDULE_IDS.settle, BY)
  expect(await pauses.isPaused(SCHEDULE_IDS.settle)).toBe(false)
  await pauses.close()
  await made.close()
})
