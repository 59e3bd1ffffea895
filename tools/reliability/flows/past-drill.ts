import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIVE_INDEX_IDS, writeLiveDefinitions } from '../../../service/live/live-definitions.ts'
import { VENUES, type VenueId } from '../../../simulator/world/options.ts'
import { createRandom, type Random } from '../../../simulator/world/random.ts'
import { endedWith } from '../ended-with.ts'
import { Acts } from './acts.ts'
import { begin, type Command, run } from './commands.ts'
import { auditFaults, contentOf, differences } from './content.ts'
import { type Levels, MINUTE_MS, readLevels } from './levels.ts'
import { PastWorkers } from './past-workers.ts'
import { type DrillFault, FAULTS, type PastWorld, servePastWorld } from './past-world.ts'

export type PastOptions = {
  readonly seed: number
  /** Minutes of levels. */
  readonly minutes: number
  /** Kills, cancellations and pauses while each fault lasts. */
  readonly acts: number
  readonly onPhase: (text: string) => void
}

const PAST_ACTS = ['worker', 'Temporal server', 'cancel', 'pause'] as const
type PastAct = (typeof PAST_ACTS)[number]

export type PastReport = {
  readonly acts: Readonly<Record<PastAct, number>>
  /** Answers that each fault spoiled. */
  readonly faults_hit: Readonly<Record<DrillFault, number>>
  /** Backfill commands that were given. */
  readonly commands: number
  readonly rows: Readonly<Record<string, number>>
  readonly ticks: Levels['ticks']
  readonly seconds: number
  readonly violations: readonly string[]
}

const SHARE = 0.3
const RUNS_MAX = 100
const PAUSE_MS = 3_000
/** Exit codes of a command that refuses the request itself, and of one that was cancelled. */
const REFUSED: readonly (number | null)[] = [2, 3]
const CANCELLED = 130

/**
 * Fills in a day of three venues and minutes of levels twice: undisturbed, and through workers while each fault in turn hits 30 % of the
 * answers, workers and the Temporal server are killed, commands are cancelled and given twice, and ingest is paused. Both must come to
 * the same rows.
 */
export async function runPastDrill({ seed, minutes, acts, onPhase }: PastOptions): Promise<PastReport> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-flows-'))
  const began = performance.now()
  const world = await servePastWorld(seed, minutes)
  const close = async () => {
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return await endedWith(close, async () => {
    const [plain, beset] = [join(folder, 'plain'), join(folder, 'beset')]
    onPhase('the past, undisturbed')
    await fillPlain(world, plain)
    const drill = new Drill(world, beset, { random: createRandom(seed, 'flows'), acts, onPhase })
    await drill.run(join(folder, 'temporal'))
    onPhase('comparing')
    const [expected, found] = [await contentOf(plain), await contentOf(beset)]
    const levels = await readLevels(beset)
    const hits = world.hits()
    const violations = [
      ...drill.violations,
      ...(acts === 0 ? [] : drill.acts.missing()),
      ...FAULTS.filter((fault) => hits[fault] === 0).map((fault) => `${fault} spoiled no answer`),
      ...differences(expected, found),
      ...levels.faults,
      ...(JSON.stringify((await readLevels(plain)).lines) === JSON.stringify(levels.lines) ? [] : ['levels differ']),
      ...LIVE_INDEX_IDS.flatMap((id) => shortFaults(levels, id, world.levels.to)),
      ...(await auditFaults(beset)),
    ]
    const rows = Object.fromEntries(Object.entries(found).map(([table, lines]) => [table, lines.length]))
    const seconds = Math.round((performance.now() - began) / 1_000)
    const { commands } = drill
    return { acts: drill.acts.counts(), faults_hit: hits, commands, rows, ticks: levels.ticks, seconds, violations }
  })
}

/** Finds out whether an index has no level, or not the last one of the range. */
function shortFaults({ last_ms }: Levels, index_id: string, to: string): string[] {
  const last = last_ms[index_id]
  if (last === undefined) return [`${index_id} has no level`]
  return last === Date.parse(to) - MINUTE_MS ? [] : [`${index_id}: the last tick is ${new Date(last).toISOString()}`]
}

const rangeOf = ({ from, to }: { readonly from: string; readonly to: string }) => ['--from', from, '--to', to]

async function fillPlain(world: PastWorld, home: string): Promise<void> {
  const here = (argv: readonly string[]) => run([...argv, '--in-process'], { ...world.variables, TIDEMARK_HOME: home })
  for (const venue_id of VENUES) {
    const markets = FAULTS.flatMap((fault) => world.markets(venue_id, fault))
    await here(['backfill', '--venue', venue_id, ...rangeOf(world.day), '--market', ...markets])
  }
  await applyIndexes(world, home)
  for (const id of LIVE_INDEX_IDS) await here(['backfill', '--index', id, ...rangeOf(world.levels)])
}

async function applyIndexes({ world }: PastWorld, home: string): Promise<void> {
  const files = await writeLiveDefinitions(home, world)
  await run(['index', 'apply', ...files], { TIDEMARK_HOME: home })
}

type DrillOptions = { readonly random: Random } & Pick<PastOptions, 'acts' | 'onPhase'>

/** The disturbed half. */
class Drill {
  readonly acts: Acts<PastAct>
  readonly violations: string[] = []
  commands = 0
  readonly #world: PastWorld
  readonly #home: string
  readonly #options: DrillOptions
  readonly #running = new Set<Command>()

  constructor(world: PastWorld, home: string, options: DrillOptions) {
    this.acts = new Acts(PAST_ACTS, options.random)
    this.#world = world
    this.#home = home
    this.#options = options
  }

  async run(temporal_folder: string): Promise<void> {
    const { onPhase } = this.#options
    const workers = await PastWorkers.start(temporal_folder, this.#home, this.#world.variables)
    await endedWith(
      () => workers.close(),
      async () => {
        await workers.work()
        for (const fault of FAULTS) {
          onPhase(`${fault} at ${100 * SHARE} %`)
          this.#world.beset(fault, SHARE)
          const requests = VENUES.map((venue_id) => this.#venueRequest(venue_id, this.#world.markets(venue_id, fault)))
          await this.#disturbed(requests, workers)
        }
        this.#world.beset(null, 0)
        await applyIndexes(this.#world, this.#home)
        onPhase('levels')
        const of_indexes = LIVE_INDEX_IDS.map((id) => ['backfill', '--index', id, ...rangeOf(this.#world.levels)])
        await this.#disturbed(of_indexes, workers)
        onPhase('everything again')
        await this.#again(workers)
      },
    )
  }

  #venueRequest(venue_id: VenueId, markets: readonly string[]): readonly string[] {
    return ['backfill', '--venue', venue_id, ...rangeOf(this.#world.day), '--market', ...markets]
  }

  /** Gives commands until each has ended well, while processes are killed and commands cancelled. */
  async #disturbed(requests: readonly (readonly string[])[], workers: PastWorkers): Promise<void> {
    const over = new AbortController()
    const disturbing = this.#disturb(workers, over.signal)
    // The first request is given twice at the same time.
    await Promise.all([...requests, requests[0]!].map((request) => this.#untilDone(request, workers)))
    over.abort()
    await disturbing
  }

  async #untilDone(request: readonly string[], workers: PastWorkers): Promise<void> {
    let said = ''
    for (let runs = 0; runs < RUNS_MAX; runs += 1) {
      this.commands += 1
      const command = begin([...request, '--json'], { ...workers.variables, TIDEMARK_HOME: this.#home })
      this.#running.add(command)
      const { exit_code, stderr } = await command.ended
      this.#running.delete(command)
      if (exit_code === 0) return
      said = stderr.trimEnd().split('\n').at(-1) ?? ''
      if (REFUSED.includes(exit_code)) break
      await sleep(500)
    }
    this.violations.push(`${request.slice(0, 3).join(' ')}: never done: ${said}`)
  }

  /** Does the acts one after the other, each some seconds after the one before it. */
  async #disturb(workers: PastWorkers, signal: AbortSignal): Promise<void> {
    const { acts, random } = this.#options
    for (let n = 0; n < acts; n += 1) {
      await sleep(random.between(1_500, 6_000), undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      await this.acts.next((act) => this.#act(act, workers))
    }
  }

  async #act(act: PastAct, workers: PastWorkers): Promise<boolean> {
    switch (act) {
      case 'worker':
        await workers.killWorker()
        return true
      case 'Temporal server':
        return workers.killServer()
      case 'cancel':
        return await this.#cancel()
      case 'pause':
        await this.#pause(VENUES[this.#options.random.below(VENUES.length)]!)
        return true
    }
  }

  /** Interrupts two commands. @returns whether one of them ended by it */
  async #cancel(): Promise<boolean> {
    const ended = [...this.#running].slice(0, 2).map((command) => {
      command.child.kill('SIGINT')
      return command.ended
    })
    return (await Promise.all(ended)).some(({ exit_code }) => exit_code === CANCELLED)
  }

  async #pause(venue_id: VenueId): Promise<void> {
    const at = { TIDEMARK_HOME: this.#home }
    await run(['schedules', 'pause', `ingest-venue/${venue_id}`, '--reason', 'drill'], at)
    await sleep(PAUSE_MS)
    await run(['schedules', 'resume', `ingest-venue/${venue_id}`], at)
  }

  /** The same requests once more, all markets at once: nothing of them is new. */
  async #again(workers: PastWorkers): Promise<void> {
    const before = await contentOf(this.#home)
    for (const venue_id of VENUES) {
      const markets = FAULTS.flatMap((fault) => this.#world.markets(venue_id, fault))
      await this.#untilDone(this.#venueRequest(venue_id, markets), workers)
    }
    const news = differences(before, await contentOf(this.#home))
    this.violations.push(...news.map((text) => `again: ${text}`))
  }
}
