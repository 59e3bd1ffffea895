import { asyncLocalStorage, type Context } from '@temporalio/activity'
import { expect, test } from 'vitest'
import type { Pause } from '../../operations/pause/schedule-acts.ts'
import { SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import type { Activities } from '../../workflows/activities/activity-types.ts'
import { gateActivities } from '../../workflows/activities/gate-activities.ts'

type Name = keyof Activities

/** Activities that a schedule's pause holds, and their arguments where those decide. */
const HELD: readonly (readonly [schedule_id: string, name: Name, args: object])[] = [
  [SCHEDULE_IDS.settle, 'awaitSettlementWork', {}],
  [SCHEDULE_IDS.settle, 'settleWindows', {}],
  [SCHEDULE_IDS.settle, 'awaitWindow', {}],
  [SCHEDULE_IDS.settle, 'settleBatch', {}],
  [SCHEDULE_IDS.settle, 'resolutionStep', {}],
  [SCHEDULE_IDS.own_venue, 'ownVenueSession', {}],
  [SCHEDULE_IDS.tell_marks, 'tellMarks', {}],
  [SCHEDULE_IDS.list_markets, 'listMarkets', {}],
  [SCHEDULE_IDS.rate, 'rateMarkets', {}],
  [SCHEDULE_IDS.assess, 'assessEvents', {}],
  [SCHEDULE_IDS.assess, 'publishSeverityIndexes', {}],
  [SCHEDULE_IDS.expire, 'expireOverrides', {}],
  [SCHEDULE_IDS.govern, 'advanceGovernance', {}],
  [SCHEDULE_IDS.merge_files, 'compactTables', { whole: false }],
  [SCHEDULE_IDS.compact, 'compactTables', { whole: true }],
  [SCHEDULE_IDS.seal, 'sealTables', {}],
  [SCHEDULE_IDS.digests, 'recordDigests', {}],
  [SCHEDULE_IDS.vacuum, 'vacuumTables', {}],
]
/** Schedules whose work asks for pauses itself, wherever it runs: publishers, and sessions of venues. */
const ASKS_ITSELF = [SCHEDULE_IDS.publish]

/** Runs an activity as a worker does, while some schedules are paused. */
async function run(name: Name, args: unknown, paused: readonly string[]): Promise<boolean> {
  let ran = false
  const act = (schedule_id: string) =>
    ({ schedule_id, act: 'paused', actor: 'ada', reason: 'r', range: null, at: 1, acted_at: 'then' }) as const
  const pauses = { acts: async () => paused.map(act), of: async (): Promise<Pause | null> => null }
  const work = async () => {
    ran = true
  }
  const gated = gateActivities({ [name]: work } as unknown as Activities, { pauses })
  const context = { info: { attempt: 1 }, cancellationSignal: new AbortController().signal, heartbeat: () => undefined }
  const call = gated[name] as (args: unknown) => Promise<unknown>
  await asyncLocalStorage
    .run(context as unknown as Context, () => call(args))
    .catch((error: unknown) => {
      expect(error).toMatchObject({ type: 'SCHEDULE_PAUSED', nonRetryable: false })
    })
  return ran
}

test('every schedule holds its activities by its pause', () => {
  const held = HELD.map(([schedule_id]) => schedule_id)
  expect(new Set([...held, ...ASKS_ITSELF])).toEqual(new Set(Object.values(SCHEDULE_IDS)))
})

test.each(HELD)('%s holds %s, which waits for its end; other pauses do not', async (schedule_id, name, args) => {
  const others = Object.values(SCHEDULE_IDS).filter((id) => id !== schedule_id)
  expect(await run(name, args, [schedule_id])).toBe(false)
  expect(await run(name, args, [])).toBe(true)
  expect(await run(name, args, others)).toBe(true)
})

test('attempts under way on a rail are followed to their end, whatever is paused', async () => {
  expect(await run('followBatch', {}, Object.values(SCHEDULE_IDS))).toBe(true)
})
