import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSocket } from '../../../cli/doctor/open-socket.ts'
import { readKeyFile } from '../../../cli/doctor/read-key-file.ts'
import { createTransport } from '../../../client/doctor/asker.ts'
import { firstUnequal } from '../../../client/doctor/compare.ts'
import { NOW_FIELDS } from '../../../client/doctor/now-fields.ts'
import { type DoctorReport, runDoctor } from '../../../client/doctor/run-doctor.ts'
import { createTradingClient } from '../../../client/index.ts'
import { requestKey } from '../../../client/trading/credentials.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { PLANTED_IN_SANDBOX } from '../../client/doctor/planted-in-sandbox.ts'
import { startAlteringProxy } from '../../support/altering-proxy.ts'
import { type CliResult, tidemarkProcess } from '../../support/run-cli.ts'
import {
  descendants,
  isAlive,
  killIfAlive,
  latestLevel,
  type Service,
  startService,
  until,
} from '../../support/service-process.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** The doctor against a live sandbox: everything that it offers agrees, and faults of private answers are caught. */
const START_MS = 480_000
const BUDGET_S = sized(18, 60)
/** Longest time for checks that a busy machine did not come to. */
const BUDGET_S_MAX = 160
/** Checks of what only a live service has. */
const LIVE: readonly string[] = ['A20', 'A22', 'A23', 'A24', 'A25']
const SERVICE = ['--sandbox-accounts', '2', '--no-temporal']
const home = tempFolder()
let service: Service

beforeAll(async () => {
  service = await startService(home, SERVICE)
  await until(async () => (await latestLevel(service.ready, 'idx_live_current')) !== null, START_MS, service.notes)
  await until(isRated, START_MS, service.notes)
  await until(isAssessed, START_MS, service.notes)
  await until(isTraded, START_MS, service.notes)
}, START_MS)

afterAll(async () => {
  await service.stop('SIGTERM')
  rmSync(home, { recursive: true, force: true })
}, 120_000)

/** Returns what a path answers; null: it is refused, as while the service is behind its warehouse. */
async function read<T>(path: string): Promise<T | null> {
  const answer = await fetch(`${service.ready.base_url}/v1${path}`)
  return answer.ok ? ((await answer.json()) as { data: T }).data : null
}

const list = async <T>(path: string): Promise<readonly T[]> => (await read<T[]>(path)) ?? []

/** Whether every market of one venue has a rating; the program rates all of them in one run. */
async function isRated(): Promise<boolean> {
  const markets = await list<{ market_id: string }>('/markets?venue_id=kalshi&limit=3')
  const ratings = await Promise.all(
    markets.map(({ market_id }) => read<{ rating_id: string | null }>(`/markets/${market_id}/rating`)),
  )
  return ratings.length > 0 && ratings.every((rating) => rating !== null && rating.rating_id !== null)
}

/** Whether an event has a severity assessment, and the severity index a value. */
async function isAssessed(): Promise<boolean> {
  const [event] = await list<{ event_id: string }>('/events?venue_id=gdacs&limit=1')
  if (event === undefined) return false
  const assessment = await read<{ assessment_id: string | null }>(
    `/events/${event.event_id}/severity?assessment_type=observed`,
  )
  const [index] = await list<{ severity_index_id: string }>('/severity-indexes')
  if (index === undefined || assessment === null || assessment.assessment_id === null) return false
  const value = await fetch(`${service.ready.base_url}/v1/severity-indexes/${index.severity_index_id}/value`)
  return value.status === 200
}

/** Whether somebody has traded in a market listed here. */
async function isTraded(): Promise<boolean> {
  const markets = await list<{ market_id: string }>('/markets?venue_id=tidemark&limit=10')
  const tapes = await Promise.all(markets.map(({ market_id }) => list(`/markets/${market_id}/trades?limit=1`)))
  return tapes.some((trades) => trades.length > 0)
}

/** Runs the command as an operator does. */
function doctor(...options: readonly string[]): Promise<CliResult> {
  const { ready, ready_file } = service
  const argv = ['doctor', '--base-url', ready.base_url, '--key-file', ready_file, '--home', home, ...options]
  return tidemarkProcess([...argv, '--legacy-before', '1970-01-01T00:00:00Z'])
}

test('the sandbox agrees with itself', async () => {
  const { exit_code, stdout, stderr } = await doctor('--budget', `PT${BUDGET_S}S`, '--seed', '11', '--json')
  expect(stderr).toBe('')
  const { checks: begun, ok, took_ms } = JSON.parse(stdout) as DoctorReport
  const checks = await withoutHurry(begun)
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

/**
 * Runs the checks to which a busy machine did not come within the budget, with ever more time for those that are left: that says
 * nothing about the service.
 */
async function withoutHurry(begun: DoctorReport['checks'], budget_s = 40): Promise<DoctorReport['checks']> {
  const late = begun.flatMap(({ id, result }) => (result === 'no time' ? [id] : []))
  if (late.length === 0 || budget_s > BUDGET_S_MAX) return begun
  const { stdout } = await doctor('--only', late.join(','), '--budget', `PT${budget_s}S`, '--seed', '11', '--json')
  const later = (JSON.parse(stdout) as DoctorReport).checks
  const checks = begun.map((check) => later.find(({ id }) => id === check.id) ?? check)
  return withoutHurry(checks, 2 * budget_s)
}

test('the table names every check asked for, and the seed repeats the run', async () => {
  const { stdout, exit_code } = await doctor('--only', 'A5,A21', '--seed', '5', '--budget', 'PT20S')
  expect(stdout).toMatch(/^check +title +compared +requests +values +result$/m)
  expect(stdout).toMatch(/^A21 +Eligibility .* ok$/m)
  expect(stdout).toContain('repeat with --seed 5')
  expect(exit_code).toBe(0)
}, 120_000)

test.each(sized(PLANTED_IN_SANDBOX.slice(-3), PLANTED_IN_SANDBOX))(
  '$check catches $what',
  async ({ check, alter, shows }) => {
    const proxy = await startAlteringProxy(service.ready.base_url, alter)
    try {
      const report = await runDoctor({
        base_url: proxy.base_url,
        budget_ms: 60_000,
        only: [check],
        seed: 5,
        open: (url) => openSocket(url.replace(/^ws:\/\/[^/]+/, service.ready.stream_url)),
        credentials: readKeyFile(service.ready_file),
        accounts: async () => ({ outcomes: await foldOfTape(), sizes: [] }),
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

test('killed with all it started, it answers about earlier instants as before, labels included, and is whole', async () => {
  const answers = await everyAnswerNow()
  const labels = new Set(answers.map(({ data }) => (data as { quality_state?: string } | null)?.quality_state))
  expect(labels.size).toBeGreaterThan(2)
  const { order_id } = await trader().placeOrder({
    market_id: 'mkt_sandbox_rate',
    outcome_id: 'out_sandbox_rate_yes',
    side: 'BUY',
    limit_price: '0.01',
    quantity: '7.00',
    maximum_fee: '1.00',
  })
  const below = descendants(service.child.pid!)
  service.child.kill('SIGKILL')
  for (const pid of below) killIfAlive(pid)
  await until(() => ![service.child.pid!, ...below].some(isAlive), 120_000)
  service = await startService(home, SERVICE)
  expect(await trader().order(order_id)).toMatchObject({ status: 'open', remaining_quantity: '7.00' })
  await until(async () => (await answersTo(answers)).every(({ status }) => status < 500), START_MS, service.notes)
  const differing = (await answersTo(answers)).flatMap(({ path, query, data }, n) => {
    const unequal = firstUnequal(answers[n]!.data, data, new Set(Object.keys(NOW_FIELDS)))
    return unequal === null ? [] : [{ path, ...query, ...unequal }]
  })
  expect(differing).toEqual([])
  const { exit_code, stdout } = await doctor('--only', 'A3,A7,A10', '--seed', '7', '--budget', 'PT10S')
  expect(exit_code, stdout).toBe(0)
  expect((await tidemarkProcess(['audit', '--trading', '--home', home])).exit_code).toBe(0)
}, 300_000)

/** The first account that is handed out, which signs its orders. */
function trader() {
  const { base_url, environment, sandbox_accounts } = service.ready
  const { account_id, key_id, secret, owner_private_key } = sandbox_accounts[0]!
  const key = { account_id, key_id, secret, base_url, environment }
  return createTradingClient({ ...key, signer_private_key: owner_private_key })
}

type Question = { readonly path: string; readonly query: Readonly<Record<string, string>> }
type PinnedAnswer = Question & { readonly status: number; readonly data: unknown }

/** Asks for everything that has a label: as of now, and as of half a minute ago, when other labels held. */
async function everyAnswerNow(): Promise<readonly PinnedAnswer[]> {
  const markets = await list<{ market_id: string; outcomes: { outcome_id: string }[] }>('/markets?limit=1000')
  const indexes = await list<{ index_id: string }>('/indexes')
  const events = await list<{ event_id: string }>('/events?venue_id=gdacs')
  const question = (path: string, query = {}): Question => ({ path, query })
  const questions = [
    ...markets.flatMap(({ market_id, outcomes }) => [
      question(`/markets/${market_id}/price`),
      question(`/markets/${market_id}/orderbook`, { outcome_id: outcomes[0]!.outcome_id }),
      question(`/markets/${market_id}/trades`, { limit: '20' }),
      question(`/markets/${market_id}/rating`),
    ]),
    ...indexes.flatMap(({ index_id }) => [question(`/indexes/${index_id}`), question(`/indexes/${index_id}/price`)]),
    ...events.map(({ event_id }) => question(`/events/${event_id}/severity`, { assessment_type: 'observed' })),
    question('/markets', { limit: '1000' }),
  ]
  const now = (await answersTo(questions)).filter(({ status }) => status === 200)
  const at = formatMicros(toMicros(now[0]!.query.as_of) - 30_000_000)
  return [...now, ...(await answersTo(questions.map(({ path, query }) => question(path, { ...query, as_of: at }))))]
}

/** Asks within the rate limit, some at a time; pins a question without as_of to the instant of its answer. */
async function answersTo(questions: readonly Question[]): Promise<readonly PinnedAnswer[]> {
  const { base_url } = service.ready
  const { again } = createTransport(base_url, requestKey(readKeyFile(service.ready_file))).asker(() => undefined)
  return Promise.all(
    questions.map(async ({ path, query }) => {
      const { status, data, meta } = await again(path, query)
      return { path, query: { as_of: meta.published_at, ...query }, status, data }
    }),
  )
}

/** What the accounts' fills give, read from the unaltered tape: enough to show that an altered one differs from it. */
async function foldOfTape() {
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
