import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isServiceError } from '../../primitives/errors.ts'
import { formatMicros, toMicros } from '../../primitives/instants.ts'
import { baseUrl } from '../http/base-url.ts'
import type { RequestKey } from '../signing/sign-request.ts'
import { type Credentials, requestKey } from '../trading/credentials.ts'
import type { OpenSocket } from '../trading/stream/stream-socket.ts'
import { createTransport, type Transport } from './asker.ts'
import { CHECKS } from './catalogue.ts'
import { type AccountsPort, type Check, type CheckContext, NotOffered, TimeOver } from './check.ts'
import type { Difference } from './difference.ts'
import { createFindings, type Found } from './findings.ts'
import { createSampler, type Sampler } from './sample.ts'
import { openWorld, type World } from './world.ts'

export type DoctorOptions = {
  /** http or https address of a service, without /v1. */
  readonly base_url: string
  readonly budget_ms: number
  /** Ids of the checks to run; default: all. */
  readonly only?: readonly string[] | undefined
  /** Decides which records are looked at; default: random. */
  readonly seed?: number | undefined
  /** Faults of older versions count as legacy only if published before it; default: whenever they were published. */
  readonly legacy_before?: string | undefined
  readonly open?: OpenSocket | null | undefined
  readonly credentials?: Credentials | null | undefined
  readonly accounts?: AccountsPort | null | undefined
  /** Returns true to end a check at this difference; default: a check continues while it has time. */
  readonly enough?: ((difference: Difference) => boolean) | undefined
  readonly signal?: AbortSignal | undefined
  readonly onCheck?: (done: number, total: number) => void
}

type CheckResult = 'ok' | 'different' | 'legacy' | 'not offered' | 'nothing to compare' | 'no time' | 'failed'

/** Outcome of one check. */
type CheckReport = Found & {
  readonly id: string
  readonly title: string
  readonly compares: string
  readonly requests: number
  readonly took_ms: number
  readonly result: CheckResult
  /** Why a check did not run or stopped; null: it ran to its end. */
  readonly reason: string | null
}

export type DoctorReport = {
  readonly base_url: string
  readonly seed: number
  readonly as_of: string
  readonly started_at: string
  readonly took_ms: number
  readonly requests: number
  readonly ok: boolean
  readonly checks: readonly CheckReport[]
  /** Indexes whose publication stopped, as the service says at /readyz. */
  readonly stuck_indexes: readonly StuckIndex[]
  readonly first_difference: (Difference & { readonly check: string }) | null
}

type StuckIndex = { readonly index_id: string; readonly since: string; readonly message: string }

/** Reads which indexes the publisher of a service cannot continue; none where an earlier release does not say. */
async function stuckIndexes({ base_url, signal }: DoctorOptions): Promise<readonly StuckIndex[]> {
  const answer = await fetch(`${baseUrl(base_url)}/readyz`, {
    redirect: 'manual',
    ...(signal === undefined ? {} : { signal }),
  }).catch(() => null)
  const body = (await answer?.json().catch(() => null)) as { stuck_indexes?: readonly StuckIndex[] } | null | undefined
  return body?.stuck_indexes ?? []
}

/** Part of the budget that is planned; the rest is for requests under way at the end. */
const SPENT = 0.9

/** Time by which a check may exceed its share to finish what it began. */
const OVERTIME_MS = 1_000
/** Requests that a check may make even if its share of the time has passed. */
const REQUESTS_MIN = 6
/** Checks that run at a time. */
const LANES = 3

type Run = {
  readonly options: DoctorOptions
  readonly transport: Transport
  readonly sampler: Sampler
  readonly world: World
  readonly deadline_ms: number
}

/**
 * Asks a deployment the same things in two ways and compares the answers, within a time budget.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID; SERVICE_UNAVAILABLE: the address does not answer like this API
 */
export async function runDoctor(options: DoctorOptions): Promise<DoctorReport> {
  const started_ms = Date.now()
  const seed = options.seed ?? randomInt(1_000_000_000)
  const sampler = createSampler(seed)
  const transport = createTransport(options.base_url, keyOf(options), options.signal)
  let opening = 0
  const world = await openWorld(
    transport.asker(() => {
      opening += 1
    }),
    sampler,
  )
  transport.setRate(rateOf(world, keyOf(options) !== null))
  const run: Run = { options, transport, sampler, world, deadline_ms: started_ms + options.budget_ms * SPENT }
  const wanted = CHECKS.filter(({ id }) => options.only === undefined || options.only.includes(id))
  const checks = await runAll(run, wanted)
  const first = checks.find(({ differences }) => differences.length > 0)
  return {
    base_url: options.base_url,
    seed,
    as_of: world.at,
    started_at: formatMicros(started_ms * 1000),
    took_ms: Date.now() - started_ms,
    requests: checks.reduce((sum, { requests }) => sum + requests, opening),
    ok: checks.every(({ result }) => result !== 'different' && result !== 'failed'),
    checks,
    stuck_indexes: await stuckIndexes(options),
    first_difference: first === undefined ? null : { check: first.id, ...first.differences[0]! },
  }
}

/** Runs a few checks at a time; those that wait for messages run beside them. */
async function runAll(run: Run, wanted: readonly Check[]): Promise<readonly CheckReport[]> {
  const reports = new Map<string, CheckReport>()
  const note = (report: CheckReport) => {
    reports.set(report.id, report)
    run.options.onCheck?.(reports.size, wanted.length)
  }
  const waiting = wanted.filter(({ waits }) => waits === true)
  // Short checks first: a slow service leaves less time to the long ones, which look at samples.
  const queue = wanted.filter(({ waits }) => waits !== true).sort((a, b) => a.share - b.share)
  const lane = async () => {
    for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
      const shares = queue.reduce((sum, { share }) => sum + share, check.share)
      const left_ms = Math.max(0, run.deadline_ms - Date.now())
      const end_ms = Date.now() + Math.min(left_ms, (left_ms * check.share * LANES) / shares)
      note(await runCheck(run, check, end_ms))
    }
  }
  const beside = waiting.map(async (check) => note(await runCheck(run, check, run.deadline_ms)))
  await Promise.all([...beside, ...Array.from({ length: LANES }, lane)])
  return wanted.map(({ id }) => reports.get(id)!)
}

async function runCheck(run: Run, check: Check, end_ms: number): Promise<CheckReport> {
  const { options, transport, sampler, world } = run
  const started_ms = Date.now()
  let requests = 0
  const find = createFindings()
  const isOver = (at_ms: number) => at_ms >= end_ms && (requests >= REQUESTS_MIN || at_ms >= run.deadline_ms)
  const onRequest = () => {
    requests += 1
  }
  const allow = () => {
    if (isOver(Date.now() - OVERTIME_MS)) throw new TimeOver('the time of the check is over')
  }
  const context: CheckContext = {
    ask: transport.asker(onRequest, allow),
    world,
    sampler,
    find,
    more: () => {
      const enough = options.enough !== undefined && find.result().differences.some(options.enough)
      return !isOver(Date.now()) && !enough && options.signal?.aborted !== true
    },
    pause: async (ms) => {
      const left_ms = Math.max(0, Math.min(ms, end_ms - Date.now()))
      await sleep(left_ms, undefined, options.signal === undefined ? {} : { signal: options.signal })
    },
    base_url: options.base_url,
    open: options.open ?? null,
    credentials: options.credentials ?? null,
    accounts: options.accounts ?? null,
    isLegacy: (at) => options.legacy_before === undefined || toMicros(at) < toMicros(options.legacy_before),
    signal: options.signal,
  }
  const late = started_ms >= run.deadline_ms
  const stopped = late ? null : await check.run(context).then(() => null, asStop)
  const found = find.result()
  const { id, title, compares } = check
  const took_ms = Date.now() - started_ms
  return { id, title, compares, requests, took_ms, ...found, ...concluded(found, late ? 'no time' : null, stopped) }
}

/** `result` null: that of what was compared. */
type Stop = { readonly result: CheckResult | null; readonly reason: string }

/** Converts the end of a check; a service that does not answer ends the run. */
function asStop(error: unknown): Stop {
  if (error instanceof TimeOver || isServiceError(error, 'RATE_LIMIT_EXCEEDED'))
    return { result: null, reason: error.message }
  if (error instanceof NotOffered) return { result: 'not offered', reason: error.message }
  if (isServiceError(error, 'SERVICE_UNAVAILABLE') || (error as Error).name === 'AbortError') throw error
  return { result: 'failed', reason: (error as Error).message }
}

function concluded(
  found: Found,
  late: CheckResult | null,
  stopped: Stop | null,
): Pick<CheckReport, 'result' | 'reason'> {
  if (found.different > 0) return { result: 'different', reason: stopped?.reason ?? null }
  if (late !== null) return { result: late, reason: 'the budget ended before' }
  if (stopped?.result != null) return { result: stopped.result, reason: stopped.reason }
  if (Object.keys(found.legacy).length > 0) return { result: 'legacy', reason: null }
  if (found.compared > 0) return { result: 'ok', reason: null }
  if (stopped !== null) return { result: 'no time', reason: stopped.reason }
  const lacking = found.not_offered.join('; ')
  return lacking === '' ? { result: 'nothing to compare', reason: null } : { result: 'not offered', reason: lacking }
}

function keyOf({ credentials }: DoctorOptions): RequestKey | null {
  return credentials == null ? null : requestKey(credentials)
}

/** Tokens a second of public reads. */
function rateOf({ capabilities }: World, keyed: boolean): number {
  const market_data = capabilities.limit_classes.find(({ limit_class }) => limit_class === 'market_data')
  return (keyed ? market_data?.keyed : market_data?.anonymous)?.rate ?? 20
}
