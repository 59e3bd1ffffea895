import { setTimeout as sleep } from 'node:timers/promises'
import { LIVE_INDEX_IDS, writeLiveDefinitions } from '../../../service/live/live-definitions.ts'
import { VENUES, type VenueId } from '../../../simulator/world/options.ts'
import type { Random } from '../../../simulator/world/random.ts'
import { endedWith } from '../ended-with.ts'
import { Acts } from './acts.ts'
import { begin, type Command, run } from './commands.ts'
import { contentOf, differences } from './content.ts'
import { PastWorkers } from './past-workers.ts'
import { FAULTS, type PastWorld } from './past-world.ts'

/** Kinds of acts: kills, interrupted commands and pauses of ingest. */
const PAST_ACTS = ['worker', 'Temporal server', 'cancel', 'pause'] as const
export type PastAct = (typeof PAST_ACTS)[number]

const SHARE = 0.3
const RUNS_MAX = 100
const HIT_RUNS_MAX = 5
const PAUSE_MS = 3_000
/** Exit codes of a command that refuses the request itself, and of one that was cancelled. */
const REFUSED: readonly (number | null)[] = [2, 3]
const CANCELLED = 130

const rangeOf = ({ from, to }: { readonly from: string; readonly to: string }) => ['--from', from, '--to', to]

/** Returns the command that fills in some markets. */
export function venueRequest({ day }: PastWorld, venue_id: VenueId, markets: readonly string[]): readonly string[] {
  return ['backfill', '--venue', venue_id, ...rangeOf(day), '--market', ...markets]
}

/** Returns the commands that publish the levels of each index. */
export function levelRequests({ levels }: PastWorld): readonly (readonly string[])[] {
  return LIVE_INDEX_IDS.map((id) => ['backfill', '--index', id, ...rangeOf(levels)])
}

/** Registers the indexes of the world. */
export async function applyIndexes({ world }: PastWorld, home: string): Promise<void> {
  const files = await writeLiveDefinitions(home, world)
  await run(['index', 'apply', ...files], { TIDEMARK_HOME: home })
}

export type DisturbedOptions = {
  readonly random: Random
  /** Kills, cancellations and pauses while each fault lasts. */
  readonly acts: number
  readonly onPhase: (text: string) => void
}

/** The past as it is filled in through workers, while faults, kills, cancellations and pauses disturb them. */
export class DisturbedPast {
  readonly acts: Acts<PastAct>
  readonly violations: string[] = []
  commands = 0
  readonly #world: PastWorld
  readonly #home: string
  readonly #options: DisturbedOptions
  readonly #running = new Set<Command>()

  constructor(world: PastWorld, home: string, options: DisturbedOptions) {
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
          const requestOf = (venue_id: VenueId) =>
            venueRequest(this.#world, venue_id, this.#world.markets(venue_id, fault))
          // A market has few answers: it may take another run until one of them is hit.
          for (let runs = 0; runs < HIT_RUNS_MAX && this.#world.hits()[fault] === 0; runs += 1)
            await this.#disturbed(VENUES.map(requestOf), workers)
        }
        this.#world.beset(null, 0)
        await applyIndexes(this.#world, this.#home)
        onPhase('levels')
        await this.#disturbed(levelRequests(this.#world), workers)
        onPhase('everything again')
        await this.#again(workers)
      },
    )
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
      await this.#untilDone(venueRequest(this.#world, venue_id, markets), workers)
    }
    const news = differences(before, await contentOf(this.#home))
    this.violations.push(...news.map((text) => `again: ${text}`))
  }
}
