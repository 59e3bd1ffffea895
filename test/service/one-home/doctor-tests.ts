import { beforeAll, expect, test } from 'vitest'
import { openSocket } from '../../../cli/doctor/open-socket.ts'
import { readKeyFile } from '../../../cli/doctor/read-key-file.ts'
import { type DoctorReport, runDoctor } from '../../../client/doctor/run-doctor.ts'
import { PLANTED_IN_SANDBOX } from '../../client/doctor/planted-in-sandbox.ts'
import { startAlteringProxy } from '../../support/altering-proxy.ts'
import { type CliResult, tidemark, tidemarkProcess } from '../../support/run-cli.ts'
import { latestLevel, until } from '../../support/service-process.ts'
import { sized } from '../../support/sized.ts'
import { isAssessed, isRated, isTraded, type PublicReads, publicReads } from './public-reads.ts'
import type { Running } from './running.ts'

const START_MS = 480_000
const BUDGET_S = sized(14, 60)
/** Longest time for checks that a busy machine did not come to. */
const BUDGET_S_MAX = 160
/** Checks of what only a live service has. */
const LIVE: readonly string[] = ['A20', 'A22', 'A23', 'A24', 'A25']

/** Runs the command as an operator does, in this process. */
export function doctor(running: Running, ...options: readonly string[]): Promise<CliResult> {
  return tidemark(argvOf(running, ...options))
}

function argvOf({ home, service }: Running, ...options: readonly string[]): readonly string[] {
  const { ready, ready_file } = service()
  const place = ['--base-url', ready.base_url, '--key-file', ready_file, '--home', home]
  return ['doctor', ...place, ...options, '--legacy-before', '1970-01-01T00:00:00Z']
}

/** The doctor against a live sandbox: everything that it offers agrees, and faults of private answers are caught. */
export function doctorTests(running: Running): void {
  const { service } = running
  const reads = publicReads(running)

  beforeAll(async () => {
    const { ready, notes } = service()
    await until(async () => (await latestLevel(ready, 'idx_live_current')) !== null, START_MS, notes)
    for (const isThere of [isRated, isAssessed, isTraded]) await until(() => isThere(reads), START_MS, notes)
  }, START_MS)

  test('the sandbox agrees with itself', async () => {
    const argv = argvOf(running, '--budget', `PT${BUDGET_S}S`, '--seed', '11', '--json')
    const { exit_code, stdout, stderr } = await tidemarkProcess(argv)
    expect(stderr).toBe('')
    const { checks: begun, ok, took_ms } = JSON.parse(stdout) as DoctorReport
    const checks = await withoutHurry(running, begun)
    const wrong = checks.filter(({ result }) => !['ok', 'not offered', 'nothing to compare'].includes(result))
    expect(wrong).toEqual([])
    expect([exit_code, ok]).toEqual([0, true])
    // A bound for a run that never ends: on a busy machine the requests under way at the end take seconds.
    expect(took_ms).toBeLessThan((BUDGET_S + 30) * 1000)
    const own = checks.filter(({ id }) => LIVE.includes(id))
    expect(own.map(({ id, result, compared }) => [id, result, compared > 0])).toEqual(
      own.map(({ id }) => [id, 'ok', true]),
    )
  }, 600_000)

  test('the table names every check asked for, and the seed repeats the run', async () => {
    const { stdout, exit_code } = await doctor(running, '--only', 'A5,A21', '--seed', '5', '--budget', 'PT20S')
    expect(stdout).toMatch(/^check +title +compared +requests +values +result$/m)
    expect(stdout).toMatch(/^A21 +Eligibility .* ok$/m)
    expect(stdout).toContain('repeat with --seed 5')
    expect(exit_code).toBe(0)
  }, 120_000)

  test.each(sized(PLANTED_IN_SANDBOX.slice(-1), PLANTED_IN_SANDBOX))(
    '$check catches $what',
    async ({ check, alter, shows }) => {
      const proxy = await startAlteringProxy(service().ready.base_url, alter)
      try {
        const report = await runDoctor({
          base_url: proxy.base_url,
          budget_ms: 60_000,
          only: [check],
          seed: 5,
          open: (url) => openSocket(url.replace(/^ws:\/\/[^/]+/, service().ready.stream_url)),
          credentials: readKeyFile(service().ready_file, 'doctor'),
          accounts: async () => ({ outcomes: await foldOfTape(reads), sizes: [] }),
          enough: shows,
        })
        expect(report.checks[0]!.differences.filter(shows).length, JSON.stringify(report.checks)).toBeGreaterThan(0)
        expect(report).toMatchObject({ ok: false, first_difference: { check } })
      } finally {
        await proxy.close()
      }
    },
    120_000,
  )
}

/**
 * Runs the checks to which a busy machine did not come within the budget, with ever more time for those that are left: that says
 * nothing about the service.
 */
async function withoutHurry(
  running: Running,
  begun: DoctorReport['checks'],
  budget_s = 40,
): Promise<DoctorReport['checks']> {
  const late = begun.flatMap(({ id, result }) => (result === 'no time' ? [id] : []))
  if (late.length === 0 || budget_s > BUDGET_S_MAX) return begun
  const { stdout } = await doctor(
    running,
    '--only',
    late.join(','),
    '--budget',
    `PT${budget_s}S`,
    '--seed',
    '11',
    '--json',
  )
  const later = (JSON.parse(stdout) as DoctorReport).checks
  const checks = begun.map((check) => later.find(({ id }) => id === check.id) ?? check)
  return withoutHurry(running, checks, 2 * budget_s)
}

/** What the accounts' fills give, read from the unaltered tape: enough to show that an altered one differs from it. */
async function foldOfTape({ list }: PublicReads) {
  const markets = await list<Tape>('/markets?venue_id=tidemark&limit=1000')
  const tapes = await Promise.all(markets.map(({ market_id }) => list<Tape>(`/markets/${market_id}/trades?limit=1000`)))
  const traded = tapes.flat().map(({ market_id, outcome_id }) => JSON.stringify([market_id, outcome_id]))
  return [...new Set(traded)].map((text) => {
    const [market_id, outcome_id] = JSON.parse(text) as [string, string]
    return {
      market_id,
      outcome_id,
      trades: traded.filter((one) => one === text).length,
      volume: '0',
    }
  })
}

type Tape = { readonly market_id: string; readonly outcome_id: string }
