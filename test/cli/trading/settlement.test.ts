import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settleDue } from '../../../operations/settlement/settle-due.ts'
import { equalPayouts, readPayouts } from '../../../service/trading/payouts.ts'
import { railAnswer, type SettlementRail } from '../../../trading/settlement/settlement-rail.ts'
import { refusal } from '../../support/refusal.ts'
import { tidemark } from '../../support/run-cli.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { SettlementWorld } from '../../support/trading/settlement-world.ts'

/** Commands beside an engine that leads. One story: a failed settlement, a reversal, a dispute, a resolution, a correction. */
const fresh = withDatabase()
let world: SettlementWorld
let environment: Record<string, string>
/** Settlement that was reversed and is not adjusted yet. */
let reversed: string

beforeAll(async () => {
  const database = await fresh()
  world = await SettlementWorld.start(database.pool)
  environment = { DATABASE_URL: database.url, TIDEMARK_ENVIRONMENT: 'sandbox', TIDEMARK_HOME: tempFolder() }
  await done('operator', 'add', 'omar', ...BECAUSE)
}, 120_000)
afterAll(() => world.stop())

type Printed = Record<string, unknown> & { error?: { code: string; message: string } }

async function run(...argv: readonly string[]) {
  const { exit_code, stdout, stderr } = await tidemark([...argv, '--json'], { environment })
  return { exit_code, stderr, answer: JSON.parse(stdout) as Printed }
}

async function done(...argv: readonly string[]) {
  const { exit_code, answer } = await run(...argv)
  expect(answer.error).toBeUndefined()
  expect(exit_code).toBe(0)
  return answer
}

const BECAUSE = ['--reason', 'a test', '--actor', 'desk-lead']

/** Refuses everything. */
const REFUSING: SettlementRail = {
  name: 'refusing',
  finality_ms: 1_000,
  submit: async (all) =>
    all.map(({ settlement_id }) => railAnswer(settlement_id, 'rejected', { message: 'not today' })),
  statusOf: async () => [],
  reversals: async () => [],
}

const ids = async () => (await world.settlements()).map(({ settlement_id }) => settlement_id)

test('what waits is told; a failure says why, and what is next', async () => {
  await world.trade('acct_a', 'acct_b', '10', '0.40')
  expect(await done('settlement', 'backlog')).toMatchObject([{ asset_id: 'asset_usd', pending: 2, in_review: 0 }])
  await settleDue('asset_usd', 0, world.ports(REFUSING))
  const failed = await done('settlement', 'list', '--state', 'failed')
  expect(failed).toMatchObject([
    { failure_code: 'SETTLEMENT_SUBMISSION_REJECTED', message: 'not today', next_action: 'operator_review' },
    { quantity: '10.00', amount: '4.000000' },
  ])
  expect(await done('settlement', 'list', '--state', 'failed', '--account', 'acct_c')).toEqual([])
  expect(await done('settlement', 'list', '--taken-back')).toEqual([])
  const [first] = await ids()
  expect(await done('settlement', 'show', first!)).toMatchObject({ state: 'failed', attempts: [{ rail: 'refusing' }] })
})

test('an operator retries what failed, by name; what did not fail is refused', async () => {
  for (const id of await ids()) {
    const retried = await done('settlement', 'retry', id, ...BECAUSE)
    expect(retried).toMatchObject({
      state: 'confirmed',
      attempt_count: 2,
      last_attempt: { external_reference: `book/${id}` },
    })
  }
  const [first] = await ids()
  const { rows } = await world.pool.query(
    "SELECT actor, reason FROM trading.settlement_transition WHERE settlement_id = $1 AND attempt_id LIKE '%_2' ORDER BY engine_sequence",
    [first],
  )
  expect(rows[0]).toEqual({ actor: 'desk-lead', reason: 'a test' })
  expect(await run('settlement', 'retry', first!, ...BECAUSE)).toMatchObject({
    exit_code: 2,
    answer: { error: { message: `settlement ${first} is confirmed; allowed: a failed one` } },
  })
  expect(await run('settlement', 'show', 'stl_none')).toMatchObject({ exit_code: 2 })
})

test('a confirmation is reversed with a second person, and once', async () => {
  await world.trade('acct_c', 'acct_b', '1', '0.30')
  await done('settlement', 'run', '--once')
  const id = (await ids()).at(-1)!
  const reverse = (approver: string) =>
    run('settlement', 'reverse', id, '--approved-by', approver, '--evidence', 'case:93', ...BECAUSE)
  expect(await reverse('desk-lead')).toMatchObject({ exit_code: 2 })
  expect(await reverse('omar')).toMatchObject({ exit_code: 0, answer: { settlement_id: id, approved_by: 'omar' } })
  expect(await reverse('omar')).toMatchObject({ exit_code: 2 })
  expect(await done('settlement', 'show', id)).toMatchObject({ state: 'reversed' })
  reversed = id
})

describe('how a market ends', () => {
  const resolve = (...more: readonly string[]) =>
    run(
      'market',
      'resolve',
      'mkt_1',
      '--payout',
      'out_yes=1',
      '--evidence',
      'https://port.example/q1',
      ...more,
      ...BECAUSE,
    )

  test('payouts that make no sense are refused, and nothing has changed', async () => {
    for (const payout of ['out_maybe=1', 'out_yes=lots', 'out_yes']) {
      const { exit_code } = await run('market', 'resolve', 'mkt_1', '--payout', payout, ...BECAUSE)
      expect(exit_code).toBe(2)
    }
    const too_much = ['--payout', 'out_yes=1', 'out_no=1']
    expect(await run('market', 'resolve', 'mkt_1', ...too_much, ...BECAUSE)).toMatchObject({ exit_code: 2 })
    expect(await run('market', 'dispute', 'mkt_1', '--filer', 'x', '--basis', 'y', ...BECAUSE)).toMatchObject({
      exit_code: 3,
    })
    expect(await done('market', 'list')).toMatchObject([{ status: 'open' }])
  })

  test('proposed, disputed, and withdrawn: the market is closed again', async () => {
    const { answer } = await resolve('--dispute-window', 'PT1H')
    expect(answer).toMatchObject({ finality: 'proposed', verdict: 'resolved', revision: 1 })
    expect(answer.payouts).toEqual([
      { outcome_id: 'out_yes', payout: '1' },
      { outcome_id: 'out_no', payout: '0' },
    ])
    expect(answer.paid_by).toContain('tidemark settlement run')
    await done('market', 'dispute', 'mkt_1', '--filer', 'acct_b', '--basis', 'counted wrong', ...BECAUSE)
    expect(await run('market', 'decide', 'mkt_1', '--decision', 'right', ...BECAUSE)).toMatchObject({ exit_code: 2 })
    await done('market', 'decide', 'mkt_1', '--uphold', '--decision', 'right', ...BECAUSE)
    expect(await done('market', 'list')).toMatchObject([{ status: 'closed' }])
  })

  test('proposed again, waited for, paid, corrected and put away', async () => {
    const resolving = resolve('--dispute-window', 'PT3S', '--wait')
    // What is pending again holds the payout up.
    await expect
      .poll(() => done('settlement', 'waiting'))
      .toMatchObject([{ open_settlements: 1, holds_up: 'position' }])
    const { fill_id } = await done('settlement', 'show', reversed)
    const bust = ['--type', 'bust', '--code', 'RAIL_REVERSAL', '--approved-by', 'omar', ...BECAUSE]
    await adjusted(fill_id as string, bust)
    const { answer, stderr } = await resolving
    expect(await done('settlement', 'waiting')).toEqual([])
    expect(answer).toMatchObject({ finality: 'final', paid: true, revision: 2 })
    expect(stderr).toMatch(/… open to dispute\n(.*\n)*… ended/)
    expect(await done('market', 'list')).toMatchObject([{ status: 'resolved' }])
    const correction = ['--payout', 'out_no=1', '--approved-by', 'omar', '--wait', ...BECAUSE]
    expect(await done('market', 'correct', 'mkt_1', ...correction)).toMatchObject({ revision: 3, paid: true })
    await done('settlement', 'run', '--once')
    expect(await done('settlement', 'backlog')).toMatchObject([{ pending: 0, in_review: 0, oldest_ms: null }])
    await done('market', 'archive', 'mkt_1', ...BECAUSE)
    expect(await done('market', 'list')).toMatchObject([{ status: 'archived' }])
    const audited = await run('audit', '--trading')
    const invariants = audited.answer.invariants as { invariant_id: string; violations: unknown[] }[]
    const broken = invariants.filter(({ violations }) => violations.length > 0)
    // Orders of this world carry no real signatures.
    expect([audited.exit_code, broken.map(({ invariant_id }) => invariant_id)]).toEqual([1, ['O10']])
    expect(await world.violations()).toEqual([])
  })
})

/** Busts a fill; the commands name the account, the market and the amounts before and after. */
async function adjusted(fill_id: string, bust: readonly string[]): Promise<void> {
  const file = join(tempFolder(), 'act.json')
  const asked = { act_id: 'act_saved', actor: 'desk-lead', reason: 'a test', issued_at: '2026-01-17T00:00:00Z' }
  const command = { kind: 'adjust_fill', adjustment_id: 'adj_1', fill_id, adjustment_type: 'bust' }
  writeFileSync(file, JSON.stringify({ ...asked, command }))
  const { account_id } = await done('settlement', 'show', reversed)
  expect(await done('operator', 'show', file)).toMatchObject({
    ...{ fill_id, adjustment_type: 'bust', fill: { fill_id, account_id, market_id: 'mkt_1', price: '0.30' } },
    before: { quantity: '1.00', notional: '0.300000' },
    after: { quantity: '0.00', notional: '0.000000', fee: '0.000000' },
    other_side: { account_id: 'acct_c', quantity: '1.00', notional: '0.300000' },
  })
  const { stderr } = await run('adjust', fill_id, ...bust)
  expect(stderr).toContain(`${fill_id}: `)
  expect(stderr).toContain('of mkt_1 at 0.30; quantity 1.00 -> 0.00, notional 0.300000 -> 0.000000')
  expect(await done('operator', 'show', file)).toMatchObject({ before: { quantity: '0.00' } })
  const alone = { environment: { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' } }
  const shown = await tidemark(['operator', 'show', file, '--json'], alone)
  expect([shown.exit_code, JSON.parse(shown.stdout).fill_id]).toEqual([0, fill_id])
  expect(shown.stderr).toContain(`what ${fill_id} is now is not shown`)
}

describe('payouts', () => {
  const of = (count: number) => Array.from({ length: count }, (_, n) => ({ outcome_id: `out_${n}`, label: `O${n}` }))

  test('equal shares are exact or not at all', () => {
    expect(equalPayouts(of(2)).map(({ payout }) => payout)).toEqual(['0.500000', '0.500000'])
    expect(equalPayouts(of(8))[7]).toEqual({ outcome_id: 'out_7', payout: '0.125000' })
    expect(refusal('VALIDATION_USAGE_INVALID', () => equalPayouts(of(3))).message).toBe(
      'payout is missing; allowed: OUTCOME=PAYOUT for each, since equal shares of 3 outcomes are not exact',
    )
  })

  test('an outcome is named by its id or label, once', () => {
    expect(readPayouts(['O1=0.25', 'out_0=0.75'], of(3)).map(({ payout }) => payout)).toEqual(['0.75', '0.25', '0'])
    expect(refusal('VALIDATION_USAGE_INVALID', () => readPayouts(['out_0=1', 'O0=0'], of(2))).message).toBe(
      'payout is "O0=0"; allowed: each outcome once',
    )
  })
})
