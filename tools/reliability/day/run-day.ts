import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../../simulator/world/random.ts'
import { openRailRecord } from '../../../test/support/trading/rail-record.ts'
import { auditTrading } from '../../../trading/store/audit-trading.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { endedWith } from '../ended-with.ts'
import { DayActor } from './act-day.ts'
import { type DayOutcome, dayOutcome, differencesOf } from './day-outcome.ts'
import { DayProcesses } from './day-processes.ts'
import { type DayStep, dayScript, isOfMany } from './day-script.ts'
import { type PlannedKill, planDayKills } from './plan-day-kills.ts'

export type DayOptions = {
  readonly seed: number
  readonly orders: number
  readonly kills: number
  /** Postgres settings that override the product's. */
  readonly postgres?: Readonly<Record<string, string>>
  readonly onPhase?: (text: string) => void
}

/** One day over a fresh database. */
type Day = {
  readonly outcome: DayOutcome
  readonly kills: readonly string[]
  readonly violations: readonly string[]
  /** Answers that were lost. */
  readonly unknown: number
  readonly refused: Readonly<Record<string, number>>
  readonly retried: number
  readonly reversed: number
  readonly fills: number
  readonly attempts: number
  /** Attempts by failure code. */
  readonly failures: Readonly<Record<string, number>>
  /** Money that the house advanced for accounts that had withdrawn. */
  readonly laid_out: number
  readonly seconds: number
}

export type DayReport = {
  readonly lane: 'rel:day'
  readonly seed: number
  readonly orders: number
  readonly kills: number
  readonly kills_by: Readonly<Record<string, number>>
  readonly settlements: number
  readonly undisturbed: Omit<Day, 'outcome' | 'kills' | 'violations'>
  readonly disturbed: Omit<Day, 'outcome' | 'kills' | 'violations'>
  readonly differences: readonly string[]
  readonly violations: readonly string[]
}

const TOLD = 20
/** A kill comes this long after the step that it is planned for has begun, at most. */
const KILL_AFTER_MS = 400

/** The same day twice: once undisturbed and once with kills. Both must come to the same, and every promise of the books must hold. */
export async function runDays(options: DayOptions): Promise<DayReport> {
  const { seed, orders, kills, onPhase } = options
  const script = dayScript(createRandom(seed, 'day'), orders)
  const plan = planDayKills(createRandom(seed, 'kills'), kills, script)
  onPhase?.(`undisturbed: ${script.length} steps`)
  const undisturbed = await runDay(script, [], options)
  onPhase?.(`${undisturbed.seconds} s; now with ${kills} kills`)
  const disturbed = await runDay(script, plan, options)
  const differences = differencesOf(undisturbed.outcome, disturbed.outcome)
  const { outcome: _, kills: none, violations, ...quiet } = undisturbed
  const { outcome, kills: done, violations: broken, ...loud } = disturbed
  return {
    lane: 'rel:day',
    seed,
    orders,
    kills: done.length + none.length,
    kills_by: countOf(done),
    settlements: outcome.settlements.length,
    undisturbed: quiet,
    disturbed: loud,
    differences: differences.slice(0, TOLD),
    violations: [...violations, ...broken, ...differences].slice(0, TOLD),
  }
}

/** One day from its first order to its last payout. */
async function runDay(
  script: readonly DayStep[],
  plan: readonly PlannedKill[],
  { seed, postgres = {} }: DayOptions,
): Promise<Day> {
  const home = mkdtempSync(join(tmpdir(), 'tidemark-day-'))
  const started = performance.now()
  const starting = DayProcesses.start(home, String(seed), postgres)
  const close = async () => {
    await starting.then((day) => day.close())
    rmSync(home, { recursive: true, force: true })
  }
  return await endedWith(close, async () => {
    const day = await starting
    const actor = await DayActor.open(day, String(seed))
    const killer = new Killer(day, plan, createRandom(seed, 'moments'))
    for (const [place, step] of script.entries()) {
      // A stage begins with everything running, so that what is killed is killed in it.
      if (!isOfMany(step)) await killer.done()
      killer.comesTo(place)
      await actor.act(step)
    }
    await killer.done()
    const { client, refused, retried, reversed } = actor
    await client.close()
    const facts = { kills: killer.kills, unknown: client.unknown, refused, retried, reversed }
    const violations = [...killer.faults, ...(await broken(day.pool)), ...(await railDifferences(day))]
    const seconds = Math.round((performance.now() - started) / 1_000)
    return { ...facts, ...(await counted(day.pool)), outcome: await dayOutcome(day.pool), violations, seconds }
  })
}

/** Ends processes beside the day, one after the other. */
class Killer {
  readonly kills: string[] = []
  readonly faults: string[] = []
  readonly #day: DayProcesses
  readonly #left: PlannedKill[]
  readonly #after_ms: () => number
  #running: Promise<void> = Promise.resolve()

  constructor(day: DayProcesses, plan: readonly PlannedKill[], random: { below(count: number): number }) {
    this.#day = day
    this.#left = [...plan]
    this.#after_ms = () => random.below(KILL_AFTER_MS)
  }

  /** Those of the plan that are due at a step begin, and the step does not wait for them. */
  comesTo(step: number): void {
    for (let next = this.#left[0]; next !== undefined && next.before_step <= step; next = this.#left[0]) {
      this.#left.shift()
      const { kill } = next
      const after_ms = this.#after_ms()
      this.#running = this.#running.then(async () => {
        await sleep(after_ms)
        const came = await this.#day.kill(kill)
        this.kills.push(came ? nameOf(kill) : kill.target)
      })
      this.#running.catch((error: unknown) => this.faults.push(`${kill.target}: ${error}`))
    }
  }

  /** Everything that was killed runs again. */
  async done(): Promise<void> {
    await this.#running.catch(() => undefined)
  }
}

function nameOf(kill: PlannedKill['kill']): string {
  if (kill.target === 'engine-at') return `engine ${kill.killpoint.split(':')[0]}`
  return kill.target === 'worker-at' ? `worker ${kill.dies_at.step}` : kill.target
}

function countOf(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

async function counted(pool: Pool): Promise<Pick<Day, 'fills' | 'attempts' | 'failures' | 'laid_out'>> {
  const number = async (sql: string) => (await pool.query<{ n: number }>(sql)).rows[0]!.n
  const failed =
    'SELECT failure_code, count(*) AS n FROM trading.settlement_attempt WHERE failure_code IS NOT NULL GROUP BY 1'
  const { rows } = await pool.query<{ failure_code: string; n: number }>(failed)
  return {
    fills: await number('SELECT count(*) AS n FROM trading.fill'),
    attempts: await number('SELECT count(*) AS n FROM trading.settlement_attempt'),
    failures: Object.fromEntries(rows.map(({ failure_code, n }) => [failure_code, n])),
    laid_out: await number('SELECT coalesce(sum(shortfall), 0)::bigint AS n FROM trading.resolution_payout'),
  }
}

/** Returns differences between the rail's executed settlements and the books, in both directions: each settlement has one effect. */
async function railDifferences({ pool, rail }: DayProcesses): Promise<string[]> {
  const executed = (await (await openRailRecord(rail)).executed()).map(
    ({ settlement_id, external_reference }) => `${settlement_id} ${external_reference}`,
  )
  const booked = `
    SELECT settlement_id || ' ' || external_reference AS line FROM trading.settlement_attempt WHERE state = 'confirmed'`
  const lines = (await pool.query<{ line: string }>(booked)).rows.map(({ line }) => line)
  return [
    ...executed.filter((line) => !lines.includes(line)).map((line) => `rail: not in the books: ${line}`),
    ...lines.filter((line) => !executed.includes(line)).map((line) => `rail: not executed: ${line}`),
  ]
}

/** Promises that do not hold, each with its first violation. */
async function broken(pool: Pool): Promise<string[]> {
  // The day's orders carry no real signatures.
  const found = (await auditTrading(pool, { without: ['O10'] })).filter(({ violations }) => violations.length > 0)
  return found.map(({ invariant_id, violations }) => `${invariant_id}: ${JSON.stringify(violations[0])}`)
}
