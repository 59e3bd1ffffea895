import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { publishNotices } from '../../../operations/notices/publish-notices.ts'
import { readNoticeFacts } from '../../../operations/notices/read-facts.ts'
import { readNotices } from '../../../operations/notices/read-notices.ts'
import { deriveNotices } from '../../../pipelines/notices/derive-notices.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { append, governHome } from '../../support/notice-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

vi.setConfig({ testTimeout: 120_000 })

const MINUTE: Micros = 60_000_000
const START = toMicros('2026-03-01T00:00:00Z')

/** One thing that happens: `minute` is of its tick or report, counted back from the present, so that some are late. */
const EVENT = fc.record({
  kind: fc.constantFrom('level', 'level', 'report', 'report', 'correction', 'status', 'resolution', 'pause'),
  subject: fc.constantFrom('a', 'b'),
  minute: fc.integer({ min: -30, max: 0 }),
  is_bad: fc.boolean(),
})
type Event = typeof EVENT extends fc.Arbitrary<infer E> ? E : never
const TURNS = fc.array(fc.array(EVENT, { maxLength: 6 }), { minLength: 3, maxLength: 8 })

test('notices derived in steps are those derived from all facts, in each turn of any history', async () => {
  await fc.assert(
    fc.asyncProperty(TURNS, async (turns) => {
      const root = join(tempFolder(), 'warehouse')
      const clock = { now: START }
      const ports = { now: async () => clock.now, without_clock_guards: true }
      const warehouse = await openWarehouse({ root, create: true, ports })
      await governHome(warehouse)
      const expected = new Set<string>()
      const world = createWorld(warehouse, clock)
      for (const turn of turns) {
        for (const event of turn) await world.happen(event)
        clock.now += 9 * MINUTE
        const whole = await readNoticeFacts(warehouse, null)
        for (const { notice_id } of deriveNotices(whole!.facts, clock.now)) expected.add(notice_id)
        await publishNotices(warehouse)
        const published = (await readNotices(warehouse)).map(({ notice_id }) => notice_id)
        expect(published.sort()).toEqual([...expected].sort())
      }
      await warehouse.close()
    }),
    { numRuns: 2, seed: 20_260_301, endOnFailure: true },
  )
})

/** Appends the records of events, each in a commit of its own. */
function createWorld(warehouse: Warehouse, clock: { now: Micros }) {
  const levels: { readonly id: string; readonly row: Row }[] = []
  const revisions = new Map<string, number>()
  let ordinal = 0
  const next = (name: string) => {
    revisions.set(name, (revisions.get(name) ?? 0) + 1)
    return revisions.get(name)!
  }
  return {
    async happen({ kind, subject, minute, is_bad }: Event): Promise<void> {
      ordinal += 1
      clock.now += 1_000_000
      const instant = formatMicros(clock.now + minute * MINUTE + ordinal)
      if (kind === 'level') {
        const id = `obs_${ordinal}`
        const row = levelRow({ id, subject, instant, is_bad })
        levels.push({ id, row })
        await append(warehouse, 'index_observation', row)
      }
      if (kind === 'correction' && levels.length > 0) {
        const { id, row } = levels.splice(ordinal % levels.length, 1)[0]!
        const corrected = { observation_id: `obs_${ordinal}`, revision: 2, supersedes_id: id, level: '12.0000' }
        await append(warehouse, 'index_observation', { ...row, ...corrected, ...(is_bad ? {} : { level: row.level! }) })
      }
      if (kind === 'report') await append(warehouse, 'ingest_health', reportRow(ordinal, subject, instant, is_bad))
      if (kind === 'pause') await append(warehouse, 'schedule_act', actRow(ordinal, subject, instant, is_bad))
      if (kind === 'status') await append(warehouse, 'index_definition', statusRow(subject, next(subject), is_bad))
      if (kind === 'resolution')
        await append(warehouse, 'market_resolution', resolutionRow(subject, next(`mkt_${subject}`), is_bad))
    },
  }
}

type Level = { readonly id: string; readonly subject: string; readonly instant: string; readonly is_bad: boolean }

function levelRow({ id, subject, instant, is_bad }: Level): Row {
  return {
    ...{ observation_id: id, revision: 1, index_id: `idx_${subject}`, index_version_id: 'idv_a', tick_at: instant },
    ...{ level: '10.0000', quality_state: is_bad ? 'stale' : 'valid', record_hash: `hash_${id}` },
    reason_codes: is_bad ? [`REASON_${id}`] : [],
  }
}

function reportRow(ordinal: number, subject: string, source_at: string, is_bad: boolean): Row {
  const counts = { gaps: 0, quarantined: 0, records_new: 0, sessions: 1 }
  return {
    ...counts,
    health_id: `ihl_${ordinal}`,
    venue_id: `venue_${subject}`,
    state: is_bad ? 'down' : 'ok',
    source_at,
  }
}

function actRow(ordinal: number, subject: string, source_at: string, is_bad: boolean): Row {
  const schedule_id = subject === 'a' ? 'publish-tick' : 'ingest-venue/kalshi'
  return {
    ...{ act_id: `act_${ordinal}`, schedule_id, act: is_bad ? 'paused' : 'resumed', actor: 'ann' },
    ...{ reason: 'so', source_at },
  }
}

function statusRow(subject: string, revision: number, is_bad: boolean): Row {
  const named = { index_id: `idx_${subject}`, slug: subject, symbol: subject.toUpperCase(), unit: 'points' }
  return {
    ...named,
    ...{ base_value: '10', base_date: formatMicros(START), revision, status: is_bad ? 'suspended' : 'active' },
  }
}

function resolutionRow(subject: string, revision: number, is_bad: boolean): Row {
  const source_at = formatMicros(START)
  return {
    ...{ resolution_id: `res_${subject}_${revision}`, revision, market_id: `mkt_${subject}`, venue_id: 'kalshi' },
    ...{ source_market_id: subject, finality: 'final', source_at, received_at: source_at },
    ...(revision === 1 ? {} : { supersedes_id: `res_${subject}_${revision - 1}`, correction_reason: 'VENUE' }),
    payouts: [{ outcome_id: is_bad ? 'out_n' : 'out_y', payout: '1' }],
  }
}
