import type { Micros } from '../../primitives/instants.ts'
import { decodeEvent, type TailedEvent } from '../../trading/store/tailed-event.ts'
import type { VenueReads } from '../../trading/store/venue/venue-reads.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type AppendGuard, openAppendGuard } from '../import/append-guard.ts'
import { bookRow } from './book-row.ts'
import { storeEvents } from './event-rows.ts'
import { loadVenueState, VENUE_APP } from './load-venue-state.ts'
import { confirmedQuote, quoteRow } from './quote-row.ts'
import { type VenueBatch, type VenueCursors, VenueFold } from './venue-fold.ts'
import { type OutcomeState, type QuoteState, VENUE_TABLES, type VenueRows, type VenueState } from './venue-state.ts'

export type TailPorts = {
  readonly warehouse: Warehouse
  readonly reads: VenueReads
  /** Wall clock in microseconds. */
  readonly now: () => Micros
  /** Events that are taken in at once, roughly: what is made up for is made up for in such pieces. */
  readonly piece_max?: number
}

type Taken = {
  readonly rows: number
  /** Everything that was committed when it was looked is taken in. */
  readonly is_at_head: boolean
  readonly last_at: Micros | null
}

/**
 * Our own exchange in the warehouse: follows the engine's events from where the warehouse itself says that they are stored, and goes on.
 * Each commit of a table carries the engine_sequence that it reaches, so that what was ended anywhere is gone on with: no row is lost,
 * none is there twice. Where somebody else stores the same, PlanOvertaken is thrown and a new tail begins where they are.
 */
export type VenueTail = {
  readonly cursor: () => number
  /** Stores the next piece. @throws {PlanOvertaken}; what Warehouse.append and the database throw: then begin anew */
  take(): Promise<Taken>
  /** Stores every book that has changed since it was stored last. @returns how many. @throws as take */
  storeBooks(): Promise<number>
  /**
   * Says of the quotes of open markets that they are shown still, those that were confirmed longer ago. Only after a piece that was at
   * the head, and while an engine leads. @param at when that was known. @returns how many. @throws as take
   */
  confirmQuotes(at: Micros, older_than: Micros): Promise<number>
}

const PIECE = 5_000

/** Opens a tail where the warehouse says that the last one ended. */
export async function openVenueTail(ports: TailPorts): Promise<VenueTail> {
  const guard = await openAppendGuard(ports.warehouse, VENUE_TABLES)
  const { state, cursors, begin } = await loadVenueState(ports.warehouse, ports.reads)
  return new Tail(ports, guard, state, cursors, begin)
}

class Tail implements VenueTail {
  readonly #ports: TailPorts
  readonly #guard: AppendGuard
  readonly #state: VenueState
  #cursors: VenueCursors
  #cursor: number

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
    await this.#knowListings(events)
    const fold = new VenueFold(this.#state, this.#cursors, await this.#resolutions(events), received_at)
    for (const batch of batchesOf(events)) fold.take(batch)
    await this.#store(fold.rows, through, received_at)
    this.#cursor = through
    const rows = VENUE_TABLES.reduce((sum, table) => sum + fold.rows[table].length, 0)
    return { rows, is_at_head: through === head.engine_sequence, last_at: events.at(-1)?.at ?? null }
  }

  async storeBooks(): Promise<number> {
    const changed = [...this.#state.outcomes.values()].filter(
      ({ book_sequence, stored_sequence }) => book_sequence > stored_sequence,
    )
    const received_at = this.#ports.now()
    const rows = changed.map((outcome) => bookRow(outcome, this.#termsOf(outcome), received_at))
    await this.#append('order_book', rows, this.#cursor)
    for (const outcome of changed) outcome.stored_sequence = outcome.book_sequence
    return rows.length
  }

  async confirmQuotes(at: Micros, older_than: Micros): Promise<number> {
    const shown = [...this.#state.outcomes.values()].filter((outcome): outcome is Quoted =>
      this.#isShown(outcome, older_than),
    )
    const received_at = Math.max(at, this.#ports.now())
    const confirmed = shown.map((outcome) => confirmedQuote(outcome, at, received_at))
    const rows = shown.map((outcome, place) => quoteRow(outcome, confirmed[place]!, received_at, outcome.quote))
    if (rows.length === 0) return 0
    await this.#guard.append('market_quote', rows, {
      app_id: `${VENUE_APP}/confirmed`,
      app_sequence: at,
      stamp: { kind: 'wall' },
      operation: 'OWN_VENUE',
    })
    shown.forEach((outcome, place) => {
      outcome.quote = confirmed[place]!
    })
    return rows.length
  }

  #isShown({ market_id, quote }: OutcomeState, older_than: Micros): boolean {
    if (quote === null || quote.confirmed_at > older_than) return false
    return (quote.bid !== null || quote.ask !== null) && this.#state.markets.get(market_id)?.status === 'open'
  }

  /** Whole batches, as many as a piece has, at least one. */
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

  async #knowListings(events: readonly TailedEvent[]): Promise<void> {
    const { listings } = this.#state
    const named = new Set(events.map(({ body }) => (body as { readonly market_id: string }).market_id))
    const unknown = [...named].filter((market_id) => !listings.has(market_id))
    if (unknown.length === 0) return
    for (const listing of await this.#ports.reads.listings(unknown)) listings.set(listing.market_id, listing)
  }

  async #resolutions(events: readonly TailedEvent[]) {
    const named = events.filter(({ kind }) => kind === 'resolution')
    const ids = new Set(named.map(({ body }) => (body as { readonly resolution_id: string }).resolution_id))
    if (ids.size === 0) return new Map()
    const facts = await this.#ports.reads.resolutions([...ids])
    return new Map(facts.map((fact) => [fact.resolution_id, fact]))
  }

  /** What is referred to first; a row's table has it, or a later attempt stores it. */
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

  #termsOf({ market_id }: OutcomeState) {
    return this.#state.listings.get(market_id)!.terms
  }
}

type Quoted = OutcomeState & { readonly quote: QuoteState }

function batchesOf(events: readonly TailedEvent[]): VenueBatch[] {
  const batches = new Map<number, TailedEvent[]>()
  for (const event of events) {
    const batch = batches.get(event.batch_sequence)
    if (batch === undefined) batches.set(event.batch_sequence, [event])
    else batch.push(event)
  }
  return [...batches.values()].map((batch) => ({ at: batch[0]!.at, events: batch.map(decodeEvent) }))
}
