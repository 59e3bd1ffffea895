import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { backfillChunk } from '../../../operations/backfill/backfill-chunk.ts'
import { type BackfillSubject, backfillIdOf } from '../../../operations/backfill/backfill-subject.ts'
import type { BackfillProgress } from '../../../operations/backfill/backfill-types.ts'
import { planBackfill } from '../../../operations/backfill/plan-backfill.ts'
import { runBackfill } from '../../../operations/backfill/run-backfill.ts'
import { emptyTally } from '../../../simulator/truth/trade-tally.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { journalKey } from '../../../warehouse/store/work-keys.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { FROM, portsOf, recordsOf, servePast, TO } from './served-past.ts'

const folder = tempFolder()
const running: { close(): Promise<void> }[] = []
const TIMEOUT_MS = 300_000
/** How often a backfill is ended before it may end by itself. */
const ENDED = sized(1, 3)
const SUBJECT: BackfillSubject = {
  kind: 'venue',
  request: { venue_id: 'kalshi', from: FROM, to: TO, markets: null },
}

afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
})

const opened = <T extends { close(): Promise<void> }>(one: T): T => {
  running.unshift(one)
  return one
}

async function emptyWarehouse(name: string): Promise<Warehouse> {
  return opened(await openWarehouse({ root: join(folder, name), create: true }))
}

function observedIn({ market_quote, public_trade, market_resolution }: Record<string, readonly unknown[]>): number {
  return [market_quote, public_trade, market_resolution].reduce((sum, rows) => sum + rows!.length, 0)
}

async function storedProgress(warehouse: Warehouse) {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    return await session.query('select state, chunks_done, chunks_total from backfill_run_history order by updated_at')
  } finally {
    await session.close()
  }
}

/** Current marks without when they were made and by which revision. */
async function marksOf(warehouse: Warehouse) {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    return await session.query(`
      select outcome_id, tick_at, mark, mark_rule, midpoint, freshness_class, source_at, source_observation_ids
      from market_mark order by outcome_id, tick_at`)
  } finally {
    await session.close()
  }
}

describe('a backfill in this process', () => {
  test(
    'ended again and again goes on where it was, and ends in the rows of one that was not',
    async () => {
      const served = opened(await servePast('kalshi'))
      const whole = await emptyWarehouse('undisturbed')
      const undisturbed = await runBackfill(SUBJECT, {
        ...opened(portsOf(served, whole)).ports,
        home: join(folder, 'undisturbed-home'),
      })
      expect(undisturbed).toMatchObject({ state: 'done', chunks_done: undisturbed.chunks_total, chunks_resumed: 0 })
      const marks = await marksOf(whole)
      expect(new Set(marks.map(({ mark_rule }) => mark_rule))).toContain('M0')
      expect(undisturbed.marks_published).toBeGreaterThanOrEqual(marks.length)

      const warehouse = await emptyWarehouse('disturbed')
      const home = join(folder, 'disturbed-home')
      let resumed = 0
      for (let run = 1; run <= ENDED + 1; run += 1) {
        const stop = new AbortController()
        const on_progress = ({ chunks_done, chunks_total }: BackfillProgress) => {
          // Early enough that the chunks under way, which complete, are never all that are left.
          if (run <= ENDED && chunks_total > 0 && chunks_done >= run * 2) stop.abort()
        }
        const ports = { ...opened(portsOf(served, warehouse, stop.signal)).ports, home, on_progress }
        if (run <= ENDED) await expect(runBackfill(SUBJECT, ports)).rejects.toThrow('aborted')
        else {
          const report = await runBackfill(SUBJECT, ports)
          resumed = report.chunks_resumed
          expect(report).toMatchObject({ state: 'done', chunks_total: undisturbed.chunks_total })
        }
      }
      expect(resumed).toBeGreaterThanOrEqual(2 * ENDED)
      expect(await recordsOf(warehouse)).toEqual(await recordsOf(whole))
      expect(await marksOf(warehouse)).toEqual(marks)
      expect(await auditWarehouse({ warehouse })).toMatchObject({ violations: [] })
      const states = (await storedProgress(warehouse)).map(({ state }) => state)
      expect(states.filter((state) => state === 'cancelled')).toHaveLength(ENDED)
      expect(states.at(-1)).toBe('done')

      // Once it has come to its end it begins anew, and finds everything there.
      const ports = { ...opened(portsOf(served, warehouse)).ports, home }
      expect(await runBackfill(SUBJECT, ports)).toMatchObject({
        ...{ state: 'done', records_new: 0, marks_published: 0, chunks_resumed: 0 },
      })
    },
    TIMEOUT_MS,
  )

  test(
    'a venue that fails for a while is asked again; one that stays away fails the backfill, which goes on later',
    async () => {
      const served = opened(await servePast('kalshi'))
      const warehouse = await emptyWarehouse('failing')
      const home = join(folder, 'failing-home')
      const problems: unknown[] = []
      const [market] = served.venue.truth(emptyTally()).markets.map(({ source_market_id }) => source_market_id)
      const subject = {
        kind: 'venue',
        request: { venue_id: 'kalshi', from: FROM, to: TO, markets: [market!] },
      } as const
      const run = () =>
        runBackfill(subject, {
          ...opened(portsOf(served, warehouse)).ports,
          home,
          parallel: 1,
          on_problem: (error) => problems.push(error),
        })
      // Three attempts of the client, once over.
      for (let n = 0; n < 4; n += 1) served.faults.nextAnswer('/markets/trades', { kind: 'status', status: 503 })
      expect(await run()).toMatchObject({ state: 'done' })
      expect(problems).toHaveLength(1)
      const file = join(warehouse.root, journalKey(backfillIdOf(subject)))
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ complete: true })
      writeFileSync(file, '{"format":1')
      await expect(run()).rejects.toMatchObject({ code: 'VALIDATION_INPUT_UNREADABLE' })
    },
    TIMEOUT_MS,
  )

  test('a market that the venue does not know, and a feed without markets, are refused', async () => {
    const served = opened(await servePast('kalshi'))
    const { ports } = opened(portsOf(served, await emptyWarehouse('refused')))
    const request = { venue_id: 'kalshi', from: FROM, to: TO, markets: ['KXNOSUCH'] } as const
    await expect(planBackfill(request, ports)).rejects.toMatchObject({ code: 'MARKET_NOT_FOUND' })
    await expect(planBackfill({ ...request, venue_id: 'usgs', markets: null }, ports)).rejects.toMatchObject({
      message: 'venue is usgs, which has no markets; allowed: polymarket, kalshi, manifold, predictit, betfair',
    })
  })
})

test(
  'the same chunks done by several at the same time are stored once',
  async () => {
    const served = opened(await servePast('kalshi'))
    const alone = await emptyWarehouse('alone')
    const first = opened(portsOf(served, alone)).ports
    const chunks = (await planBackfill(SUBJECT.request as never, first)).slice(0, sized(2, 4))
    for (const chunk of chunks) await backfillChunk(chunk, first)

    const warehouse = await emptyWarehouse('crowd')
    const other = opened(await openWarehouse({ root: warehouse.root }))
    await planBackfill(SUBJECT.request as never, opened(portsOf(served, warehouse)).ports)
    const planned = observedIn(await recordsOf(warehouse))
    const crowd = [warehouse, other, warehouse].map((one) => opened(portsOf(served, one)).ports)
    const reports = await Promise.all(crowd.flatMap((ports) => chunks.map((chunk) => backfillChunk(chunk, ports))))
    const rows = await recordsOf(warehouse)
    expect(rows).toEqual(await recordsOf(alone))
    expect(await auditWarehouse({ warehouse })).toMatchObject({ violations: [] })
    const added = reports.reduce((sum, report) => sum + report.records_new, 0)
    expect(added).toBe(observedIn(rows) - planned)
  },
  TIMEOUT_MS,
)
