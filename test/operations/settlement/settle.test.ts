import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { awaitWindow } from '../../../operations/settlement/await-window.ts'
import { measureBacklog } from '../../../operations/settlement/measure-backlog.ts'
import { railReversals } from '../../../operations/settlement/rail-reversals.ts'
import { runSettlement } from '../../../operations/settlement/run-settlement.ts'
import { settleDue } from '../../../operations/settlement/settle-due.ts'
import { SETTLEMENT_STEPS } from '../../../operations/settlement/settlement-ports.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { SettlementRail } from '../../../trading/settlement/settlement-rail.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import type { FaultRates } from '../../support/trading/fault-plan.ts'
import { faultRail } from '../../support/trading/fault-rail.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { openRailRecord } from '../../support/trading/rail-record.ts'
import { SettlementWorld, until } from '../../support/trading/settlement-world.ts'

const database = withDatabase()
const folder = tempFolder()
let records = 0

async function world(): Promise<SettlementWorld> {
  return SettlementWorld.start((await database()).pool)
}

async function railOf(rates: FaultRates, finality_ms = 400, late_ms = 150, now_ms = Date.now) {
  records += 1
  const record = await openRailRecord(join(folder, `rail-${records}`))
  return { record, rail: faultRail({ seed: '1', rates, record, now_ms, finality_ms, late_ms }) }
}

/** Runs the loop until it holds. */
async function settleUntil(of: SettlementWorld, rail: SettlementRail, holds: () => Promise<boolean>) {
  const stop = new AbortController()
  const running = runSettlement(of.ports(rail, { signal: stop.signal }), { late_ms: () => 0 })
  try {
    await until(holds)
  } finally {
    stop.abort()
    await running
  }
}

describe('settling', () => {
  test('both sides of a trade are confirmed once: money and quantity move, nothing is pending', async () => {
    const of = await world()
    await of.trade('acct_a', 'acct_b', '10', '0.40')
    const before = await of.pool.query('SELECT * FROM trading.fill ORDER BY fill_id')
    expect(await measureBacklog(of.ports().work, wallClock())).toMatchObject([{ pending: 2, in_review: 0 }])
    expect(await settleDue('asset_usd', 0, of.ports())).toEqual({ confirmed: 2, failed: 0, open: [] })
    expect(await settleDue('asset_usd', 0, of.ports())).toEqual({ confirmed: 0, failed: 0, open: [] })
    expect(await of.states()).toEqual(['confirmed', 'confirmed'])
    expect(await of.balance('acct_a')).toMatchObject({ pending_settlement_debit: 0, pending_settlement_credit: 0 })
    expect(await measureBacklog(of.ports().work, wallClock())).toMatchObject([{ pending: 0, oldest_ms: null }])
    expect((await of.pool.query('SELECT * FROM trading.fill ORDER BY fill_id')).rows).toEqual(before.rows)
    // Custody of our own has nothing to execute: attempts begin and end in one batch of the engine.
    const { rows } = await of.pool.query(
      'SELECT state, attempt_number, submitted_at = concluded_at AS at_once, external_reference = $1 || settlement_id AS is_named FROM trading.settlement_attempt',
      ['book/'],
    )
    const attempt = { state: 'confirmed', attempt_number: 1, at_once: true, is_named: true }
    expect(rows).toEqual([attempt, attempt])
    expect(await of.violations()).toEqual([])
    await of.stop()
  })

  test('while it is paused no attempt begins; afterwards what waited is settled', async () => {
    const of = await world()
    const { rail } = await railOf({})
    await of.trade('acct_a', 'acct_b', '10')
    const stop = new AbortController()
    let looks = 0
    let is_paused = true
    const isPaused = async () => {
      looks += 1
      return is_paused
    }
    const running = runSettlement(of.ports(rail, { signal: stop.signal }), { late_ms: () => 0, isPaused })
    await until(async () => looks > 5)
    const attempts = await of.pool.query('SELECT 1 FROM trading.settlement_attempt')
    expect(attempts.rows).toEqual([])
    is_paused = false
    await until(async () => (await of.states()).every((state) => state === 'confirmed'))
    stop.abort()
    await running
    await of.stop()
  })

  test('a window is collected at its end, and named by it', async () => {
    const of = await world()
    expect(await awaitWindow('asset_usd', 10, of.ports())).toBeNull()
    await of.trade('acct_a', 'acct_b', '10')
    const window = await awaitWindow('asset_usd', 1_000, of.ports())
    expect(window?.attempts.map(({ attempt_id }) => attempt_id)).toEqual(
      (await of.settlements()).map(({ settlement_id }) => `att_${settlement_id.slice(4)}_1`),
    )
    expect(Date.parse(window!.window_ends_at) % 100).toBe(0)
    await of.stop()
  })

  test.each([
    { fault: 'lost_answer', attempts: 1 },
    { fault: 'lost', attempts: 1 },
    { fault: 'late', attempts: 1 },
    { fault: 'duplicate', attempts: 1 },
    { fault: 'unavailable', attempts: 2 },
  ] as const)('$fault: it comes to one effect by itself', async ({ fault }) => {
    const of = await world()
    const { rail } = await railOf({ [fault]: 1_000 }, 600)
    await of.trade('acct_a', 'acct_b', '10')
    await settleUntil(of, rail, async () => (await of.states()).every((state) => state === 'confirmed'))
    expect(await of.violations()).toEqual([])
    await of.stop()
  })

  test('a rail that takes too long: the attempt fails, and the next one is answered with what was done', async () => {
    const of = await world()
    // The rail's clock stands still until a second attempt: then what the first one began is final.
    let now_ms = 0
    const { rail } = await railOf({ late: 1_000 }, 20, 600, () => now_ms)
    const slow: SettlementRail = {
      ...rail,
      submit: (instructions, signal) => {
        if (instructions.some(({ attempt_number }) => attempt_number > 1)) now_ms = 600
        return rail.submit(instructions, signal)
      },
    }
    await of.trade('acct_a', 'acct_b', '10')
    await settleUntil(of, slow, async () => (await of.states()).every((state) => state === 'confirmed'))
    const { settlement_id } = (await of.settlements())[0]!
    const { attempts } = await of.reads.readSettlement(settlement_id)
    expect(attempts[0]).toMatchObject({
      state: 'failed',
      failure_code: 'SETTLEMENT_FINALITY_TIMEOUT',
      next_action: 'retry',
    })
    const external_reference = `fault/${attempts[0]!.attempt_id}`
    expect(attempts.at(-1)).toMatchObject({ state: 'confirmed', external_reference })
    expect(attempts.map(({ attempt_number }) => attempt_number)).toEqual(attempts.map((_, n) => n + 1))
    expect(await of.violations()).toEqual([])
    await of.stop()
  })

  test('what a rail refuses for good waits for an operator, and its pending fields stay', async () => {
    const of = await world()
    const { rail } = await railOf({ rejected: 1_000 })
    await of.trade('acct_a', 'acct_b', '10')
    const pending = await of.balance('acct_a')
    expect(await settleDue('asset_usd', 0, of.ports(rail))).toEqual({ confirmed: 0, failed: 2, open: [] })
    expect(await settleDue('asset_usd', 0, of.ports(rail))).toEqual({ confirmed: 0, failed: 0, open: [] })
    expect(await of.balance('acct_a')).toEqual(pending)
    expect(await measureBacklog(of.ports().work, wallClock())).toMatchObject([{ in_review: 2, oldest_ms: null }])
    expect(await of.violations()).toEqual([])
    await of.stop()
  })

  test('what a rail took back is named, once it is confirmed here and until it is reversed', async () => {
    const of = await world()
    const { rail, record } = await railOf({})
    await of.trade('acct_a', 'acct_b', '10')
    await settleDue('asset_usd', 0, of.ports(rail))
    const [settlement] = await of.settlements()
    expect(await railReversals(of.ports(rail))).toEqual([])
    await record.takeBack(settlement!.settlement_id)
    expect(await railReversals(of.ports(rail))).toEqual([settlement!.settlement_id])
    await of.act({
      kind: 'reverse_settlement',
      reversal_id: 'rev_1',
      settlement_id: settlement!.settlement_id,
      reason_code: 'RAIL_REVERSAL',
      rationale: 'taken back',
      evidence: [],
      approved_by: 'omar',
    })
    expect(await railReversals(of.ports(rail))).toEqual([])
    expect(await of.violations()).toEqual([])
    await of.stop()
  })

  test('two that settle at once, and more than one command takes: each settlement is confirmed once', async () => {
    const of = await world()
    for (let n = 0; n < 6; n += 1) await of.trade('acct_a', 'acct_b', `${n + 1}`)
    const ports = of.ports(undefined, { policy: { ...of.ports().policy, batch_max: 5 } })
    await Promise.all([1, 2, 3].map(() => settleDue('asset_usd', 0, ports)))
    expect(await of.states()).toEqual(Array.from({ length: 12 }, () => 'confirmed'))
    const { rows } = await of.pool.query('SELECT count(*) AS attempts FROM trading.settlement_attempt')
    expect(rows).toEqual([{ attempts: 12 }])
    expect(await of.violations()).toEqual([])
    await of.stop()
  })

  test.each(SETTLEMENT_STEPS.slice(0, 4))(
    'whoever ends at %s is followed by another, and there is one effect',
    async (step) => {
      const of = await world()
      const { rail } = await railOf({ late: 300, lost_answer: 300, duplicate: 200 })
      for (let n = 0; n < 3; n += 1) await of.trade('acct_a', 'acct_b', `${n + 1}`)
      const reached = async (place: string) => {
        if (place === step) throw new ServiceError('SERVICE_UNAVAILABLE', 'ended')
      }
      await expect(settleDue('asset_usd', 0, of.ports(rail, { reached }))).rejects.toThrow('ended')
      await settleUntil(of, rail, async () => (await of.states()).every((state) => state === 'confirmed'))
      const { rows } = await of.pool.query(
        "SELECT count(*) FILTER (WHERE state = 'confirmed') AS confirmed, count(DISTINCT settlement_id) AS all FROM trading.settlement_attempt",
      )
      expect(rows).toEqual([{ confirmed: 6, all: 6 }])
      expect(await of.violations()).toEqual([])
      await of.stop()
    },
  )
})
