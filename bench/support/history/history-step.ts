import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openLivePublisher } from '../../../operations/live/live-publisher.ts'
import { marketIdOf } from '../../../pipelines/revisions/identity.ts'
import { invariant } from '../../../primitives/errors.ts'
import { MICROS_PER_DAY, type Micros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { QUERY_LIMITS } from '../../../warehouse/reader/history/query-limits.ts'
import { openReader } from '../../../warehouse/reader/open-reader.ts'
import type { Reader } from '../../../warehouse/reader/reader.ts'
import { type ObjectStoreAccess, useObjectStores } from '../../../warehouse/store/s3/object-store-access.ts'
import { TABLE_NAMES } from '../../../warehouse/tables.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { appender } from '../define-invented.ts'
import { inventedBooks, VENUE } from '../invented-indexes.ts'
import { runScript } from '../run-script.ts'
import { MINUTE, YEAR_START } from '../synthetic-books.ts'
import { clockPorts, INDEXES } from './history-world.ts'

/**
 * Runs one step on a simulated history in a process of its own, then prints one JSON line: milliseconds of each operation.
 * Arguments: name of the step, then its options as JSON (StepOptions).
 */
export type StepOptions = {
  readonly root: string
  readonly days: number
  /** Access to the object store of `root`; null: it is a folder. */
  readonly access: ObjectStoreAccess | null
  /** Access of the other host of step `visible`. */
  readonly writer?: ObjectStoreAccess
}

/** Times of operations in milliseconds, and the memory of the process. */
export type StepTimes = Readonly<Record<string, readonly number[]>>

/** Limits under which no read of history times out on a busy machine. */
const PATIENT = { ...QUERY_LIMITS, time_ms: 120_000 }
const SECOND: Micros = 1_000_000
/** Markets whose newest quotes are read. */
const LATEST = 1000
/** Parts of the history at whose instants a chain is read. */
const INSTANTS = [0.1, 0.3, 0.5, 0.7, 0.9]
const BATCHES = 20
const TICKS = 3
const SCANS = 3
/** Commits of another host, and the time between them in milliseconds. */
const SEEN = 50
const SEEN_EVERY_MS = 300

const STEPS: Readonly<Record<string, (options: StepOptions) => Promise<StepTimes>>> = {
  /** Opens the warehouse as a writer does, then a reader, until it answers from memory. */
  async open({ root }) {
    const ports = clockPorts({ now: YEAR_START })
    const opened = await timed(async () => {
      const warehouse = await openWarehouse({ root, ports })
      await Promise.all(TABLE_NAMES.map((table) => warehouse.log(table).snapshot()))
      return warehouse
    })
    await opened.result.close()
    const ready = await timed(() => openReader({ root, ports }))
    requireReady(ready.result)
    await ready.result.close()
    return { ...timesOf('open_warehouse', [opened]), ...timesOf('open_reader', [ready]), ...memory() }
  },

  /** Reads newest quotes, then chains as of instants all over the history: each from files that this process has not read yet. */
  async read({ root, days }) {
    const clock = { now: YEAR_START + MICROS_PER_DAY }
    const reader = await openReader({ root, ports: clockPorts(clock), limits: PATIENT })
    requireReady(reader)
    const latest = await timed(async () => {
      for (let n = 0; n < LATEST; n++) invariant(reader.latest.quotes(marketId(n)).length > 0, `market ${n} has quotes`)
    })
    const chains = INSTANTS.map((part, n) => ({
      market_id: marketId(n),
      as_of: YEAR_START - part * days * MICROS_PER_DAY,
    }))
    const readAll = async () => {
      const times: number[] = []
      for (const { market_id, as_of } of chains) {
        const { result, ms } = await timed(() => reader.asOf(as_of, (past) => past.history.quotes(market_id, as_of)))
        invariant(result.length === 2, `market ${market_id} has ${result.length} quotes as of ${as_of}`)
        times.push(ms)
      }
      return times
    }
    // Later chains of a short history find files that earlier ones have checked, so only the first one is cold.
    const as_of_cold = (await readAll()).slice(0, 1)
    const as_of_warm = [...(await readAll()), ...(await readAll())]
    await reader.close()
    return { latest: [latest.ms / LATEST], as_of_cold, as_of_warm, ...memory() }
  },

  /** Appends batches of 1,000 quotes, one commit each. */
  async append({ root }) {
    const clock = { now: YEAR_START }
    const warehouse = await openWarehouse({ root, ports: clockPorts(clock) })
    clock.now = await afterHead(warehouse)
    const append = appender(warehouse, `batch-${process.pid}`)
    const books = inventedBooks(500)
    const times: Timed[] = []
    for (let n = 0; n < BATCHES; n++) {
      clock.now += SECOND
      const rows = books(clock.now)
      times.push(await timed(() => append('market_quote', rows)))
    }
    await warehouse.close()
    return { ...timesOf('append', times.slice(1)), ...memory() }
  },

  /** Publishes ticks of all indexes; the first one of a process reads what it needs to know. */
  async tick({ root }) {
    const clock = { now: YEAR_START }
    const warehouse = await openWarehouse({ root, ports: clockPorts(clock) })
    let minute = Math.ceil((await afterHead(warehouse)) / MINUTE) * MINUTE
    const append = appender(warehouse, `tick-${process.pid}`)
    const books = inventedBooks(INDEXES.markets)
    const publisher = openLivePublisher(warehouse)
    const times: Timed[] = []
    for (let n = 0; n < TICKS; n++) {
      minute += MINUTE
      clock.now = minute - 10 * SECOND
      await append('market_quote', books(clock.now))
      clock.now = minute + 5.5 * SECOND
      const tick = await timed(() => publisher.publishDue())
      invariant(n === 0 || tick.result.levels === INDEXES.indexes, `tick ${n} has ${tick.result.levels} levels`)
      times.push(tick)
    }
    await warehouse.close()
    return { ...timesOf('tick_first', times.slice(0, 1)), ...timesOf('tick', times.slice(1)), ...memory() }
  },

  /** Reads every quote as of an instant, first without and then with what the first read has learned. */
  async scan({ root }) {
    const warehouse = await openWarehouse({ root, ports: clockPorts({ now: YEAR_START + MICROS_PER_DAY }) })
    const times: number[] = []
    let quotes = 0
    for (let n = 0; n <= SCANS; n++) {
      const { result, ms } = await timed(async () => {
        const session = await openReadSession(warehouse, { as_of: YEAR_START - MINUTE, tables: ['market_quote'] })
        const sums = 'count(*) as n, sum(bid) as bids, max(received_at) as newest'
        const read = await session.query(`select ${sums} from market_quote_history`)
        await session.close()
        return read
      })
      quotes = Number(result[0]!.n)
      times.push(ms)
    }
    await warehouse.close()
    return { quotes: [quotes], cold: [times[0]!], warm: times.slice(1), ...memory() }
  },

  /** Follows the quotes while another process commits some, and returns how long after its acknowledgement each was seen. */
  async visible(options) {
    const reader = await openReader({ root: options.root, ports: clockPorts({ now: YEAR_START + MICROS_PER_DAY }) })
    const seen = new Map<number, number>()
    const watch = setInterval(() => {
      const version = reader.status().versions.market_quote ?? -1
      if (!seen.has(version)) seen.set(version, Date.now())
    }, 5)
    const args = { ...options, access: options.writer }
    const written = await runScript<StepTimes>(fileURLToPath(import.meta.url), ['write', JSON.stringify(args)])
    await sleep(5000)
    clearInterval(watch)
    await reader.close()
    const versions = [...seen.keys()].sort((a, b) => a - b)
    const visible = written.versions!.map((version, n) => {
      const shown = versions.find((one) => one >= version)
      invariant(shown !== undefined, `version ${version} was not seen`)
      return Math.max(0, seen.get(shown)! - written.acknowledged_at![n]!)
    })
    return { visible }
  },

  async write({ root }) {
    const clock = { now: YEAR_START }
    const warehouse = await openWarehouse({ root, ports: clockPorts(clock) })
    clock.now = await afterHead(warehouse)
    const books = inventedBooks(50)
    const [versions, acknowledged_at]: [number[], number[]] = [[], []]
    for (let n = 1; n <= SEEN; n++) {
      clock.now += SECOND
      const options = {
        app_id: `seen-${process.pid}`,
        app_sequence: n,
        stamp: { kind: 'wall' },
        operation: 'BENCH',
      } as const
      const { version } = await warehouse.append('market_quote', books(clock.now), options)
      versions.push(version)
      acknowledged_at.push(Date.now())
      await sleep(SEEN_EVERY_MS)
    }
    await warehouse.close()
    return { versions, acknowledged_at }
  },
}

type Timed = { readonly ms: number; readonly cpu_ms: number }

function timesOf(name: string, times: readonly Timed[]): StepTimes {
  return { [name]: times.map(({ ms }) => ms), [`${name}_cpu`]: times.map(({ cpu_ms }) => cpu_ms) }
}

/** Runs some work; `cpu_ms` is the processor time of this process, without that of a reader's query processes. */
async function timed<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly ms: number; readonly cpu_ms: number }> {
  const [cpu, from] = [process.cpuUsage(), performance.now()]
  const result = await work()
  const ms = performance.now() - from
  const { user, system } = process.cpuUsage(cpu)
  return { result, ms, cpu_ms: (user + system) / 1000 }
}

function requireReady(reader: Reader): void {
  invariant(reader.status().phase === 'ready', `the reader is ${JSON.stringify(reader.status())}`)
}

function marketId(n: number): string {
  return marketIdOf(VENUE, `m${n}`)
}

async function afterHead(warehouse: Warehouse): Promise<Micros> {
  const { head_stamp } = await warehouse.log('market_quote').snapshot()
  return Math.max(YEAR_START, head_stamp ?? 0) + SECOND
}

function memory(): StepTimes {
  return { resident_max_mb: [process.resourceUsage().maxRSS / 1024] }
}

const [name, text] = process.argv.slice(2)
const options = JSON.parse(text!) as StepOptions
if (options.access !== null) useObjectStores(options.access)
process.stdout.write(`${JSON.stringify(await STEPS[name!]!(options))}\n`)
