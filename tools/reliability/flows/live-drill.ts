import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIVE_INDEX_IDS } from '../../../service/live/live-definitions.ts'
import { type LiveWorld, worldOptions } from '../../../service/live/live-world.ts'
import { createRandom, type Random } from '../../../simulator/world/random.ts'
import { endedWith } from '../ended-with.ts'
import { Acts } from './acts.ts'
import { begin } from './commands.ts'
import { type Levels, MINUTE_MS, readLevels } from './levels.ts'
import { LIVE_ACTS, type LiveAct, LiveService } from './live-service.ts'
import { compareTrades } from './venue-trades.ts'

export type LiveOptions = {
  readonly seed: number
  /** Minutes for which the service runs. */
  readonly minutes: number
  readonly onPhase: (text: string) => void
}

export type LiveReport = {
  readonly acts: Readonly<Record<LiveAct, number>>
  readonly ticks: Levels['ticks']
  readonly made_up: MadeUp
  readonly trades: number
  readonly temporal_mib: number
  readonly seconds: number
  readonly violations: readonly string[]
}

/** Most that the service's own Temporal server may store in a day. */
const TEMPORAL_MIB_A_DAY = 200
/** Size of its empty database, and of the log that it writes before it. */
const TEMPORAL_MIB_EMPTY = 8

/** Finds out whether Temporal's database grew faster than it may. */
export function databaseFaults(mib: number, minutes: number): string[] {
  const allowed = TEMPORAL_MIB_EMPTY + (TEMPORAL_MIB_A_DAY * minutes) / (24 * 60)
  if (mib <= allowed) return []
  return [`Temporal's database has ${mib.toFixed(1)} MiB after ${minutes} min; allowed: ${allowed.toFixed(1)}`]
}

type MadeUp = { readonly levels: number; readonly marks: number }

/** Time that a round of all acts takes where there is time enough. */
const ROUND_MS = 7 * MINUTE_MS
/** Time after the last act for what was missed to be published and stored. */
const SETTLE_MS = 150_000

/**
 * Runs `tidemark up` for some minutes of real time while each of its processes, and itself, are killed by signal 9, and publication is
 * paused and resumed. In the end the pauses are made up for; then every tick is there once, equal to what is recomputed from the
 * stored inputs, every trade of a venue is stored once, and Temporal's database has grown by its share of 200 MiB a day at most.
 */
export async function runLiveDrill({ seed, minutes, onPhase }: LiveOptions): Promise<LiveReport> {
  const home = mkdtempSync(join(tmpdir(), 'tidemark-flows-live-'))
  const began = performance.now()
  const service = new LiveService(home)
  const random = createRandom(seed, 'live')
  const acts = new Acts(LIVE_ACTS, random)
  const close = async () => {
    await service.stop('SIGKILL')
    await sleep(3_000) // the processes below it notice, and end
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
  return await endedWith(close, async () => {
    await service.start()
    const violations = await disturb(service, acts, { random, for_ms: minutes * MINUTE_MS, onPhase })
    const temporal_mib = service.temporalMib()
    const made_up = await makeUp(home)
    const stopped_ms = Date.now()
    await service.stop('SIGTERM')
    onPhase('checking')
    const levels = await readLevels(home)
    const world = worldOptions(JSON.parse(readFileSync(join(home, 'live', 'world.json'), 'utf8')) as LiveWorld)
    const trades = await compareTrades(home, world, { reads: service.starts, to: wholeMinutes(stopped_ms) * 1_000 })
    violations.push(
      ...acts.missing(),
      ...(made_up.levels === 0 ? ['the pauses withheld no level'] : []),
      ...levels.faults,
      ...LIVE_INDEX_IDS.flatMap((id) => lateFaults(levels, id, wholeMinutes(stopped_ms))),
      ...trades.faults,
      ...databaseFaults(temporal_mib, minutes),
      ...(await refusedBy(home, ['audit'])),
      ...(await refusedBy(home, ['index', 'verify', '--all'])),
      ...(await refusedBy(home, ['audit', '--trading'])),
    )
    return {
      acts: acts.counts(),
      ticks: levels.ticks,
      made_up,
      trades: trades.count,
      temporal_mib,
      seconds: Math.round((performance.now() - began) / 1_000),
      violations,
    }
  })
}

type Disturbance = {
  readonly random: Random
  readonly for_ms: number
  readonly onPhase: (text: string) => void
}

/** Does whole rounds of acts, evenly spread, then leaves the service alone. @returns what an act found */
async function disturb(
  service: LiveService,
  acts: Acts<LiveAct>,
  { random, for_ms, onPhase }: Disturbance,
): Promise<string[]> {
  const violations: string[] = []
  const began = Date.now()
  const busy_ms = for_ms - SETTLE_MS
  const count = LIVE_ACTS.length * Math.max(1, Math.floor(busy_ms / ROUND_MS))
  const gap_ms = Math.floor(busy_ms / count)
  for (let n = 0; n < count; n += 1) {
    const at = began + n * gap_ms + random.below(gap_ms)
    await sleep(Math.max(0, at - Date.now()))
    await acts.next(async (act) => {
      onPhase(act)
      const is_done = await service.do(act)
      if (!is_done) violations.push(`${act}: none runs, it did not come back`)
      return is_done
    })
  }
  await service.resumed()
  await sleep(Math.max(SETTLE_MS, began + for_ms - Date.now()))
  return violations
}

function wholeMinutes(at_ms: number): number {
  return Math.floor(at_ms / MINUTE_MS) * MINUTE_MS
}

/** Finds out whether an index has no level, or none of the last minutes. */
function lateFaults({ last_ms }: Levels, index_id: string, to_ms: number): string[] {
  const last = last_ms[index_id]
  if (last === undefined) return [`${index_id} has no level`]
  return last >= to_ms - MINUTE_MS ? [] : [`${index_id}: no tick after ${new Date(last).toISOString()}`]
}

/** Publishes what the pauses withheld. */
async function makeUp(home: string): Promise<MadeUp> {
  const command = begin(['schedules', 'make-up', 'publish-tick', '--json'], { TIDEMARK_HOME: home })
  const { exit_code, stdout, stderr } = await command.ended
  if (exit_code !== 0) throw new Error(`make-up ended with ${exit_code}: ${stderr}`)
  const sum = (of: keyof MadeUp) => (JSON.parse(stdout) as MadeUp[]).reduce((all, one) => all + one[of], 0)
  return { levels: sum('levels'), marks: sum('marks') }
}

async function refusedBy(home: string, command: readonly string[]): Promise<string[]> {
  const { exit_code, stdout, stderr } = await begin(command, { TIDEMARK_HOME: home }).ended
  if (exit_code === 0) return []
  return [`${command.join(' ')} ended with ${exit_code}: ${stdout.slice(-300)} ${stderr.slice(-300)}`]
}
