import { MetricMemory } from '../../pipelines/revisions/metric-memory.ts'
import { ReferenceMemory } from '../../pipelines/revisions/reference-memory.ts'
import { minuteOf } from '../../pipelines/venues/minute-stamps.ts'
import type { ArchiveContent, VenuePayload, VenueRecords } from '../../pipelines/venues/record.ts'
import type { Micros } from '../../primitives/instants.ts'

type Filled = { -readonly [K in keyof Required<VenueRecords>]: NonNullable<VenueRecords[K]>[number][] }

/** Parsed records that wait to be stored. Descriptions and sizes of markets that repeat the one before are left out. */
export class RecordBuffer {
  readonly #records_max: number
  readonly #references = new ReferenceMemory()
  readonly #metrics = new MetricMemory()
  #held = noRecords()
  /** Receipts of the payloads, which decide the stamps: of consecutive payloads of one minute only the latest. */
  #payloads: Pick<VenuePayload, 'received_at'>[] = []
  #last_received_at: Micros | null = null
  #count = 0

  constructor(records_max: number) {
    this.#records_max = records_max
  }

  /** Whether the records must be stored before this payload is parsed; payloads of one instant stay together. */
  isFullBefore(payload: VenuePayload): boolean {
    return this.#count >= this.#records_max && this.#last_received_at !== payload.received_at
  }

  /** Adds the records of a payload; without a payload, those that a reader held back. */
  add(records: VenueRecords, payload?: VenuePayload): void {
    const held = this.#held
    if (payload !== undefined) this.#receive(payload)
    this.#append(held.quotes, records.quotes)
    this.#append(held.books, records.books)
    this.#append(held.trades, records.trades)
    this.#append(held.resolutions, records.resolutions)
    this.#append(held.metrics, records.metrics, this.#metrics)
    this.#append(held.hazards, records.hazards)
    this.#append(held.quarantine, records.quarantine)
    this.#append(held.references, records.references, this.#references)
  }

  #receive({ received_at }: VenuePayload): void {
    const last = this.#payloads.at(-1)
    this.#last_received_at = received_at
    if (last === undefined || minuteOf(last.received_at) !== minuteOf(received_at)) this.#payloads.push({ received_at })
    else if (last.received_at < received_at) this.#payloads[this.#payloads.length - 1] = { received_at }
  }

  #append<T>(to: T[], records: readonly T[] | undefined, memory?: { isNews(record: T): boolean }): void {
    if (records === undefined) return
    this.#count += records.length
    for (const record of records) if (memory === undefined || memory.isNews(record)) to.push(record)
  }

  /** Removes and returns all records. */
  take(): ArchiveContent {
    const content = { files: [], payloads: this.#payloads, ...this.#held }
    this.#held = noRecords()
    this.#payloads = []
    this.#last_received_at = null
    this.#count = 0
    return content
  }
}

function noRecords(): Filled {
  return {
    quotes: [],
    books: [],
    trades: [],
    resolutions: [],
    references: [],
    metrics: [],
    hazards: [],
    quarantine: [],
  }
}
