import { wholeOf } from './amounts.ts'
import { type VenueCursors } from './venue-fold.ts'
import { type MarketState, type OutcomeState, VENUE_TABLES, type VenueState, outcomeOf } from './venue-state.ts'
import { type DecimalString } from '../../primitives/decimal.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import { type PublicMarketRead } from '../../trading/store/read/public-reads.ts'
import { type VenueReads } from '../../trading/store/venue/venue-reads.ts'
import { type MarketStatus } from '../../vocabulary/market.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import { type ReadSession, openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import { type Warehouse } from '../../warehouse/warehouse.ts'

/** Names the commits of our own exchange in each table's log; their application sequences are engine_sequences. */
export const VENUE_APP = `own-venue/${OWN_VENUE}`

export type LoadedVenue = {
  readonly state: VenueState
  readonly cursors: VenueCursors
  /** The last engine_sequence whose books are stored: what follows is to be taken again, for the books alone. */
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
}
type Level = { readonly price: DecimalString; readonly quantity: DecimalString }
type BookRow = {
  readonly market_id: string
  readonly outcome_id: string
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
  readonly source_sequence: number
  readonly source_at: Instant
}
type ResolutionRow = {
  readonly resolution_id: string
  readonly revision: number
  readonly market_id: string
  readonly payouts: readonly { readonly outcome_id: string; readonly payout: DecimalString }[]
  readonly finality: string
  readonly source_at: Instant
}

/** What the warehouse itself says of how far our own exchange is stored. Seals nothing. */
export async function loadVenueState(warehouse: Warehouse, reads: VenueReads): Promise<LoadedVenue> {
  const cursors = await storedCursors(warehouse)
  const session = await openReadSession(warehouse, { as_of: null, tables: VENUE_TABLES })
  try {
    const state = await stateOf(session, reads)
    return { state, cursors, begin: cursors.order_book }
  } finally {
    await session.close()
  }
}

/** By table the engine_sequence of the last commit. */
async function storedCursors(warehouse: Warehouse): Promise<VenueCursors> {
  const entries = VENUE_TABLES.map(async (table) => {
    const { transactions } = await warehouse.log(table).snapshot()
    return [table, transactions.get(VENUE_APP) ?? 0] as const
  })
  return Object.fromEntries(await Promise.all(entries)) as VenueCursors
}

async function stateOf(session: ReadSession, reads: VenueReads): Promise<VenueState> {
  const rows = async <T>(path: string) =>
    (await session.query(readSql(import.meta.url, path), { venue_id: OWN_VENUE })) as unknown as readonly T[]
  const markets = await rows<MarketRow>('sql/market_states_of_venue.sql')
  const quotes = await rows<QuoteRow>('sql/newest_quotes_of_venue.sql')
  const books = await rows<BookRow>('sql/newest_books_of_venue.sql')
  const resolutions = await rows<ResolutionRow>('sql/resolutions_of_venue.sql')
  const listed = await reads.listings(markets.map(({ market_id }) => market_id))
  const state: VenueState = {
    markets: new Map(markets.map((row) => [row.market_id, marketState(row, resolutions)])),
    outcomes: new Map(),
    listings: new Map(listed.map((listing) => [listing.market_id, listing])),
  }
  for (const row of quotes) restoreQuote(outcomeOf(state, row.market_id, row.outcome_id), row)
  for (const row of books) {
    restoreBook(outcomeOf(state, row.market_id, row.outcome_id), row, state.listings.get(row.market_id)!)
  }
  return state
}

function marketState({ market_id, revision, status }: MarketRow, all: readonly ResolutionRow[]): MarketState {
  const market: MarketState = { market_id, status, revision, payouts: new Map(), resolutions: new Map() }
  for (const row of all.filter((stated) => stated.market_id === market_id)) {
    const source_at = toMicros(row.source_at)
    const stated = new Set(market.resolutions.get(source_at)?.stated).add(engineIdOf(row.resolution_id))
    market.resolutions.set(source_at, { resolution_id: row.resolution_id, revision: row.revision, stated })
    if (row.finality === 'final') market.payouts = new Map(row.payouts.map((item) => [item.outcome_id, item.payout]))
  }
  return market
}

/** Statements are named by resolution and event. */
function engineIdOf(statement_id: string): string {
  return statement_id.slice(0, statement_id.lastIndexOf('.'))
}

function restoreQuote(outcome: OutcomeState, row: QuoteRow): void {
  const { market_id: _, outcome_id: __, source_at, confirmed_at, last_trade_at, ...values } = row
  const at = toMicros(source_at)
  const traded_at = last_trade_at === null ? null : toMicros(last_trade_at)
  outcome.quote = {
    ...values,
    last_trade_at: traded_at,
    source_at: at,
    confirmed_at: confirmed_at === null ? at : toMicros(confirmed_at),
  }
  if (values.last_trade !== null && traded_at !== null) outcome.last_trade = { price: values.last_trade, at: traded_at }
}

function restoreBook(outcome: OutcomeState, row: BookRow, { terms }: PublicMarketRead): void {
  const fill = (side: Map<number, number>, levels: readonly Level[]) => {
    for (const { price, quantity } of levels) {
      side.set(wholeOf(price, terms.price_scale, 'price'), wholeOf(quantity, terms.quantity_scale, 'quantity'))
    }
  }
  fill(outcome.bids, row.bids)
  fill(outcome.asks, row.asks)
  outcome.book_sequence = row.source_sequence
  outcome.book_at = toMicros(row.source_at)
  outcome.stored_sequence = row.source_sequence
}
