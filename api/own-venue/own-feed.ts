import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type {
  BookChange,
  MarketChange,
  PublicChange,
  PublicMarkets,
  TradeChange,
} from '../../trading/public-market/fold-events.ts'
import { type PublicMarket, topsOf } from '../../trading/public-market/public-market.ts'
import type { HubCommit, HubFeed } from '../stream/hub-feed.ts'
import { KeptCommits, type OwnCommit } from './kept-commits.ts'
import { bookForm, tradeForm } from './row-forms.ts'

/** Tables whose rows number the public messages of markets listed on Tidemark; all by engine_sequence. */
export const OWN_TABLES = { books: 'own_book', trades: 'own_trade', tickers: 'own_ticker' } as const

/** Retention for clients that resume: ten minutes, even at 2,000 orders a second. */
export const OWN_RECENT = { retention_ms: 600_000, changes_max: 2_000_000, open_max: 10_000, pack: 2_000 }

/** A market as a batch left it, and as it was before; null: the batch listed it. Neither has more of a book than its top. */
export type TickerChange = MarketChange & { readonly at: Micros; readonly before: PublicMarket | null }

/** Publishes the changes of each batch to listeners, and retains them for clients that resume. */
export class OwnFeed implements HubFeed {
  readonly #markets: PublicMarkets
  readonly #now: () => Micros
  readonly #listeners = new Set<(commit: HubCommit) => void>()
  readonly #books: KeptCommits<BookChange>
  readonly #trades: KeptCommits<TradeChange>
  readonly #heads = new Map<string, number>()
  /** Each market as its last batch left it. */
  readonly #tops = new Map<string, PublicMarket>()
  #history = ''

  constructor(markets: PublicMarkets, now: () => Micros) {
    this.#markets = markets
    this.#now = now
    this.#books = new KeptCommits(OWN_TABLES.books, bookForm(markets), OWN_RECENT)
    this.#trades = new KeptCommits(OWN_TABLES.trades, tradeForm(markets), OWN_RECENT)
  }

  /** Starts the feed with the identity of the engine's history and the current sequences of the markets. */
  begin(epoch: string): void {
    this.#history = epoch
    const all = this.#markets.all()
    for (const market of all) this.#tops.set(market.market_id, topsOf(market))
    const books = all.flatMap(({ outcomes }) => outcomes.map(({ book }) => book.sequence))
    this.#heads.set(OWN_TABLES.books, maxOf(books))
    this.#heads.set(OWN_TABLES.trades, maxOf(all.map(({ trade_sequence }) => trade_sequence)))
    this.#heads.set(OWN_TABLES.tickers, maxOf(all.map(({ sequence }) => sequence)))
  }

  /** Retains the changes of a batch, and publishes them if `publishes`. */
  take({ at, books, trades, markets }: PublicChange, publishes: boolean): void {
    const published_at = formatMicros(at)
    const oldest = this.#oldest()
    const changed = { table: OWN_TABLES.books, published_at, rows: books }
    const traded = { table: OWN_TABLES.trades, published_at, rows: trades }
    if (books.length > 0) {
      const changes = books.reduce((sum, { levels }) => sum + levels.length, 0)
      this.#books.add({ at, commit: changed, changes }, oldest)
    }
    if (trades.length > 0) this.#trades.add({ at, commit: traded, changes: trades.length }, oldest)
    // Tickers are whole states: a client that resumes gets the newest, so none is retained.
    const tickers = markets.map((change) => this.#tickerOf(change, at))
    for (const commit of [changed, traded, { table: OWN_TABLES.tickers, published_at, rows: tickers }])
      this.#advance(commit, publishes)
  }

  subscribe(listener: (commit: HubCommit) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  recent(table: string, after_seq = 0): readonly HubCommit[] {
    if (table === OWN_TABLES.books) return this.#books.list(this.#oldest(), after_seq)
    return table === OWN_TABLES.trades ? this.#trades.list(this.#oldest(), after_seq) : []
  }

  epoch(): string {
    return this.#history
  }

  head(table: string): number {
    return this.#heads.get(table) ?? 0
  }

  last(table: string, { market_id, outcome_id }: Readonly<Record<string, string>>): number | null {
    if (table === OWN_TABLES.books) return this.#markets.outcome(outcome_id ?? '')?.book.sequence ?? null
    const market = this.#markets.market(market_id ?? '')
    return (table === OWN_TABLES.trades ? market?.trade_sequence : market?.sequence) ?? null
  }

  #tickerOf(change: MarketChange, at: Micros): TickerChange {
    const market = topsOf(change.market)
    const before = this.#tops.get(market.market_id) ?? null
    this.#tops.set(market.market_id, market)
    return { ...change, market, at, before }
  }

  #advance(commit: OwnCommit, publishes: boolean): void {
    const last = commit.rows.at(-1)
    if (last === undefined) return
    this.#heads.set(commit.table, last.seq)
    if (publishes) for (const listener of this.#listeners) listener(commit)
  }

  #oldest(): Micros {
    return this.#now() - OWN_RECENT.retention_ms * 1000
  }
}

function maxOf(sequences: readonly number[]): number {
  return sequences.reduce((most, sequence) => Math.max(most, sequence), 0)
}
