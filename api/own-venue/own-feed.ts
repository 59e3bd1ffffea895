import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import type { HubCommit, HubFeed } from '../stream/hub-feed.ts'
import type { BookChange, MarketChange, OwnMarkets, PublicChange, TradeChange } from './own-markets.ts'

/** What numbers the public messages of the markets listed here: all by engine_sequence. */
export const OWN_TABLES = { books: 'own_book', trades: 'own_trade', tickers: 'own_ticker' } as const

type Rows = {
  readonly [OWN_TABLES.books]: BookChange
  [OWN_TABLES.trades]: TradeChange
  [OWN_TABLES.tickers]: MarketChange
}
type OwnTable = keyof Rows

/** What one batch of the engine has changed of one table. */
export type OwnCommit<T extends OwnTable = OwnTable> = {
  readonly table: T
  readonly published_at: Instant
  readonly rows: readonly Rows[T][]
}

/** How long and how much is kept for resuming: ten minutes of it, less of a busy engine. */
export const OWN_RECENT = { retention_ms: 600_000, changes_max: 500_000 }

type Kept = { readonly at: Micros; readonly commit: OwnCommit; readonly changes: number }

/** Gives what each batch changed to whoever listens, and keeps it for those who come back. */
export class OwnFeed implements HubFeed {
  private readonly markets: OwnMarkets
  private readonly now: () => Micros
  private readonly listeners = new Set<(commit: HubCommit) => void>()
  private readonly kept = new Map<string, Kept[]>()
  private readonly heads = new Map<string, number>()
  private history = ''

  constructor(markets: OwnMarkets, now: () => Micros) {
    this.markets = markets
    this.now = now
  }

  /** Begins: the identity of the engine's history, and the places that the markets have. */
  begin(epoch: string): void {
    this.history = epoch
    const all = this.markets.all()
    const books = all.flatMap(({ outcomes }) => outcomes.map(({ book }) => book.sequence))
    this.heads.set(OWN_TABLES.books, maxOf(books))
    this.heads.set(OWN_TABLES.trades, maxOf(all.map(({ trade_sequence }) => trade_sequence)))
    this.heads.set(OWN_TABLES.tickers, maxOf(all.map(({ sequence }) => sequence)))
  }

  /** Takes what a batch has changed, keeps it, and tells it where `tells`. */
  take({ at, books, trades, markets }: PublicChange, tells: boolean): void {
    const published_at = formatMicros(at)
    const changes = books.reduce((sum, { levels }) => sum + levels.length, 0)
    this.commit({ table: OWN_TABLES.books, published_at, rows: books }, at, changes, tells)
    this.commit({ table: OWN_TABLES.trades, published_at, rows: trades }, at, trades.length, tells)
    // Whole states: who comes back gets the newest, and none is kept.
    this.commit({ table: OWN_TABLES.tickers, published_at, rows: markets }, at, 0, tells)
  }

  subscribe(listener: (commit: HubCommit) => void): () => void {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  recent(table: string): readonly HubCommit[] {
    const kept = this.kept.get(table) ?? []
    drop(kept, this.now())
    return kept.map(({ commit }) => commit)
  }

  epoch(): string {
    return this.history
  }

  head(table: string): number {
    return this.heads.get(table) ?? 0
  }

  last(table: string, { market_id, outcome_id }: Readonly<Record<string, string>>): number | null {
    if (table === OWN_TABLES.books) return this.markets.outcome(outcome_id ?? '')?.book.sequence ?? null
    const market = this.markets.market(market_id ?? '')
    return (table === OWN_TABLES.trades ? market?.trade_sequence : market?.sequence) ?? null
  }

  private commit(commit: OwnCommit, at: Micros, changes: number, tells: boolean): void {
    const last = commit.rows.at(-1)
    if (last === undefined) return
    this.heads.set(commit.table, last.seq)
    if (changes > 0) this.keep(commit, at, changes)
    if (tells) for (const listener of this.listeners) listener(commit)
  }

  private keep(commit: OwnCommit, at: Micros, changes: number): void {
    const kept = this.kept.get(commit.table) ?? []
    this.kept.set(commit.table, kept)
    kept.push({ at, commit, changes })
    // Now and then, so that an engine at work does not move the list with every batch.
    if (kept.length % DROP_EVERY === 0) drop(kept, this.now())
  }
}

const DROP_EVERY = 1_000

function drop(kept: Kept[], now: Micros): void {
  let changes = kept.reduce((sum, entry) => sum + entry.changes, 0)
  const oldest = now - OWN_RECENT.retention_ms * 1000
  const first = kept.findIndex((entry) => {
    const stays = entry.at >= oldest && changes <= OWN_RECENT.changes_max
    changes -= entry.changes
    return stays
  })
  kept.splice(0, first === -1 ? kept.length : first)
}

function maxOf(sequences: readonly number[]): number {
  return sequences.reduce((most, sequence) => Math.max(most, sequence), 0)
}
