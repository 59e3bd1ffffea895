import type { Identities } from '../../pipelines/revisions/identities.ts'
import { eventIdOf } from '../../pipelines/revisions/identity.ts'
import { isMatched, MATCH_WINDOW, type TradeReport } from '../../pipelines/revisions/match-trades.ts'
import type { StateRevision } from '../../pipelines/revisions/plan-references.ts'
import type { KnownChains } from '../../pipelines/revisions/plan-revisions.ts'
import type { EventState, MarketState } from '../../pipelines/revisions/reference-states.ts'
import type { ArchiveContent, TradeRecord } from '../../pipelines/venues/record.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { openSharedDatabase, type SharedDatabase } from '../../warehouse/duckdb/memory-database.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type KnownQuote, knownQuotes } from './known-quotes.ts'
import {
  knownBooks,
  knownEligibility,
  knownEvents,
  knownHazards,
  knownMarkets,
  knownMetrics,
  knownReports,
  knownResolutions,
  knownTrades,
} from './known-rows.ts'
import { type KnownSession, openKnownSession, type Wanted } from './known-session.ts'
import { openTradeFiles, type TradeFiles, type TradeTerms } from './known-trade-files.ts'

/** Stored revisions of the chains that an archive's records belong to. */
export type KnownRecords = {
  readonly quotes: ReadonlyMap<string, readonly KnownQuote[]>
  readonly books: KnownChains
  readonly trades: KnownChains
  /** Reports of trades that may be among the archive's, oldest publication first. */
  readonly trade_reports: readonly TradeReport[]
  readonly metrics: KnownChains
  readonly eligibility: KnownChains
  readonly resolutions: KnownChains
  readonly events: ReadonlyMap<string, readonly StateRevision<EventState>[]>
  readonly markets: ReadonlyMap<string, readonly StateRevision<MarketState>[]>
  /** By event id; the state of a hazard is its facts in one text. */
  readonly hazards: ReadonlyMap<string, readonly StateRevision<string>[]>
}

/** The tables that an import writes, in the order in which it writes them: what is referred to first. */
export const IMPORT_TABLES = [
  'venue_payload',
  'event',
  'market',
  'market_eligibility',
  'public_trade',
  'market_quote',
  'order_book',
  'market_metric',
  'market_resolution',
  'hazard_alert',
] as const satisfies readonly TableName[]

/** Tables of observations, which a report counts as new or revised. */
export const OBSERVED_TABLES: ReadonlySet<TableName> = new Set([
  'market_quote',
  'order_book',
  'market_metric',
  'public_trade',
  'market_resolution',
  'hazard_alert',
])

/** Tables of what markets and events are. */
export const REFERENCE_TABLES: ReadonlySet<TableName> = new Set(['event', 'market'])

/** Reads the stored revisions that decide duplicates, conflicts and revision numbers. Seals nothing. One read at a time. */
export type KnownReader = {
  read(content: ArchiveContent, ids: Identities): Promise<KnownRecords>
  close(): Promise<void>
}

/** A reader for the contents of an import, which follow each other: it keeps its DuckDB, and what it has learned of data files. */
export function openKnownReader(warehouse: Warehouse): KnownReader {
  let database: SharedDatabase | null = null
  let trade_files: TradeFiles | null = null
  // Only when something is asked: the first batches of an import ask nothing.
  const open = async () => {
    database ??= await openSharedDatabase()
    return database
  }
  const holding: TradeFiles['holding'] = async (paths, asked) => {
    trade_files ??= await openTradeFiles(await open())
    return trade_files.holding(paths, asked)
  }
  return {
    async read(content, ids) {
      const known = await openKnownSession(warehouse, wantedTables(content, { holding }, ids), open)
      try {
        return await readAll(content, known, ids)
      } finally {
        await known?.session.close()
      }
    },
    close: async () => database?.close(),
  }
}

function wantedTables(content: ArchiveContent, trade_files: TradeFiles, ids: Identities): Wanted[] {
  const { quotes, books, trades, metrics, references, hazards } = content
  const all = (table: TableName, records: readonly unknown[]): Wanted[] =>
    records.length === 0 ? [] : [{ table, span: null }]
  return [
    ...sourceSpan('market_quote', quotes),
    ...sourceSpan('order_book', books),
    ...sourceSpan('market_metric', metrics),
    ...all('public_trade', trades).map((want) => ({
      ...want,
      holding: (paths: readonly string[]) =>
        trade_files.holding(paths, { source_trade_ids: trades.map(sourceTradeId), terms: matchedTerms(trades, ids) }),
    })),
    ...all('market_resolution', resolvable(content)),
    ...all('event', [...references, ...hazards]),
    ...all('market', references),
    ...all('market_eligibility', references),
    ...all('hazard_alert', hazards),
  ]
}

const sourceTradeId = ({ source_trade_id }: TradeRecord) => source_trade_id

/** Payloads state resolutions; from tables of records they are also derived, from quotes that are or were final. */
function resolvable({ payloads, quotes, resolutions }: ArchiveContent) {
  return payloads.length > 0 ? resolutions : [...quotes, ...resolutions]
}

function sourceSpan(table: TableName, records: readonly { readonly source_at: Micros }[]): Wanted[] {
  if (records.length === 0) return []
  let from = Number.POSITIVE_INFINITY
  let to = Number.NEGATIVE_INFINITY
  for (const { source_at } of records) {
    from = Math.min(from, source_at)
    to = Math.max(to, source_at)
  }
  return [{ table, span: { column: 'source_at', from, to } }]
}

async function readAll(content: ArchiveContent, known: KnownSession | null, ids: Identities): Promise<KnownRecords> {
  const { quotes, books, trades, metrics, references, hazards } = content
  const sessionOf = (table: TableName) => (known?.has(table) === true ? known.session : undefined)
  const rows = async (
    table: TableName,
    path: string,
    params: () => Record<string, string | string[]>,
  ): Promise<readonly Row[]> => (await sessionOf(table)?.query(readSql(import.meta.url, path), params())) ?? []
  // A batch begins in the second in which the one before it ended: all but its first records are about later instants.
  const asked = <T extends { readonly source_at: Micros }>(table: TableName, records: readonly T[]): readonly T[] =>
    known === null ? [] : records.filter(({ source_at }) => known.mayHold(table, source_at))
  const rowsAbout = async <T>(table: TableName, path: string, about: readonly T[], paramsOf: ParamsOf<T>) =>
    about.length === 0 ? [] : rows(table, path, () => paramsOf(about, ids))
  const about_quotes = asked('market_quote', quotes)
  const trade_rows = await rows('public_trade', 'sql/known_trades.sql', () => ({
    market_ids: marketIds(trades, ids),
    source_trade_ids: trades.map(sourceTradeId),
    ...matchedTerms(trades, ids),
    ...matchedSpan(trades),
  }))
  return {
    quotes:
      known === null || about_quotes.length === 0
        ? new Map()
        : knownQuotes(
            await known.session.columns(
              readSql(import.meta.url, 'sql/known_quotes.sql'),
              outcomeInstants(about_quotes, ids),
            ),
          ),
    books: knownBooks(
      await rowsAbout('order_book', 'sql/known_books.sql', asked('order_book', books), outcomeInstants),
    ),
    metrics: knownMetrics(
      await rowsAbout('market_metric', 'sql/known_metrics.sql', asked('market_metric', metrics), marketInstants),
    ),
    trades: knownTrades(trade_rows),
    trade_reports: knownReports(trade_rows),
    resolutions: knownResolutions(
      await rows('market_resolution', 'sql/known_resolutions.sql', () => ({
        ids: marketIds(resolvable(content), ids),
      })),
    ),
    events: knownEvents(
      await rows('event', 'sql/known_events.sql', () => ({ ids: eventIds([...references, ...hazards]) })),
    ),
    markets: knownMarkets(await rows('market', 'sql/known_markets.sql', () => ({ ids: marketIds(references, ids) }))),
    eligibility: knownEligibility(
      await rows('market_eligibility', 'sql/known_eligibility.sql', () => ({ ids: marketIds(references, ids) })),
    ),
    hazards: knownHazards(await rows('hazard_alert', 'sql/known_hazards.sql', () => ({ ids: eventIds(hazards) }))),
  }
}

type ParamsOf<T> = (records: readonly T[], ids: Identities) => Record<string, string>

type OfOutcome = {
  readonly venue_id: string
  readonly source_market_id: string
  readonly outcome: string
  readonly source_at: Micros
}

/** Pairs of outcome and source instant, each side one text: two texts are handed over a hundred times faster than a list. */
function outcomeInstants(records: readonly OfOutcome[], ids: Identities) {
  const outcome_ids = records.map((r) => ids.outcomeId(ids.marketId(r.venue_id, r.source_market_id), r.outcome))
  return { outcome_ids: outcome_ids.join(' '), source_ats: records.map(({ source_at }) => source_at).join(' ') }
}

function marketInstants(records: readonly Omit<OfOutcome, 'outcome'>[], ids: Identities) {
  const market_ids = records.map((r) => ids.marketId(r.venue_id, r.source_market_id))
  return { market_ids: market_ids.join(' '), source_ats: records.map(({ source_at }) => source_at).join(' ') }
}

function eventIds(records: readonly { readonly venue_id: string; readonly source_event_id: string }[]): string[] {
  return [...new Set(records.map((r) => eventIdOf(r.venue_id, r.source_event_id)))]
}

/** Terms of the trades that another feed of their venue may have reported under another id. */
function matchedTerms(trades: readonly TradeRecord[], ids: Identities): TradeTerms {
  const matched = trades.filter(({ venue_id }) => isMatched(venue_id))
  return {
    outcome_ids: matched.map((t) => ids.outcomeId(ids.marketId(t.venue_id, t.source_market_id), t.outcome)),
    prices: matched.map(({ price }) => price),
    quantities: matched.map(({ quantity }) => quantity),
  }
}

/** Instants between which a trade of another feed may be about one of these. */
function matchedSpan(trades: readonly TradeRecord[]): { readonly from: string; readonly to: string } {
  const reach = MATCH_WINDOW.before + MATCH_WINDOW.after
  const instants = trades.map(({ source_at }) => source_at)
  const least = instants.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const greatest = instants.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  return { from: formatMicros(least - reach), to: formatMicros(greatest + reach) }
}

/** Each market's id once. */
function marketIds(
  records: readonly { readonly venue_id: string; readonly source_market_id: string }[],
  ids: Identities,
): string[] {
  return [...new Set(records.map((r) => ids.marketId(r.venue_id, r.source_market_id)))]
}
