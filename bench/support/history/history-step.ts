import { openLivePublisher } from '../../../operations/live/live-publisher.ts'
import { marketIdOf } from '../../../pipelines/revisions/identity.ts'
import { invariant } from '../../../primitives/errors.ts'
import { MICROS_PER_DAY, type Micros } from '../../../primitives/instants.ts'
import { openReader } from '../../../warehouse/reader/open-reader.ts'
import type { Reader } from '../../../warehouse/reader/reader.ts'
import { useObjectStores } from '../../../warehouse/store/s3/object-store-access.ts'
import { TABLE_NAMES } from '../../../warehouse/tables.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { appender } from '../define-invented.ts'
import { inventedBooks, VENUE } from '../invented-indexes.ts'
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
  readonly access: Parameters<typeof useObjectStores>[0] | null
}

/** Times of operations in milliseconds, and the memory of the process. */
export type StepTimes = Readonly<Record<string, readonly number[]>>

const SECOND: Micros = 1_000_000
/** Markets whose newest quotes are read. */
const LATEST = 1000
/** Parts of the history at whose instants a chain is read. */
const INSTANTS = [0.1, 0.3, 0.5, 0.7, 0.9]
const BATCHES = 20
const TICKS = 6

const STEPS: Readonly<Record<string, (options: StepOptions) => Promise<StepTimes>>> = {
  /** Opens the warehouse as a writer does, then a reader, until it answers from memory. */
  async open({ root }) {
    const ports = clockPorts({ now: YEAR_START })
    const [warehouse, opened] = await timed(() => openWarehouse({ root, ports }))
    const [, snapshots] = await timed(() => Promise.all(TABLE_NAMES.map((table) => warehouse.log(table).snapshot())))
    await warehouse.close()
    const [reader, ready] = await timed(() => openReader({ root, ports }))
    await ready_(reader)
    await reader.close()
    return { open_warehouse: [opened + snapshots], open_reader: [ready], ...memory() }
  },

  /** Reads newest quotes, then chains as of instants all over the history: each from files that this process has not read yet. */
  async read({ root, days }) {
    const clock = { now: YEAR_START + MICROS_PER_DAY }
    const reader = await openReader({ root, ports: clockPorts(clock) })
    await ready_(reader)
    const [, latest] = await timed(async () => {
      for (let n = 0; n < LATEST; n++) invariant(reader.latest.quotes(marketId(n)).length > 0, `market ${n} has quotes`)
    })
    const chains = INSTANTS.map((part, n) => ({
      market_id: marketId(n),
      as_of: YEAR_START - part * days * MICROS_PER_DAY,
    }))
    const readAll = async () => {
      const times: number[] = []
      for (const { market_id, as_of } of chains) {
        const [rows, ms] = await timed(() => reader.asOf(as_of, (past) => past.history.quotes(market_id, as_of)))
        invariant(rows.length === 2, `market ${market_id} has ${rows.length} quotes as of ${as_of}`)
        times.push(ms)
      }
      return times
    }
    const [as_of_cold, again, as_of_warm] = [await readAll(), await readAll(), await readAll()]
    await reader.close()
    return { latest: [latest / LATEST], as_of_cold, as_of_warm: [...again, ...as_of_warm], ...memory() }
  },

  /** Appends batches of 1,000 quotes, one commit each. */
  async append({ root }) {
    const clock = { now: YEAR_START }
    const warehouse = await openWarehouse({ root, ports: clockPorts(clock) })
    clock.now = await afterHead(warehouse)
    const append = appender(warehouse, `batch-${process.pid}`)
    const books = inventedBooks(500)
    const times: number[] = []
    for (let n = 0; n < BATCHES; n++) {
      clock.now += SECOND
      const rows = books(clock.now)
      times.push((await timed(() => append('market_quote', rows)))[1])
    }
    await warehouse.close()
    return { append_first: [times[0]!], append: times.slice(1), ...memory() }
  },

  /** Publishes ticks of all indexes; the first one of a process reads what it needs to know. */
  async tick({ root }) {
    const clock = { now: YEAR_START }
    const warehouse = await openWarehouse({ root, ports: clockPorts(clock) })
    let minute = Math.ceil((await afterHead(warehouse)) / MINUTE) * MINUTE
    const append = appender(warehouse, `tick-${process.pid}`)
    const books = inventedBooks(INDEXES.markets)
    const publisher = openLivePublisher(warehouse)
    const times: number[] = []
    for (let n = 0; n < TICKS; n++) {
      minute += MINUTE
      clock.now = minute - 10 * SECOND
      await append('market_quote', books(clock.now))
      clock.now = minute + 5.5 * SECOND
      const [tick, ms] = await timed(() => publisher.publishDue())
      invariant(n === 0 || tick.levels === INDEXES.indexes, `tick ${n} has ${tick.levels} levels`)
      times.push(ms)
    }
    await warehouse.close()
    return { tick_first: [times[0]!], tick: times.slice(1), ...memory() }
  },
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const from = performance.now()
  const result = await work()
  return [result, performance.now() - from]
}

async function ready_(reader: Reader): Promise<void> {
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
