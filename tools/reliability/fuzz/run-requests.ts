import type { ServedAccounts } from '../../../test/support/trading/served-accounts.ts'
import { answerFaults, type FuzzAnswer } from './answer-faults.ts'
import { liveHeap } from './live-heap.ts'
import type { FuzzRequest, RequestMaker } from './make-request.ts'

type App = ServedAccounts['app']
/** Methods that Fastify's types know; it takes any of HTTP. */
type InjectMethod = 'GET'

export type RequestsReport = {
  readonly cases: number
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Refusals by code. */
  readonly codes: Readonly<Record<string, number>>
  readonly slowest_ms: number
  /** Requests that took longer than permitted, but not again when sent alone: the machine was busy. */
  readonly delayed: number
  /** Growth of the heap in use after the first tenth. */
  readonly heap_growth_mib: number
  readonly rss_max_mib: number
  readonly violations: readonly string[]
}

/** Longest time for an answer. */
export const HANG_MS = 2_000
/** Number of times a slow request is sent again alone: one that its input makes slow is slow each time. */
const AGAIN = 3
const HEAP_GROWTH_MIB_MAX = 128
const AT_ONCE = 8
const MIB = 1024 * 1024

type Tally = {
  cases: number
  slowest_ms: number
  delayed: number
  rss_max: number
  readonly statuses: Record<string, number>
  readonly codes: Record<string, number>
  readonly violations: string[]
}

/** Sends requests into the server, several at a time, until there were enough or one is answered as none may be. */
export async function runRequests(
  app: App,
  maker: RequestMaker,
  cases: number,
  onProgress: (text: string) => void = () => undefined,
): Promise<RequestsReport> {
  const tally: Tally = { cases: 0, slowest_ms: 0, delayed: 0, rss_max: 0, statuses: {}, codes: {}, violations: [] }
  const sendUntil = async (count: number) => {
    const sender = async () => {
      while (tally.cases < count && tally.violations.length === 0) {
        tally.cases += 1
        await one(app, await maker.next(), tally)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, sender))
  }
  const tenth = Math.ceil(cases / 10)
  await sendUntil(tenth)
  const heap = liveHeap()
  for (let count = 2 * tenth; tally.cases < cases && tally.violations.length === 0; count += tenth) {
    onProgress(`${tally.cases} requests, slowest ${tally.slowest_ms} ms, ${Math.round(liveHeap() / MIB)} MiB in use`)
    await sendUntil(Math.min(count, cases))
  }
  const { rss_max, ...rest } = tally
  const heap_growth_mib = Math.round((liveHeap() - heap) / MIB)
  if (heap_growth_mib > HEAP_GROWTH_MIB_MAX)
    tally.violations.push(`the heap grew by ${heap_growth_mib} MiB; allowed: ${HEAP_GROWTH_MIB_MAX}`)
  return { ...rest, heap_growth_mib, rss_max_mib: Math.round(rss_max / MIB) }
}

async function one(app: App, request: FuzzRequest, tally: Tally): Promise<void> {
  const { took_ms, answer } = await send(app, request)
  tally.slowest_ms = Math.max(tally.slowest_ms, took_ms)
  tally.rss_max = Math.max(tally.rss_max, process.memoryUsage.rss())
  const name = String(answer.status)
  tally.statuses[name] = (tally.statuses[name] ?? 0) + 1
  const code = /^\{"error":\{"code":"([A-Z_]+)"/.exec(answer.text)?.[1]
  if (code !== undefined) tally.codes[code] = (tally.codes[code] ?? 0) + 1
  const faults = answerFaults(request, answer)
  if (took_ms > HANG_MS) {
    if (await isSlowAlone(app, request)) faults.push(`answered after ${took_ms} ms; allowed: ${HANG_MS}`)
    else tally.delayed += 1
  }
  tally.violations.push(...faults.map((fault) => `${fault} | ${shown(request)}`))
}

async function isSlowAlone(app: App, request: FuzzRequest): Promise<boolean> {
  for (let again = 0; again < AGAIN; again += 1) if ((await send(app, request)).took_ms <= HANG_MS) return false
  return true
}

async function send(app: App, request: FuzzRequest): Promise<{ took_ms: number; answer: FuzzAnswer }> {
  const { method, url, headers, body } = request
  const started = performance.now()
  const payload = body === null ? {} : { payload: typeof body === 'string' ? body : Buffer.from(body) }
  const answer = await app.inject({ method: method as InjectMethod, url, headers, ...payload })
  const took_ms = Math.round(performance.now() - started)
  return { took_ms, answer: { status: answer.statusCode, headers: answer.headers, text: answer.body } }
}

/** A request in one line, so that it can be sent again. */
function shown({ method, url, headers, body }: FuzzRequest): string {
  const text = typeof body === 'string' ? body : body === null ? '' : `hex ${Buffer.from(body).toString('hex')}`
  return JSON.stringify({ method, url, headers, body: text.slice(0, 4_000) })
}
