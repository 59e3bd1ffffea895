import { describe, expect, test } from 'vitest'
import { resolutionStep } from '../../../operations/settlement/resolution-step.ts'
import { runSettlement } from '../../../operations/settlement/run-settlement.ts'
import { settleDue } from '../../../operations/settlement/settle-due.ts'
import type { SettlementPorts } from '../../../operations/settlement/settlement-ports.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { SettlementWorld, until } from '../../support/trading/settlement-world.ts'

const database = withDatabase()

const world = async () => SettlementWorld.start((await database()).pool)

async function propose(of: SettlementWorld, dispute_window_ms: number, yes = '1', no = '0'): Promise<string> {
  await of.act({
    kind: 'propose_resolution',
    resolution_id: 'res_1',
    market_id: 'mkt_1',
    verdict: 'resolved',
    payouts: [
      { outcome_id: 'out_yes', payout: yes },
      { outcome_id: 'out_no', payout: no },
    ],
    evidence: [],
    resolver: { kind: 'operator', resolver_id: 'desk-lead' },
    dispute_window_ms,
  })
  return 'res_1'
}

const step = (ports: SettlementPorts, unconfirmed: number | null = null) =>
  resolutionStep({ resolution_id: 'res_1', unconfirmed }, ports)

/** Until nothing is left to do. */
async function finish(of: SettlementWorld): Promise<void> {
  const stop = new AbortController()
  const running = runSettlement(of.ports(undefined, { signal: stop.signal }), { late_ms: () => 0 })
  await until(async () => (await of.ports().work.openResolutions(null)).length === 0)
  await until(async () => (await of.states()).every((state) => state === 'confirmed'))
  stop.abort()
  await running
}

const net = async (of: SettlementWorld) =>
  (
    await of.pool.query(
      "SELECT account_id, net_quantity FROM trading.position WHERE account_id LIKE 'acct\\__' AND net_quantity <> 0",
    )
  ).rows

describe('a resolution', () => {
  test('waits for its window, is finalized, and pays: positions end at 0, money is what a contract is worth', async () => {
    const of = await world()
    await of.trade('acct_a', 'acct_b', '10', '0.40')
    await settleDue('asset_usd', 0, of.ports())
    const [before_a, before_b] = [await of.balance('acct_a'), await of.balance('acct_b')]
    const now = wallClock()
    await propose(of, 300)
    const [proposed] = await of.ports().work.openResolutions('res_1')
    const left_us = proposed!.dispute_window_ends_at - now
    expect(left_us).toBeGreaterThanOrEqual(300_000)
    const waiting = await step(of.ports(undefined, { now: () => now }))
    expect(waiting).toMatchObject({ state: 'window', wait_ms: Math.ceil(left_us / 1_000) + 1 })
    await finish(of)
    expect(await step(of.ports())).toEqual({ state: 'ended', wait_ms: null, unconfirmed: null })
    expect(await net(of)).toEqual([])
    expect((await of.balance('acct_a')).total - before_a.total).toBe(10_000_000)
    expect((await of.balance('acct_b')).total - before_b.total).toBe(-10_000_000)
    expect((await of.settlements()).filter(({ kind }) => kind === 'resolution_payout')).toHaveLength(2)
    expect(await of.violations()).toEqual([])
    await of.stop()
  })

  test('a position whose trades are not settled is not paid; nothing is asked of the engine until that changes', async () => {
    const of = await world()
    await of.trade('acct_a', 'acct_b', '10')
    await propose(of, 0)
    const ports = of.ports()
    expect(await step(ports)).toMatchObject({ state: 'paying', wait_ms: 0 })
    const held = await step(ports)
    expect(held).toMatchObject({ state: 'held', unconfirmed: 2 })
    const acts = async () => (await of.pool.query('SELECT count(*) AS acts FROM trading.operator_act')).rows[0]
    const before = await acts()
    expect(await step(ports, held.unconfirmed)).toEqual(held)
    expect(await acts()).toEqual(before)
    await settleDue('asset_usd', 0, ports)
    expect(await step(ports, held.unconfirmed)).toMatchObject({ state: 'ended' })
    expect(await net(of)).toEqual([])
    await of.stop()
  })

  test('a disputed one waits for the decision: rejected, it goes on; upheld, it ends and another is proposed', async () => {
    const of = await world()
    await of.trade('acct_a', 'acct_b', '10')
    await settleDue('asset_usd', 0, of.ports())
    const resolution_id = await propose(of, 60_000)
    const dispute = { resolution_id, dispute_id: 'dsp_1' }
    await of.act({ kind: 'dispute_resolution', ...dispute, filer: 'acct_b', basis: 'no' })
    expect(await step(of.ports())).toMatchObject({ state: 'disputed' })
    await of.act({ kind: 'decide_dispute', ...dispute, upheld: true, decision: 'right' })
    expect(await step(of.ports())).toMatchObject({ state: 'ended' })
    expect(await net(of)).toHaveLength(2)
    expect(await of.violations()).toEqual([])
    await of.stop()
  })

  test('what the engine refuses is told and looked at again', async () => {
    const of = await world()
    await propose(of, 60_000)
    const problems: unknown[] = []
    const ports = of.ports(undefined, {
      now: () => wallClock() + 120_000_000,
      on_problem: (error) => problems.push(error),
    })
    expect(await step(ports)).toMatchObject({ state: 'window', wait_ms: 5_000 })
    expect(problems).toHaveLength(1)
    await of.stop()
  })

  test.each(['before-finalize', 'after-finalize', 'after-pay'] as const)(
    'whoever ends at %s is followed by another, and every position is paid once',
    async (place) => {
      const of = await world()
      await of.trade('acct_a', 'acct_b', '10')
      await of.trade('acct_c', 'acct_b', '5')
      await settleDue('asset_usd', 0, of.ports())
      await propose(of, 0)
      let left = 1
      const reached = async (name: string) => {
        if (name !== place || left === 0) return
        left -= 1
        throw new ServiceError('SERVICE_UNAVAILABLE', 'ended')
      }
      const ports = of.ports(undefined, { reached, policy: { ...of.ports().policy, payouts_max: 1 } })
      const ended = async () => {
        for (let n = 0; n < 3; n += 1) await step(ports)
      }
      await expect(ended()).rejects.toThrow('ended')
      await finish(of)
      expect(await net(of)).toEqual([])
      const { rows } = await of.pool.query('SELECT count(*) AS payouts FROM trading.resolution_payout')
      expect(rows).toEqual([{ payouts: 3 }])
      expect(await of.violations()).toEqual([])
      await of.stop()
    },
  )

  test('a correction pays the differences', async () => {
    const of = await world()
    await of.trade('acct_a', 'acct_b', '10', '0.40')
    await settleDue('asset_usd', 0, of.ports())
    const before = await of.balance('acct_b')
    await propose(of, 0)
    await finish(of)
    await of.act({
      kind: 'correct_resolution',
      resolution_id: 'res_2',
      supersedes_id: 'res_1',
      payouts: [
        { outcome_id: 'out_yes', payout: '0' },
        { outcome_id: 'out_no', payout: '1' },
      ],
      evidence: [],
      resolver: { kind: 'operator', resolver_id: 'desk-lead' },
      correction_reason: 'the source has corrected itself',
      approved_by: 'omar',
    })
    await finish(of)
    expect((await of.balance('acct_b')).total).toBe(before.total)
    expect((await of.settlements()).filter(({ kind }) => kind === 'resolution_correction')).toHaveLength(2)
    expect(await of.violations()).toEqual([])
    await of.stop()
  })
})
