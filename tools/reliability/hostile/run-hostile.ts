import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { childArgv } from '../../../test/support/child-argv.ts'
import { latestLevel, type Service, startService, until } from '../../../test/support/service-process.ts'
import { ATTACKS } from './attacks.ts'
import { type Experience, watchBystanders } from './bystanders.ts'
import { type Footprint, footprintOf } from './footprint.ts'
import type { Book, Plan } from './target.ts'

/** Promises to everybody else while one account and one address attack. */
export const PROMISED = { order_p99_ms: 250, read_p99_ms: 500, level_ms: 6_000 } as const
/** Growth in a minute of attack, beyond that of a minute without one, that still counts as flat. */
const FLAT = { files: 100, memory_mib: 200, descriptors: 400 } as const
/**
 * A few seconds without an attack say little of what is usual: more counts as flat then, and in proportion where a busy machine makes
 * one of them long.
 */
const SHORT = { below_s: 60, times: 4, usual_s: 10 } as const
/**
 * An attacker has a machine of his own: on this one he gets the processor that the service leaves. A short attack has the usual priority:
 * on a busy machine it would last for minutes, all of which the service works through.
 */
const ATTACKER_NICENESS = 19

export type HostileOptions = {
  readonly home: string
  /** Length of each attack. */
  readonly seconds: number
  readonly attacks: readonly string[]
  /** Time to release what an attack held, so that only what stays behind counts, and only against this attack. */
  readonly settle_ms?: number
  /** Sees each row when it is made. */
  readonly onRow?: (row: HostileRow) => void
}

export type HostileRow = {
  readonly attack: string
  readonly orders: number
  readonly order_p99_ms: number | null
  readonly reads: number
  readonly read_p99_ms: number | null
  readonly level_max_ms: number | null
  readonly failures: number
  /** Time between the two looks at what the service holds. */
  readonly took_s: number
  readonly grown: Footprint
  /** Growth in the same time without an attack; null: this is the row of that time. */
  readonly usual: Footprint | null
  /** Answers that the attacker got, by status or code. */
  readonly answers: Readonly<Record<string, number>>
  readonly violations: readonly string[]
}

/** Starts the service, and attacks it in one way after the other while others use it. */
export async function runHostile(options: HostileOptions): Promise<readonly HostileRow[]> {
  const service = await startService(options.home, ['--sandbox-accounts', '2', '--no-temporal'])
  try {
    return await attackService(service, options)
  } finally {
    await service.stop('SIGTERM')
  }
}

/** Attacks a sandbox with two accounts or more, in one way after the other while others use it. */
export async function attackService(service: Service, options: HostileOptions): Promise<readonly HostileRow[]> {
  const { home, seconds, attacks, settle_ms = SETTLE_MS, onRow } = options
  await until(async () => (await latestLevel(service.ready, 'idx_live_current')) !== null, START_MS, service.notes)
  const book = await bookOf(service)
  const rows: HostileRow[] = []
  for (const attack of ['none', ...attacks]) {
    const part = { attack, book, seconds, settle_ms }
    const row = await underAttack(service, home, part, rows[0]?.grown ?? null)
    rows.push(row)
    onRow?.(row)
  }
  return rows
}

const START_MS = 300_000
const SETTLE_MS = 3_000

/** Waits for a market of this venue: it is traded before the warehouse lists it. */
async function bookOf({ ready, notes }: Service): Promise<Book> {
  type Listed = { readonly market_id: string; readonly outcomes: readonly { readonly outcome_id: string }[] }
  const found: Listed[] = []
  const isListed = async () => {
    const answer = await fetch(`${ready.base_url}/v1/markets?venue_id=tidemark&status=open&limit=1`)
    if (answer.status === 200) found.push(...((await answer.json()) as { data: Listed[] }).data)
    return found.length > 0
  }
  await until(isListed, START_MS, notes)
  return { market_id: found[0]!.market_id, outcome_id: found[0]!.outcomes[0]!.outcome_id }
}

async function underAttack(
  service: Service,
  home: string,
  { settle_ms, ...part }: Omit<Plan, 'ready' | 'account'> & { readonly settle_ms: number },
  usual: Footprint | null,
): Promise<HostileRow> {
  const { ready, child } = service
  const [hostile, other] = ready.sandbox_accounts
  const before = footprintOf(child.pid!, home)
  const begun_ms = performance.now()
  const ended = new AbortController()
  const watching = watchBystanders(ready, other!, part.book, ended.signal)
  const answers = await attackerOf({ ...part, ready, account: hostile! })
  ended.abort()
  await sleep(settle_ms)
  const after = footprintOf(child.pid!, home)
  const grown = {
    files: after.files - before.files,
    memory_mib: after.memory_mib - before.memory_mib,
    descriptors: after.descriptors - before.descriptors,
  }
  const took_s = Math.round((performance.now() - begun_ms) / 1000)
  return rowOf({ ...part, took_s }, await watching, { grown, usual }, answers)
}

/** Attacks from a process of its own; `none` only waits, to show what is usual. */
async function attackerOf(plan: Plan): Promise<Record<string, number>> {
  if (!(plan.attack in ATTACKS)) {
    await sleep(plan.seconds * 1000)
    return {}
  }
  const script = new URL('./attacker.ts', import.meta.url).pathname
  const child = spawn(process.execPath, childArgv(script), { stdio: ['pipe', 'pipe', 'inherit'] })
  if (plan.seconds >= SHORT.below_s) setPriority(child.pid!, ATTACKER_NICENESS)
  child.stdin.end(JSON.stringify(plan))
  const [said] = await Promise.all([text(child.stdout), once(child, 'close')])
  return JSON.parse(said) as Record<string, number>
}

export function rowOf(
  { attack, seconds, took_s = seconds }: Pick<Plan, 'attack' | 'seconds'> & { readonly took_s?: number },
  { order_ms, read_ms, level_ms, failures }: Experience,
  { grown, usual }: Pick<HostileRow, 'grown' | 'usual'>,
  answers: Record<string, number>,
): HostileRow {
  const facts = { order_p99_ms: p99(order_ms), read_p99_ms: p99(read_ms), level_max_ms: maxOf(level_ms) }
  const slack = seconds < SHORT.below_s ? SHORT.times * Math.max(1, took_s / SHORT.usual_s) : took_s / 60
  const late = [
    ...over('order p99', facts.order_p99_ms, PROMISED.order_p99_ms),
    ...over('read p99', facts.read_p99_ms, PROMISED.read_p99_ms),
    ...over('level after its tick', facts.level_max_ms, PROMISED.level_ms),
  ].map((text) => `${text} ms`)
  const grew = Object.entries(FLAT).flatMap(([name, most]) => {
    const what = name as keyof Footprint
    return usual === null ? [] : over(`growth of ${what}`, grown[what], usual[what] + Math.ceil(most * slack))
  })
  const missing = order_ms.length === 0 || read_ms.length === 0 ? ['nobody else was served'] : []
  const violations = [...failures.slice(0, 5), ...late, ...grew, ...missing].map((text) => `${attack}: ${text}`)
  return {
    attack,
    orders: order_ms.length,
    reads: read_ms.length,
    ...facts,
    failures: failures.length,
    took_s,
    grown,
    usual,
    answers,
    violations,
  }
}

function over(what: string, value: number | null, most: number): string[] {
  return value === null || value <= most ? [] : [`${what} is ${value}; promised: at most ${most}`]
}

function p99(times: readonly number[]): number | null {
  const sorted = times.toSorted((a, b) => a - b)
  const value = sorted[Math.ceil(sorted.length * 0.99) - 1]
  return value === undefined ? null : Math.round(value)
}

function maxOf(times: readonly number[]): number | null {
  return times.length === 0 ? null : Math.round(Math.max(...times))
}
