import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { LIVE_INDEX_IDS, writeLiveDefinitions } from '../../../service/live/live-definitions.ts'
import { VENUES, type VenueId } from '../../../simulator/world/options.ts'
import { createRandom, type Random } from '../../../simulator/world/random.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { endedWith } from '../ended-with.ts'
import { begin, run } from './commands.ts'
import { type Levels, readLevels } from './levels.ts'
import { PastWorkers } from './past-workers.ts'
import { FAULTS, type PastWorld, servePastWorld } from './past-world.ts'

export type PastOptions = {
  readonly seed: number
  /** Minutes of levels. */
  readonly minutes: number
  /** Kills, cancellations and pauses while each fault lasts. */
  readonly acts: number
  readonly onPhase: (text: string) => void
}

export type PastReport = {
  readonly acts: Readonly<Record<string, number>>
  readonly faults_hit: number
  readonly commands: number
  readonly rows: Readonly<Record<string, number>>
  readonly ticks: Levels['ticks']
  readonly seconds: number
  readonly violations: readonly string[]
}

const SHARE = 0.3
const RUNS_MAX = 100
/** Tables compared row by row. Marks of a chunk that was completed later have been revised, so their newest revisions count. */
const TABLES = [
  'market_quote_history',
  'public_trade_history',
  'market_resolution_history',
  'market_history',
  'event_history',
  'market_mark',
] as const
/** Columns that say when something was received or published, and ids that follow from them. */
const CLOCKED = /^(row_ordinal|published_at|received_at|calculated_at|confirmed_at|.*_ids?|.*_hash|payload.*|file)$/
/** Columns of a mark that tell how often it was stated. */
const REVISED = /^(revision|correction_reason)$/

/**
 * Fills in a day of three venues and minutes of levels twice: undisturbed, and through workers while each fault in turn hits 30 % of the
 * answers, workers and the Temporal server are killed, commands are cancelled and given twice, and ingest is paused. Both must come to
 * the same rows.
 */
export async function runPastDrill({ seed, minutes, acts, onPhase }: PastOptions): Promise<PastReport> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-flows-'))
  const started = performance.now()
  const world = await servePastWorld(seed, minutes)
  const close = async () => {
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return await endedWith(close, async () => {
    const [plain, beset] = [join(folder, 'plain'), join(folder, 'beset')]
    onPhase('the past, undisturbed')
    await fillPlain(world, plain)
    const drill = new Drill(world, beset, createRandom(seed, 'flows'), acts, onPhase)
    await drill.run(join(folder, 'temporal'))
    onPhase('comparing')
    const [expected, found] = [await contentOf(plain), await contentOf(beset)]
    const levels = await readLevels(beset)
    const violations = [
      ...drill.violations,
      ...differences(expected, found),
      ...levels.faults,
      ...(JSON.stringify((await readLevels(plain)).lines) === JSON.stringify(levels.lines) ? [] : ['levels differ']),
      ...LIVE_INDEX_IDS.filter((id) => levels.ticks[id] === undefined).map((id) => `${id} has no level`),
      ...(await auditFaults(beset)),
    ]
    const rows = Object.fromEntries(Object.entries(found).map(([table, lines]) => [table, lines.length]))
    const seconds = Math.round((performance.now() - started) / 1_000)
    const { counts, commands } = drill
    return { acts: counts, faults_hit: world.hits(), commands, rows, ticks: levels.ticks, seconds, violations }
  })
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

/** The disturbed half. */
class Drill {
  readonly counts: Record<string, number> = {}
  readonly violations: string[] = []
  commands = 0
  readonly #world: PastWorld
  readonly #home: string
  readonly #random: Random
  readonly #acts: number
  readonly #onPhase: (text: string) => void

  constructor(world: PastWorld, home: string, random: Random, acts: number, onPhase: (text: string) => void) {
    this.#world = world
    this.#home = home
    this.#random = random
    this.#acts = acts
    this.#onPhase = onPhase
  }

  async run(temporal_folder: string): Promise<void> {
    const workers = await PastWorkers.start(temporal_folder, this.#home, this.#world.variables)
    await endedWith(
      () => workers.close(),
      async () => {
        for (const fault of FAULTS) {
          this.#onPhase(`${fault} at ${100 * SHARE} %`)
          this.#world.beset(fault, SHARE)
          const requests = VENUES.map((venue_id) => this.#venueRequest(venue_id, this.#world.markets(venue_id, fault)))
          await this.#disturbed(requests, workers)
        }
        this.#world.beset(null, 0)
        await applyIndexes(this.#world, this.#home)
        this.#onPhase('levels')
        const of_indexes = LIVE_INDEX_IDS.map((id) => ['backfill', '--index', id, ...rangeOf(this.#world.levels)])
        await this.#disturbed(of_indexes, workers)
        this.#onPhase('everything again')
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
    const cancelling = new Set<() => void>()
    const disturbing = this.#disturb(workers, cancelling, over.signal)
    // The first request is given twice at the same time.
    await Promise.all([...requests, requests[0]!].map((request) => this.#untilDone(request, workers, cancelling)))
    over.abort()
    await disturbing
  }

  async #untilDone(request: readonly string[], workers: PastWorkers, cancelling: Set<() => void>): Promise<void> {
    let said = ''
    for (let runs = 0; runs < RUNS_MAX; runs += 1) {
      this.commands += 1
      const { child, ended } = begin([...request, '--json'], { ...workers.variables, TIDEMARK_HOME: this.#home })
      const cancel = () => void child.kill('SIGINT')
      cancelling.add(cancel)
      const { exit_code, stderr } = await ended
      cancelling.delete(cancel)
      if (exit_code === 0) return
      said = stderr.trimEnd().split('\n').at(-1) ?? ''
      // 2 and 3 are refusals of the request itself.
      if (exit_code === 2 || exit_code === 3) break
      await sleep(500)
    }
    this.violations.push(`${request.slice(0, 3).join(' ')}: never done: ${said}`)
  }

  /** Does the acts one after the other, each some seconds after the one before it. */
  async #disturb(workers: PastWorkers, cancelling: Set<() => void>, signal: AbortSignal): Promise<void> {
    for (let n = 0; n < this.#acts; n += 1) {
      await sleep(this.#random.between(1_500, 6_000), undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      await this.#act(this.#random.below(5), workers, cancelling)
    }
  }

  async #act(which: number, workers: PastWorkers, cancelling: Set<() => void>): Promise<void> {
    const count = (name: string) => {
      this.counts[name] = (this.counts[name] ?? 0) + 1
    }
    if (which <= 1) {
      count('worker killed')
      await workers.killWorker()
    } else if (which === 2) {
      count('server killed')
      workers.killServer()
    } else if (which === 3) {
      count('cancelled')
      for (const cancel of [...cancelling].slice(0, 2)) cancel()
    } else {
      count('paused and resumed')
      const venue_id = VENUES[this.#random.below(VENUES.length)]!
      const at = { TIDEMARK_HOME: this.#home }
      await run(['schedules', 'pause', `ingest-venue/${venue_id}`, '--reason', 'drill'], at)
      await sleep(3_000)
      await run(['schedules', 'resume', `ingest-venue/${venue_id}`], at)
    }
  }

  /** The same requests once more, all markets at once: nothing of them is new. */
  async #again(workers: PastWorkers): Promise<void> {
    const before = await contentOf(this.#home)
    for (const venue_id of VENUES) {
      const markets = FAULTS.flatMap((fault) => this.#world.markets(venue_id, fault))
      await this.#untilDone(this.#venueRequest(venue_id, markets), workers, new Set())
    }
    const news = differences(before, await contentOf(this.#home))
    this.violations.push(...news.map((text) => `again: ${text}`))
  }
}

type Content = Readonly<Record<string, readonly string[]>>

/** Every revision of every record, without when it was received and published. */
async function contentOf(home: string): Promise<Content> {
  const warehouse = await openWarehouse({ root: join(home, 'warehouse') })
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const content: Record<string, readonly string[]> = {}
    for (const table of TABLES) {
      const rows = await session.query(`select * from ${table}`)
      const isCompared = (column: string) => !CLOCKED.test(column) && !(table === 'market_mark' && REVISED.test(column))
      content[table] = rows
        .map((row) => JSON.stringify(Object.entries(row).filter(([column]) => isCompared(column))))
        .sort()
    }
    return content
  } finally {
    await session.close()
    await warehouse.close()
  }
}

function differences(expected: Content, found: Content): string[] {
  return Object.entries(expected).flatMap(([table, lines]) => {
    const other = found[table] ?? []
    if (lines.length === other.length && lines.every((line, n) => line === other[n])) return []
    const place = lines.findIndex((line, n) => line !== other[n])
    return [`${table}: ${lines.length} rows expected, ${other.length} found; first ${lines[place]} and ${other[place]}`]
  })
}

async function auditFaults(home: string): Promise<string[]> {
  const warehouse = await openWarehouse({ root: join(home, 'warehouse') })
  try {
    const { violations } = await auditWarehouse({ warehouse })
    return violations.map((violation) => `audit: ${JSON.stringify(violation)}`)
  } finally {
    await warehouse.close()
  }
}
