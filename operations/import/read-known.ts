import { createIdentities } from '../../pipelines/venues/identities.ts'
import { eventIdOf } from '../../pipelines/venues/identity.ts'
import type { StateRevision } from '../../pipelines/venues/plan-references.ts'
import type { KnownChains } from '../../pipelines/venues/plan-revisions.ts'
import type { ArchiveContent } from '../../pipelines/venues/record.ts'
import type { EventState, MarketState } from '../../pipelines/venues/reference-states.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { ReadSession } from '../../warehouse/read/sources-session.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type KnownQuote, knownQuotes } from './known-quotes.ts'
import { knownEvents, knownMarkets, knownResolutions, knownTrades } from './known-rows.ts'
import { type KnownStatement, statement } from './statement.ts'

/** What the warehouse holds of the chains that an archive speaks of. */
export type KnownRecords = {
  readonly quotes: ReadonlyMap<string, readonly KnownQuote[]>
  readonly trades: KnownChains
  readonly resolutions: KnownChains
  readonly events: ReadonlyMap<string, readonly StateRevision<EventState>[]>
  readonly markets: ReadonlyMap<string, readonly StateRevision<MarketState>[]>
}

/** The tables that an import writes, in the order in which it writes them: what is referred to first. */
export const IMPORT_TABLES = [
  'event',
  'market',
  'market_quote',
  'public_trade',
  'market_resolution',
] as const satisfies readonly TableName[]

/** Reads the stored revisions that decide duplicates, conflicts and revision numbers. Seals nothing. */
export async function readKnown(warehouse: Warehouse, content: ArchiveContent): Promise<KnownRecords> {
  const filled: TableName[] = []
  for (const table of IMPORT_TABLES) if ((await warehouse.log(table).snapshot()).rows > 0) filled.push(table)
  const session = filled.length === 0 ? null : await openReadSession(warehouse, { as_of: null, tables: filled })
  try {
    return await readAll(content, (table) => (filled.includes(table) ? session : null))
  } finally {
    await session?.close()
  }
}

async function readAll(
  content: ArchiveContent,
  sessionOf: (table: TableName) => ReadSession | null,
): Promise<KnownRecords> {
  const rows = async (table: TableName, name: KnownStatement, params: Record<string, string | string[]> | null) =>
    params === null ? [] : ((await sessionOf(table)?.query(statement(name), params)) ?? [])
  const span = spanOf([...content.quotes, ...content.resolutions])
  const quotes = span === null ? undefined : await sessionOf('market_quote')?.columns(statement('known_quotes'), span)
  return {
    quotes: quotes === undefined ? new Map() : knownQuotes(quotes),
    trades: knownTrades(await rows('public_trade', 'known_trades', { market_ids: marketIds(content.trades) })),
    resolutions: knownResolutions(await rows('market_resolution', 'known_resolutions', span)),
    events: knownEvents(await rows('event', 'known_events', { ids: eventIds(content.references) })),
    markets: knownMarkets(await rows('market', 'known_markets', { ids: marketIds(content.references) })),
  }
}

function eventIds(records: readonly { readonly venue_id: string; readonly source_event_id: string }[]): string[] {
  return [...new Set(records.map((r) => eventIdOf(r.venue_id, r.source_event_id)))]
}

/** Each market's id once; markets are told apart by name first, because an id costs a hash. */
function marketIds(records: readonly { readonly venue_id: string; readonly source_market_id: string }[]): string[] {
  const ids = createIdentities()
  return [...new Set(records.map((r) => ids.marketId(r.venue_id, r.source_market_id)))]
}

/** The venues and source instants that records speak of; null without records. */
function spanOf(records: readonly { readonly venue_id: string; readonly source_at: Micros }[]) {
  if (records.length === 0) return null
  const venues = new Set<string>()
  let from = Number.POSITIVE_INFINITY
  let to = Number.NEGATIVE_INFINITY
  for (const { venue_id, source_at } of records) {
    venues.add(venue_id)
    from = Math.min(from, source_at)
    to = Math.max(to, source_at)
  }
  return { venue_ids: [...venues], from: formatMicros(from), to: formatMicros(to) }
}
