import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readKeyFile } from '../../../cli/doctor/read-key-file.ts'
import { createTransport } from '../../../client/doctor/asker.ts'
import { firstUnequal } from '../../../client/doctor/compare.ts'
import { NOW_FIELDS } from '../../../client/doctor/now-fields.ts'
import { requestKey } from '../../../client/trading/credentials.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { tidemark } from '../../support/run-cli.ts'
import { descendants, isAlive, killIfAlive, until } from '../../support/service-process.ts'
import { sized } from '../../support/sized.ts'
import { booksAlive, clientOf, planOf, workingOrders } from './accounts.ts'
import { doctor } from './doctor-tests.ts'
import { publicReads } from './public-reads.ts'
import type { Running } from './running.ts'

const START_MS = 480_000

/** Ctrl-C, and in the slow lane the start after it: a start after a kill, which killTest makes, is the harder one. */
export function interruptTests(running: Running, next: readonly string[]): void {
  const { home, service, startAgain } = running

  test('Ctrl-C ends everything that it started, database and engine too; what is published is whole', async () => {
    await booksAlive(running)
    const postmaster = Number.parseInt(readFileSync(join(home, 'postgres/postmaster.pid'), 'utf8'), 10)
    const below = [postmaster, ...descendants(service().child.pid!)]
    expect(below.length).toBeGreaterThan(1)
    expect(await service().stop('SIGINT')).toEqual([130, null])
    await until(() => !below.some(isAlive), 120_000)
    const audit = await tidemark(['audit', '--warehouse', join(home, 'warehouse')])
    expect(audit.exit_code, audit.stdout).toBe(0)
  }, 300_000)

  if (sized(false, true)) {
    test(
      'the start after it has the same accounts, keys and resting orders',
      () => expectSameAccounts(running, () => startAgain(next)),
      START_MS,
    )
  }
}

/** Expects a start to have the same accounts and keys, and makers that quote on from what rests. */
async function expectSameAccounts(running: Running, start: () => Promise<void>): Promise<void> {
  const { service } = running
  const before = service().ready.sandbox_accounts
  const [maker] = planOf(running).makers
  await start()
  expect(service().ready.sandbox_accounts, service().notes()).toEqual(before)
  // Makers that quote a second time beside what rests would have twice as many for good; while they replace, a few less.
  const isQuotedOnce = async () => {
    const { length } = await workingOrders(running, maker!)
    return length >= 30 && length <= 60
  }
  await until(isQuotedOnce, 60_000, service().notes)
}

/** Answers and an order of a service before it was killed. */
type Past = { answers: readonly PinnedAnswer[]; order_id: string }

/** Returns a client of the first account that is handed out, which signs its orders. */
function traderOf(running: Running) {
  return clientOf(running, { ...running.service().ready.sandbox_accounts[0]!, label: '', deposit: '' })
}

/** The end of all processes at once, and the start after it. @returns what was known before, once the test has run */
export function killTest(running: Running, next: readonly string[]): Past {
  const { service, startAgain } = running
  const past: Past = { answers: [], order_id: '' }

  test(
    'killed with all it started, it starts again with the same accounts, keys and resting orders',
    async () => {
      past.answers = await everyAnswerNow(running)
      const labels = new Set(past.answers.map(({ data }) => (data as { quality_state?: string } | null)?.quality_state))
      expect(labels.size).toBeGreaterThan(2)
      const { order_id } = await traderOf(running).placeOrder({
        market_id: 'mkt_sandbox_rate',
        outcome_id: 'out_sandbox_rate_yes',
        side: 'BUY',
        limit_price: '0.01',
        quantity: '7.00',
        maximum_fee: '1.00',
      })
      past.order_id = order_id
      const all = [service().child.pid!, ...descendants(service().child.pid!)]
      for (const pid of all) killIfAlive(pid)
      await until(() => !all.some(isAlive), 120_000)
      await expectSameAccounts(running, () => startAgain(next))
    },
    START_MS,
  )
  return past
}

/** What a service answers about the time before it was killed. */
export function pastTest(running: Running, past: Past): void {
  test(
    'it answers about earlier instants as before it was killed, labels included, and is whole',
    async () => {
      const order = await traderOf(running).order(past.order_id)
      expect(order).toMatchObject({ status: 'open', remaining_quantity: '7.00' })
      const differing = (await answersOnceServed(running, past.answers)).flatMap(({ path, query, data }, n) => {
        const unequal = firstUnequal(past.answers[n]!.data, data, new Set(Object.keys(NOW_FIELDS)))
        return unequal === null ? [] : [{ path, ...query, ...unequal }]
      })
      expect(differing).toEqual([])
      const checks = ['--only', 'A3,A7,A10', '--seed', '7', '--budget', sized('PT5S', 'PT10S')]
      const { exit_code, stdout } = await doctor(running, ...checks)
      expect(exit_code, stdout).toBe(0)
      expect((await tidemark(['audit', '--trading', '--home', running.home])).exit_code).toBe(0)
    },
    START_MS,
  )
}

type Question = { readonly path: string; readonly query: Readonly<Record<string, string>> }
type PinnedAnswer = Question & { readonly status: number; readonly code: string | null; readonly data: unknown }

/** Asks for everything that has a label: as of now, and as of half a minute ago, when other labels held. */
async function everyAnswerNow(running: Running): Promise<readonly PinnedAnswer[]> {
  const { list } = publicReads(running)
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
  const now = (await answersTo(running, questions)).filter(({ status }) => status === 200)
  const at = formatMicros(toMicros(now[0]!.query.as_of) - 30_000_000)
  return [
    ...now,
    ...(await answersTo(
      running,
      questions.map(({ path, query }) => question(path, { ...query, as_of: at })),
    )),
  ]
}

/** Asks within the rate limit, some at a time; pins a question without as_of to the instant of its answer. */
async function answersTo({ service }: Running, questions: readonly Question[]): Promise<readonly PinnedAnswer[]> {
  const { base_url } = service().ready
  const { again } = createTransport(base_url, requestKey(readKeyFile(service().ready_file, 'doctor'))).asker(
    () => undefined,
  )
  return Promise.all(
    questions.map(async ({ path, query }) => {
      const { status, code, data, meta } = await again(path, query)
      return { path, query: { as_of: meta.published_at, ...query }, status, code, data }
    }),
  )
}

/**
 * Asks until the service, which may be behind at first, refuses nothing for reasons of its own. It says of an instant that its tables
 * do not reach yet that it can be asked for some seconds later.
 */
async function answersOnceServed(
  running: Running,
  questions: readonly PinnedAnswer[],
): Promise<readonly PinnedAnswer[]> {
  const answers = new Map<Question, PinnedAnswer>()
  const isServed = ({ status, code }: PinnedAnswer) => status < 500 && code !== 'VALIDATION_AS_OF_UNAVAILABLE'
  const left = () =>
    questions.filter((question) => {
      const answer = answers.get(question)
      return answer === undefined || !isServed(answer)
    })
  const areServed = async () => {
    const asked = left()
    for (const [n, answer] of (await answersTo(running, asked)).entries()) answers.set(asked[n]!, answer)
    return left().length === 0
  }
  await until(areServed, START_MS, running.service().notes)
  return questions.map((question) => answers.get(question)!)
}
