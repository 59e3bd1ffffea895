import { MetricMemory } from '../../pipelines/revisions/metric-memory.ts'
import { ReferenceMemory } from '../../pipelines/revisions/reference-memory.ts'
import { minuteOf } from '../../pipelines/venues/minute-stamps.ts'
import type { ArchiveContent, Origin, VenuePayload, VenueRecords } from '../../pipelines/venues/record.ts'
import type { Micros } from '../../primitives/instants.ts'
import { InputTally, type PendingItems } from './input-tally.ts'

/** Lists of records that are stored. */
export const RECORD_LISTS = ['quotes', 'books', 'trades', 'resolutions', 'references', 'metrics', 'hazards'] as const
type ListName = (typeof RECORD_LISTS)[number]

type Filled = { -readonly [K in ListName | 'quarantine']: NonNullable<VenueRecords[K]>[number][] }
type Owned = { [K in ListName]: number[] }

/** The item of the input that each record of each list was read from, by number; -1: none that is pending. */
type Owners = Readonly<Record<ListName, readonly number[]>>

/** Records to plan, each with its item. */
export type OwnedContent = ArchiveContent & { readonly owners: Owners }

/** Parsed records that wait to be stored. Descriptions and sizes of markets that repeat the one before are left out. */
export class RecordBuffer {
  readonly #records_max: number
  readonly #tally: InputTally
  readonly #references = new ReferenceMemory()
  readonly #metrics = new MetricMemory()
  #held = noRecords()
  #owners = noOwners()
  /** Receipts of the payloads, which decide the stamps: of consecutive payloads of one minute only the latest. */
  #payloads: Pick<VenuePayload, 'received_at'>[] = []
  #last_received_at: Micros | null = null
  #count = 0

  constructor(records_max: number, tally = new InputTally()) {
    this.#records_max = records_max
    this.#tally = tally
  }

  /** Whether the records must be stored before this payload is parsed; payloads of one instant stay together. */
  isFullBefore(payload: VenuePayload): boolean {
    return this.#count >= this.#records_max && this.#last_received_at !== payload.received_at
  }

  /** Adds the records of a payload; without a payload, those that a reader held back. */
  add(records: VenueRecords, payload?: VenuePayload): void {
    const held = this.#held
    const owners = this.#owners
    if (payload !== undefined) this.#receive(payload)
    const ownerOf = this.#ownersOf(records, payload)
    this.#append(held.quotes, records.quotes, owners.quotes, ownerOf)
    this.#append(held.books, records.books, owners.books, ownerOf)
    this.#append(held.trades, records.trades, owners.trades, ownerOf)
    this.#append(held.resolutions, records.resolutions, owners.resolutions, ownerOf)
    this.#append(held.metrics, records.metrics, owners.metrics, ownerOf, this.#metrics)
    this.#append(held.hazards, records.hazards, owners.hazards, ownerOf)
    this.#append(held.references, records.references, owners.references, ownerOf, this.#references)
    if (records.quarantine !== undefined) held.quarantine.push(...records.quarantine)
  }

  /** Counts what was read, and returns the function that finds a record's item. */
  #ownersOf({ outcomes, changed }: VenueRecords, payload: VenuePayload | undefined): OwnerOf {
    const file = payload?.file ?? ''
    const items = payload === undefined || outcomes === undefined ? [] : this.#tally.count(file, outcomes)
    // Records of earlier payloads come late: the last state of a minute, or what waited for its market.
    const late =
      changed === undefined ? null : new Map(changed.map((item) => [placeOf(item), this.#tally.change(item)]))
    return { file, items, late }
  }

  #receive({ received_at }: VenuePayload): void {
    const last = this.#payloads.at(-1)
    this.#last_received_at = received_at
    if (last === undefined || minuteOf(last.received_at) !== minuteOf(received_at)) this.#payloads.push({ received_at })
    else if (last.received_at < received_at) this.#payloads[this.#payloads.length - 1] = { received_at }
  }

  #append<T extends Origin>(
    to: T[],
    records: readonly T[] | undefined,
    owners: number[],
    ownerOf: OwnerOf,
    memory?: { isNews(record: T): boolean },
  ): void {
    if (records === undefined) return
    this.#count += records.length
    for (const record of records) {
      if (memory !== undefined && !memory.isNews(record)) continue
      to.push(record)
      owners.push(itemOf(record, ownerOf))
    }
  }

  /** Removes and returns all records, and the items that they were read from. */
  take(): { readonly content: OwnedContent; readonly items: PendingItems } {
    const content = { files: [], payloads: this.#payloads, ...this.#held, owners: this.#owners }
    this.#held = noRecords()
    this.#owners = noOwners()
    this.#payloads = []
    this.#last_received_at = null
    this.#count = 0
    return { content, items: this.#tally.takePending() }
  }
}

type OwnerOf = {
  readonly file: string
  readonly items: number | readonly number[]
  readonly late: ReadonlyMap<string, number> | null
}

function itemOf(record: Origin, { file, items, late }: OwnerOf): number {
  const known = late?.get(placeOf(record))
  if (known !== undefined) return known
  if (record.file !== file) return -1
  return typeof items === 'number' ? items : (items[record.line - 1] ?? -1)
}

function placeOf({ file, line }: Origin): string {
  return `${file}\u001f${line}`
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

function noOwners(): Owned {
  return { quotes: [], books: [], trades: [], resolutions: [], references: [], metrics: [], hazards: [] }
}
