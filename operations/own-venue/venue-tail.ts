import type { Micros } from '../../primitives/instants.ts'
import type { PublicOutcome } from '../../trading/public-market/public-market.ts'
import type { CheckpointKeeper } from '../../trading/store/keep-checkpoints.ts'
import { CHECKPOINT_EVERY } from '../../trading/store/past-books.ts'
import { decodeEvent, type TailedEvent } from '../../trading/store/tailed-event.ts'
import type { VenueReads } from '../../trading/store/venue/venue-reads.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type AppendGuard, openAppendGuard } from '../import/append-guard.ts'
import { bookRow } from './book-row.ts'
import { storeEvents } from './event-rows.ts'
import { loadVenueState, VENUE_APP } from './load-venue-state.ts'
import { hasSize, isSameSizes, metricRow, type StoredSizes, storedSizes } from './metric-row.ts'
import { confirmedQuote, quoteRow } from './quote-row.ts'
import { type KnownResolutions, type VenueBatch, type VenueCursors, VenueRowMaker } from './venue-row-maker.ts'
import { type QuoteState, VENUE_TABLES, type VenueRows, type VenueState } from './venue-state.ts'

export type TailPorts = {
  readonly warehouse: Warehouse
  readonly reads: VenueReads
  /** Stores checkpoints of books that changed much; left out: nobody does. */
  readonly checkpoints?: CheckpointKeeper
  /** Wall clock in microseconds. */
  readonly now: () => Micros
  /** Rough number of events in one piece; a tail that is behind catches up piece by piece. */
  readonly piece_max?: number
}

type Taken = {
  readonly rows: number
  /** Whether everything that was committed at the time of the read is stored. */
  readonly is_at_head: boolean
  readonly last_at: Micros | null
}

/**
 * Stores our own exchange in the warehouse: follows the engine's events from where the warehouse has them stored. Each commit of a table
 * carries the engine_sequence that it reaches, so a tail that was ended anywhere is resumed without a lost or repeated row. If another
 * process stores the same events, PlanOvertaken is thrown; a new tail then resumes after its rows.
 */
export type VenueTail = {
  readonly cursor: () => number
  /** Stores the next piece. @throws {PlanOvertaken} and the errors of Warehouse.append and the database: open a new tail */
  take(): Promise<Taken>
  /** Stores every book that changed since it was last stored. @returns how many. @throws as `take` */
  storeBooks(): Promise<number>
  /** Stores the sizes of markets that changed since they were last stored. @returns how many. @throws as `take` */
  storeSizes(): Promise<number>
  /**
   * Confirms the quotes of open markets that were last confirmed at `older_than` or before. Only after a piece that reached the head, and
   * while an engine leads. @param at when that was known. @returns how many. @throws as `take`
   */
  confirmQuotes(at: Micros, older_than: Micros): Promise<number>
  /** Stores missing checkpoints of books that may need one. @throws the errors of the database */
  keepCheckpoints(): Promise<void>
}

const PIECE = 5_000

/** Opens a tail that continues where the warehouse ends. */
export async function openVenueTail(ports: TailPorts): Promise<VenueTail> {
  const guard = await openAppendGuard(ports.warehouse, [...VENUE_TABLES, 'market_metric'])
  const { state, cursors, begin } = await loadVenueState(ports.warehouse, ports.reads)
  return new Tail(ports, guard, state, cursors, begin)
}

class Tail implements VenueTail {
  readonly #ports: TailPorts
  readonly #guard: AppendGuard
  readonly #state: VenueState
  #cursors: VenueCursors
  #cursor: number
  /** Book events by outcome since its checkpoints were last kept; null: they were not yet. */
  #book_events: Map<string, number> | null = null

  constructor(ports: TailPorts, guard: AppendGuard, state: VenueState, cursors: VenueCursors, begin: number) {
    this.#ports = ports
    this.#guard = guard
    this.#state = state
    this.#cursors = cursors
    this.#cursor = begin
  }

  cursor(): number {
    return this.#cursor
  }

  async take(): Promise<Taken> {
    const { reads, now } = this.#ports
    const received_at = now()
    const head = await reads.head()
    if (head === null || head.engine_sequence <= this.#cursor) return { rows: 0, is_at_head: true, last_at: null }
    const { events, through } = await this.#piece(head.engine_sequence)
    const batches = batchesOf(events)
    const unlisted = this.#state.public_markets.unknownOf(batches.flatMap((batch) => batch.events))
    if (unlisted.length > 0) this.#state.list(await reads.listings(unlisted))
    const maker = new VenueRowMaker(this.#state, this.#cursors, await this.#resolutions(batches), received_at)
    for (const batch of batches) maker.add(batch)
    this.#countBookEvents(batches)
    await this.#store(maker.rows, through, received_at)
    this.#cursor = through
    const rows = VENUE_TABLES.reduce((sum, table) => sum + maker.rows[table].length, 0)
    return { rows, is_at_head: through === head.engine_sequence, last_at: events.at(-1)?.at ?? null }
  }

  async storeBooks(): Promise<number> {
    const changed = [...this.#state.outcomes.values()].filter(
      ({ outcome, book_sequence }) => outcome.book.sequence > book_sequence,
    )
    const received_at = this.#ports.now()
    const rows = changed.map(({ outcome }) => bookRow(outcome, received_at))
    await this.#append('order_book', rows, this.#cursor)
    for (const stored of changed) stored.book_sequence = stored.outcome.book.sequence
    return rows.length
  }

  async storeSizes(): Promise<number> {
    const received_at = this.#ports.now()
    const { sizes: stored, listings } = this.#state
    const found = await this.#ports.reads.sizes(unfinished(stored))
    // A market that the tail has not reached has no row that its sizes could be shown with.
    const changed = found.filter(
      (one) => listings.has(one.market_id) && !isSameSizes(stored.get(one.market_id), storedSizes(one)),
    )
    if (changed.length === 0) return 0
    await this.#guard.append(
      'market_metric',
      changed.map((one) => metricRow(one, received_at)),
      {
        app_id: `${VENUE_APP}/sizes`,
        app_sequence: received_at,
        stamp: { kind: 'wall' },
        operation: 'OWN_VENUE',
      },
    )
    for (const one of changed) stored.set(one.market_id, storedSizes(one))
    return changed.length
  }

  async confirmQuotes(at: Micros, older_than: Micros): Promise<number> {
    const received_at = Math.max(at, this.#ports.now())
    const confirmed = [...this.#state.outcomes.values()].flatMap((stored) => {
      const { outcome, quote } = stored
      if (quote === null || !mustConfirm(outcome, quote, older_than)) return []
      return [{ stored, before: quote, quote: confirmedQuote(outcome, quote, at, received_at) }]
    })
    const rows = confirmed.map(({ stored, before, quote }) => quoteRow(stored.outcome, quote, received_at, before))
    if (rows.length === 0) return 0
    await this.#guard.append('market_quote', rows, {
      app_id: `${VENUE_APP}/confirmed`,
      app_sequence: at,
      stamp: { kind: 'wall' },
      operation: 'OWN_VENUE',
    })
    for (const { stored, quote } of confirmed) stored.quote = quote
    return rows.length
  }

  async keepCheckpoints(): Promise<void> {
    const { checkpoints } = this.#ports
    if (checkpoints === undefined) return
    const counted = this.#book_events
    const due = counted === null ? await checkpoints.outcomes() : outcomesWith(counted, CHECKPOINT_EVERY)
    if (due.length === 0 || !(await checkpoints.keep(due, this.#cursor))) return
    this.#book_events ??= new Map()
    for (const outcome_id of due) this.#book_events.delete(outcome_id)
  }

  #countBookEvents(batches: readonly VenueBatch[]): void {
    if (this.#book_events === null) return
    for (const event of batches.flatMap(({ events }) => events)) {
      if (event.kind !== 'book') continue
      this.#book_events.set(event.outcome_id, (this.#book_events.get(event.outcome_id) ?? 0) + 1)
    }
  }

  /** Reads whole batches: as many as a piece holds, at least one. */
  async #piece(head: number): Promise<{ readonly events: readonly TailedEvent[]; readonly through: number }> {
    const { reads, piece_max = PIECE } = this.#ports
    for (let limit = piece_max; ; limit *= 2) {
      const events = await reads.events(this.#cursor, head, limit)
      if (events.length < limit) return { events, through: head }
      const last = events.at(-1)!.batch_sequence
      const whole = events.filter(({ batch_sequence }) => batch_sequence !== last)
      if (whole.length > 0) return { events: whole, through: whole.at(-1)!.engine_sequence }
    }
  }

  async #resolutions(batches: readonly VenueBatch[]): Promise<KnownResolutions> {
    const events = batches.flatMap((batch) => batch.events)
    const ids = events.flatMap((event) => (event.kind === 'resolution' ? [event.resolution_id] : []))
    if (ids.length === 0) return new Map()
    const facts = await this.#ports.reads.resolutions([...new Set(ids)])
    return new Map(facts.map((fact) => [fact.resolution_id, fact]))
  }

  /** Stores rows before the rows that refer to them; after a failure a later attempt stores the rest. */
  async #store(rows: VenueRows, through: number, received_at: Micros): Promise<void> {
    const listed = new Set(rows.market.filter(({ revision }) => revision === 1).map(({ market_id }) => market_id))
    const listings = [...this.#state.listings.values()].filter(({ market_id }) => listed.has(market_id))
    if (listings.length > 0) await storeEvents(this.#ports.warehouse, listings, received_at)
    for (const table of VENUE_TABLES) await this.#append(table, rows[table], through)
  }

  async #append(table: (typeof VENUE_TABLES)[number], rows: readonly Row[], through: number): Promise<void> {
    if (rows.length === 0) return
    await this.#guard.append(table, rows, {
      app_id: VENUE_APP,
      app_sequence: through,
      stamp: { kind: 'wall' },
      operation: 'OWN_VENUE',
    })
    this.#cursors = { ...this.#cursors, [table]: through }
  }
}

/** Markets whose stored sizes are not all 0: an ended one is read until they are. */
function unfinished(stored: ReadonlyMap<string, StoredSizes>): string[] {
  return [...stored].flatMap(([market_id, sizes]) => (hasSize(sizes) ? [market_id] : []))
}

function outcomesWith(counts: ReadonlyMap<string, number>, least: number): string[] {
  return [...counts].filter(([, count]) => count >= least).map(([outcome_id]) => outcome_id)
}

function mustConfirm({ market }: PublicOutcome, quote: QuoteState, older_than: Micros): boolean {
  if (quote.confirmed_at > older_than || market.status !== 'open') return false
  return quote.bid !== null || quote.ask !== null
}

function batchesOf(events: readonly TailedEvent[]): VenueBatch[] {
  const batches = new Map<number, TailedEvent[]>()
  for (const event of events) {
    const batch = batches.get(event.batch_sequence)
    if (batch === undefined) batches.set(event.batch_sequence, [event])
    else batch.push(event)
  }
  return [...batches.values()].map((batch) => ({ at: batch[0]!.at, events: batch.map(decodeEvent) }))
}
