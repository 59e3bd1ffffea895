import type { DecimalString } from '../../primitives/decimal.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import type { PublicBook, PublicScales } from '../../trading/public-market/public-market.ts'
import { decodeEvent } from '../../trading/store/tailed-event.ts'
import type { VenueReads } from '../../trading/store/venue/venue-reads.ts'
import type { MarketStatus } from '../../vocabulary/market.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { StoredSizes } from './metric-row.ts'
import { wholeOf } from './stored-amounts.ts'
import type { VenueCursors } from './venue-row-maker.ts'
import { type StoredMarket, type StoredOutcome, VENUE_TABLES, VenueState } from './venue-state.ts'

/** Names the commits of our own exchange in each table's log; their application sequences are engine_sequences. */
export const VENUE_APP = `own-venue/${OWN_VENUE}`

export type LoadedVenue = {
  readonly state: VenueState
  readonly cursors: VenueCursors
  /** The last engine_sequence whose books are stored: events after it are read again, if only for the books. */
  readonly begin: number
}

type MarketRow = {
  readonly market_id: string
  readonly revision: number
  readonly status: MarketStatus
}
type QuoteRow = {
  readonly record_id: string
  readonly revision: number
  readonly market_id: string
  readonly outcome_id: string
  readonly bid: DecimalString | null
  readonly ask: DecimalString | null
  readonly bid_depth: DecimalString | null
  readonly ask_depth: DecimalString | null
  readonly last_trade: DecimalString | null
  readonly last_trade_at: Instant | null
  readonly source_sequence: number
  readonly source_at: Instant
  readonly confirmed_at: Instant | null
  readonly derived: boolean | null
  readonly derived_from_id: string | null
}
type Level = { readonly price: DecimalString; readonly quantity: DecimalString }
type BookRow = {
  readonly outcome_id: string
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
  readonly bid_derived_quantities: readonly DecimalString[] | null
  readonly ask_derived_quantities: readonly DecimalString[] | null
  readonly source_sequence: number
}
type ResolutionRow = {
  readonly resolution_id: string
  readonly revision: number
  readonly market_id: string
  readonly source_at: Instant
}

/** Reads from the warehouse how far our own exchange is stored, and from the engine its public state there. Seals nothing. */
export async function loadVenueState(warehouse: Warehouse, reads: VenueReads): Promise<LoadedVenue> {
  const cursors = await storedCursors(warehouse)
  const session = await openReadSession(warehouse, { as_of: null, tables: [...VENUE_TABLES, 'market_metric'] })
  try {
    const begin = cursors.order_book
    return { state: await stateAt(begin, session, reads), cursors, begin }
  } finally {
    await session.close()
  }
}

/** Engine_sequence of the last commit, by table. */
async function storedCursors(warehouse: Warehouse): Promise<VenueCursors> {
  const entries = VENUE_TABLES.map(async (table) => {
    const { transactions } = await warehouse.log(table).snapshot()
    return [table, transactions.get(VENUE_APP) ?? 0] as const
  })
  return Object.fromEntries(await Promise.all(entries)) as VenueCursors
}

async function stateAt(begin: number, session: ReadSession, reads: VenueReads): Promise<VenueState> {
  const rows = async <T>(path: string) =>
    (await session.query(readSql(import.meta.url, path), { venue_id: OWN_VENUE })) as unknown as readonly T[]
  const markets = await rows<MarketRow>('sql/market_states_of_venue.sql')
  const quotes = await rows<QuoteRow>('sql/newest_quotes_of_venue.sql')
  const books = await rows<BookRow>('sql/newest_books_of_venue.sql')
  const resolutions = await rows<ResolutionRow>('sql/resolutions_of_venue.sql')
  const sizes = await rows<StoredSizes & { readonly market_id: string }>('sql/newest_metrics_of_venue.sql')
  const before = (await reads.newestThrough(begin)).map(decodeEvent)
  const state = new VenueState()
  const named = [...markets.map(({ market_id }) => market_id), ...state.public_markets.unknownOf(before)]
  state.list(await reads.listings([...new Set(named)]))
  state.public_markets.restore(before)
  for (const row of markets) state.markets.set(row.market_id, storedMarket(row, resolutions))
  for (const row of quotes) restoreQuote(state.outcome(row.outcome_id), row)
  for (const { market_id, ...stored } of sizes) state.sizes.set(market_id, stored)
  for (const row of books) restoreBook(state.outcome(row.outcome_id), row)
  return state
}

function storedMarket({ market_id, revision, status }: MarketRow, all: readonly ResolutionRow[]): StoredMarket {
  const market: StoredMarket = { market_id, status, revision, resolutions: new Map() }
  for (const row of all.filter((stated) => stated.market_id === market_id)) {
    const source_at = toMicros(row.source_at)
    const stated = new Set(market.resolutions.get(source_at)?.stated).add(engineIdOf(row.resolution_id))
    market.resolutions.set(source_at, { resolution_id: row.resolution_id, revision: row.revision, stated })
  }
  return market
}

/** The engine's id in the id of a statement, which is made of resolution and event. */
function engineIdOf(statement_id: string): string {
  return statement_id.slice(0, statement_id.lastIndexOf('.'))
}

function restoreQuote(stored: StoredOutcome, row: QuoteRow): void {
  const { market_id: _, outcome_id: __, source_at, confirmed_at, last_trade_at, ...values } = row
  const at = toMicros(source_at)
  stored.quote = {
    ...values,
    last_trade_at: last_trade_at === null ? null : toMicros(last_trade_at),
    source_at: at,
    confirmed_at: confirmed_at === null ? at : toMicros(confirmed_at),
  }
}

function restoreBook(stored: StoredOutcome, row: BookRow): void {
  const { book, market } = stored.outcome
  book.bids.push(...levelsOf(row.bids, row.bid_derived_quantities, market.terms))
  book.asks.push(...levelsOf(row.asks, row.ask_derived_quantities, market.terms))
  stored.book_sequence = row.source_sequence
}

/** Returns price levels; one whose stored quantity was rounded to 0 still has orders. Order counts are not stored, nor needed. */
function levelsOf(
  levels: readonly Level[],
  derived: readonly DecimalString[] | null,
  { price_scale, quantity_scale }: PublicScales,
): PublicBook['bids'] {
  const quantityOf = (text: DecimalString) => wholeOf(text, quantity_scale, 'quantity')
  return levels.map(({ price, quantity }, ordinal) => {
    const level = { price: wholeOf(price, price_scale, 'price'), quantity: quantityOf(quantity), order_count: 0 }
    if (derived === null) return level
    return { ...level, derived_quantity: quantityOf(derived[ordinal]!), derived_order_count: 0 }
  })
}
