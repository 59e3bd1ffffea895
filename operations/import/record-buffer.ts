import { MetricMemory } from '../../pipelines/venues/metric-memory.ts'
import type { ArchiveContent, VenuePayload, VenueRecords } from '../../pipelines/venues/record.ts'
import { ReferenceMemory } from '../../pipelines/venues/reference-memory.ts'

type Filled = { -readonly [K in keyof Required<VenueRecords>]: NonNullable<VenueRecords[K]>[number][] }

/** Records that were read and are not stored yet. Statements about a market and its sizes that repeat the one before are left out. */
export class RecordBuffer {
  readonly #records_max: number
  readonly #references = new ReferenceMemory()
  readonly #metrics = new MetricMemory()
  #held = noRecords()
  #payloads: VenuePayload[] = []
  #count = 0

  constructor(records_max: number) {
    this.#records_max = records_max
  }

  /** True when the records must be stored before this payload is read; payloads of one instant stay together. */
  isFullBefore(payload: VenuePayload): boolean {
    return this.#count >= this.#records_max && this.#payloads.at(-1)?.received_at !== payload.received_at
  }

  /** Adds what one payload says; without a payload, what a reader held back. */
  add(records: VenueRecords, payload?: VenuePayload): void {
    if (payload !== undefined) this.#payloads.push(payload)
    append(this.#held.quotes, records.quotes)
    append(this.#held.books, records.books)
    append(this.#held.trades, records.trades)
    append(this.#held.resolutions, records.resolutions)
    append(
      this.#held.metrics,
      records.metrics?.filter((metric) => this.#metrics.isNews(metric)),
    )
    append(this.#held.hazards, records.hazards)
    append(this.#held.quarantine, records.quarantine)
    append(
      this.#held.references,
      records.references?.filter((reference) => this.#references.isNews(reference)),
    )
    for (const list of Object.values(records)) this.#count += list.length
  }

  /** Everything held, which is then held no more. */
  take(): ArchiveContent {
    const content = { files: [], payloads: this.#payloads, ...this.#held }
    this.#held = noRecords()
    this.#payloads = []
    this.#count = 0
    return content
  }
}

function append<T>(to: T[], records: readonly T[] | undefined): void {
  if (records !== undefined) for (const record of records) to.push(record)
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
