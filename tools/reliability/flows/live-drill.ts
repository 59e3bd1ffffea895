import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MICROS_PER_DAY, toMicros } from '../../../primitives/instants.ts'
import { LIVE_INDEX_IDS } from '../../../service/live/live-definitions.ts'
import { type LiveWorld, worldOptions } from '../../../service/live/live-world.ts'
import { createSimulatedClock } from '../../../simulator/server/simulated-clock.ts'
import { startSimulatorServer } from '../../../simulator/server/start-simulator-server.ts'
import { createSimulatedVenue } from '../../../simulator/simulated-venue.ts'
import { planWorld } from '../../../simulator/world/plan.ts'
import { createRandom, type Random } from '../../../simulator/world/random.ts'
import { descendants, type Service, startService } from '../../../test/support/service-process.ts'
import { endedWith } from '../ended-with.ts'
import { begin, rowsOf, run } from './commands.ts'
import { type Levels, readLevels } from './levels.ts'

export type LiveOptions = {
  readonly seed: number
  /** Minutes for which the service runs. */
  readonly minutes: number
  readonly onPhase: (text: string) => void
}

export type LiveReport = {
  readonly acts: Readonly<Record<string, number>>
  readonly ticks: Levels['ticks']
  readonly made_up: number
  readonly trades: number
  readonly temporal_mb: number
  readonly seconds: number
  readonly violations: readonly string[]
}

/** Processes of a service, by a part of their command line. */
const TARGETS = {
  worker: /tidemark\.mjs worker /,
  api: /tidemark\.mjs api /,
  engine: /tidemark\.mjs engine /,
  'Temporal server': /server start-dev (?!.*watchdog)/,
} as const
const ACTS = [...Object.keys(TARGETS), 'up', 'pause'] as readonly (keyof typeof TARGETS | 'up' | 'pause')[]
const MINUTE_MS = 60_000
const PAUSE_MS = 100_000
/** Between two acts. */
const CALM = { low_ms: 40_000, high_ms: 100_000 } as const
/** Time after the last act for what was missed to be published and stored. */
const SETTLE_MS = 150_000
const ACCOUNTS = ['--sandbox-accounts', '2'] as const

/**
 * Runs `tidemark up` for some minutes of real time while each of its processes, and itself, are killed by signal 9, and publication is
 * paused and resumed. In the end the pauses are made up for; then every tick is there once, equal to what is recomputed from the
 * stored inputs, and every trade of a venue's tape is stored once.
 */
export async function runLiveDrill({ seed, minutes, onPhase }: LiveOptions): Promise<LiveReport> {
  const home = mkdtempSync(join(tmpdir(), 'tidemark-flows-live-'))
  const started = performance.now()
  const drill = new Drill(home, createRandom(seed, 'live'), onPhase)
  const close = async () => {
    await drill.stop('SIGKILL')
    await sleep(3_000) // the processes below it notice, and end
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
  return await endedWith(close, async () => {
    await drill.start()
    await drill.disturb(minutes * MINUTE_MS)
    const temporal_mb = statSync(join(home, 'temporal', 'temporal.db')).size / 2 ** 20
    const made_up = await makeUp(home)
    const stopped_at = Date.now()
    await drill.stop('SIGTERM')
    onPhase('checking')
    const levels = await readLevels(home)
    const trades = await tradesOf(home, stopped_at - MINUTE_MS)
    const violations = [
      ...levels.faults,
      ...LIVE_INDEX_IDS.filter((id) => levels.ticks[id] === undefined).map((id) => `${id} has no level`),
      ...trades.faults,
      ...(await refusedBy(home, ['audit'])),
      ...(await refusedBy(home, ['index', 'verify', '--all'])),
      ...(await refusedBy(home, ['audit', '--trading'])),
    ]
    const seconds = Math.round((performance.now() - started) / 1_000)
    const { acts } = drill
    return { acts, ticks: levels.ticks, made_up, trades: trades.count, temporal_mb, seconds, violations }
  })
}

/** A service and what is done to it. */
class Drill {
  readonly acts: Record<string, number> = {}
  readonly #home: string
  readonly #random: Random
  readonly #onPhase: (text: string) => void
  #service: Service | null = null

  constructor(home: string, random: Random, onPhase: (text: string) => void) {
    this.#home = home
    this.#random = random
    this.#onPhase = onPhase
  }

  async start(): Promise<void> {
    this.#service = await startService(this.#home, ACCOUNTS)
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const service = this.#service
    this.#service = null
    await service?.stop(signal)
  }

  /** Does each act in turn, in an order that the seed chooses, again and again. */
  async disturb(for_ms: number): Promise<void> {
    const end = Date.now() + for_ms - SETTLE_MS
    let left: (typeof ACTS)[number][] = []
    for (;;) {
      const wait_ms = this.#random.between(CALM.low_ms, CALM.high_ms)
      if (Date.now() + wait_ms + PAUSE_MS > end) break
      await sleep(wait_ms)
      if (left.length === 0) left = [...ACTS]
      const [act] = left.splice(this.#random.below(left.length), 1)
      this.#onPhase(act!)
      if (await this.#do(act!)) this.acts[act!] = (this.acts[act!] ?? 0) + 1
    }
    await sleep(Math.max(0, end - Date.now()) + SETTLE_MS)
  }

  async #do(act: (typeof ACTS)[number]): Promise<boolean> {
    if (act === 'pause') {
      await run(['schedules', 'pause', 'publish-tick', '--reason', 'drill'], { TIDEMARK_HOME: this.#home })
      await sleep(PAUSE_MS)
      await run(['schedules', 'resume', 'publish-tick'], { TIDEMARK_HOME: this.#home })
      return true
    }
    if (act === 'up') {
      await this.stop('SIGKILL')
      await sleep(2_000)
      await this.start()
      return true
    }
    const pid = descendants(this.#service!.child.pid!).find((one) => TARGETS[act].test(commandOf(one)))
    if (pid === undefined) return false
    process.kill(pid, 'SIGKILL')
    return true
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return '' // it has ended meanwhile
  }
}

/** Publishes what the pauses withheld. @returns levels and marks */
async function makeUp(home: string): Promise<number> {
  const command = begin(['schedules', 'make-up', 'publish-tick', '--json'], { TIDEMARK_HOME: home })
  const { exit_code, stdout, stderr } = await command.ended
  if (stderr.includes('no pause of publication')) return 0
  if (exit_code !== 0) throw new Error(`make-up ended with ${exit_code}: ${stderr}`)
  return (JSON.parse(stdout) as { levels: number; marks: number }[]).reduce(
    (sum, one) => sum + one.levels + one.marks,
    0,
  )
}

async function refusedBy(home: string, command: readonly string[]): Promise<string[]> {
  const { exit_code, stdout, stderr } = await begin(command, { TIDEMARK_HOME: home }).ended
  return exit_code === 0
    ? []
    : [`${command.join(' ')} ended with ${exit_code}: ${stdout.slice(-300)} ${stderr.slice(-300)}`]
}

/** Compares the stored trades of Kalshi with the tape of an undisturbed venue, up to an instant. */
async function tradesOf(home: string, to_ms: number): Promise<{ readonly count: number; readonly faults: string[] }> {
  const options = worldOptions(JSON.parse(readFileSync(join(home, 'live', 'world.json'), 'utf8')) as LiveWorld)
  const clock = createSimulatedClock(options.start)
  const venue = createSimulatedVenue(planWorld(options), 'kalshi', { remembers: 15 * MICROS_PER_DAY })
  const server = await startSimulatorServer({ venue, clock, limits: [] })
  type Page = {
    readonly trades: readonly { readonly trade_id: string; readonly created_time: string }[]
    readonly cursor: string
  }
  const listed: string[] = []
  try {
    clock.advanceTo(to_ms * 1_000)
    for (let cursor = ''; ; ) {
      const url = `${server.base_url}/trade-api/v2/markets/trades?limit=1000&min_ts=0&cursor=${cursor}`
      const page = (await (await fetch(url)).json()) as Page
      listed.push(
        ...page.trades
          .filter(({ created_time }) => toMicros(created_time) < to_ms * 1_000)
          .map(({ trade_id }) => trade_id),
      )
      cursor = page.cursor
      if (cursor === '') break
    }
  } finally {
    await server.close()
  }
  const to = new Date(to_ms).toISOString()
  const rows = await rowsOf<{ id: string; n: number }>(
    home,
    `select source_trade_id as id, count(*) as n from public_trade
     where venue_id = 'kalshi' and source_at < '${to}' group by all order by 1`,
  )
  const stored = new Set(rows.map(({ id }) => id))
  const known = new Set(listed)
  return {
    count: stored.size,
    faults: [
      ...rows.filter(({ n }) => n !== 1).map(({ id, n }) => `trade ${id} is stored ${n} times`),
      ...listed.filter((id) => !stored.has(id)).map((id) => `trade ${id} is missing`),
      ...[...stored].filter((id) => !known.has(id)).map((id) => `trade ${id} is not on the tape`),
    ],
  }
}
