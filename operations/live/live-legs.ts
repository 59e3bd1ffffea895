import type { LegData } from '../../pipelines/index/admission.ts'
import type { WindowNeeds } from '../../pipelines/index/quote-window.ts'
import type { Leg } from '../../pipelines/index/version.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { hasPublished, openPublishedSession } from '../../warehouse/read/published-session.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Snapshot, Warehouse } from '../../warehouse/warehouse.ts'
import { LegFacts } from '../index/leg-facts.ts'
import { quoteTable, textColumn } from '../index/leg-records.ts'
import { QuoteWindows } from '../index/quote-windows.ts'

/** Quotes that upcoming ticks may need. */
export type ReadNeeds = WindowNeeds & {
  /** Spacing of upcoming ticks in microseconds since the epoch; 0 if they follow no fixed grid. */
  readonly step: Micros
  /** No upcoming tick is before it. */
  readonly first: Micros
  /** Markets that fixings read. */
  readonly fixing_markets: readonly string[]
}

/** One reading of what was published since the last one. */
export type LegReading = {
  readonly warehouse: Warehouse
  /** Snapshots of the tables of quotes, markets and resolutions. */
  readonly snapshots: readonly Snapshot[]
  /** Everything as of the instant that the tables are sealed through. */
  readonly session: () => Promise<ReadSession>
  /** Quotes published by then are read. */
  readonly through: Micros
  readonly sealed: Micros
  readonly needs: ReadNeeds
}

/** A market as one series of its venue quotes it. */
export type QuotedMarket = {
  readonly venue_id: string
  readonly source_series_id: string | null
  readonly source_market_id: string
  readonly market_id: string
}

/**
 * Market records that upcoming ticks can see, kept in memory: the newest and the not yet admitted quotes of each outcome, statuses and
 * resolutions. Each reading adds only rows published since the last one.
 */
export class LiveLegs {
  readonly facts = new LegFacts()
  readonly quoted = new Map<string, QuotedMarket>()
  readonly #markets: readonly string[]
  #windows = new QuoteWindows()
  #read_through = Number.NEGATIVE_INFINITY
  #facts_through = Number.NEGATIVE_INFINITY

  /** @param markets whose quotes are read; null: all */
  constructor(markets: readonly string[] | null) {
    this.#markets = markets ?? []
    if (markets !== null) this.facts.want(markets)
  }

  get read_through(): Micros {
    return this.#read_through
  }

  /** Reads the rows published since the last reading. */
  async read(reading: LegReading): Promise<void> {
    await this.#readQuotes(reading)
    await this.#readFacts(reading)
  }

  /** Returns the data of some legs that the next ticks can see, by key. */
  data(legs: Iterable<Leg>): Map<string, LegData> {
    const data = new Map<string, LegData>()
    for (const leg of legs)
      if (!data.has(leg.key)) data.set(leg.key, { ...this.#windows.of(leg), ...this.facts.of(leg) })
    return data
  }

  /** Drops data that no tick at or after a market's instant can see. */
  retain(at: (market_id: string) => Micros, needs: WindowNeeds): void {
    this.#windows.retain(at, needs)
  }

  /** Merges another instance that was read through the same instant. */
  merge(other: LiveLegs): void {
    this.#windows.merge(other.#windows)
    this.facts.merge(other.facts)
  }

  /** Returns the windows to store. */
  windows(): QuoteWindows {
    return this.#windows
  }

  /** Restores stored windows; facts are read again. */
  restore(read_through: Micros, windows: QuoteWindows, quoted: Iterable<QuotedMarket>): void {
    this.#read_through = read_through
    this.#windows = windows
    for (const market of quoted) this.#quote(market)
  }

  async #readQuotes({ warehouse, snapshots, through, needs }: LegReading): Promise<void> {
    const after = this.#read_through
    const tables = snapshots.filter(({ table }) => table === 'market_quote')
    this.#read_through = through
    if (!tables.some((snapshot) => hasPublished(snapshot, after, through))) return
    const session = await openPublishedSession(warehouse, tables, { after, through })
    try {
      const set = await session.columns(readSql(import.meta.url, 'sql/quotes_published.sql'), {
        ...publishedIn(after, through),
        market_ids: this.#markets,
        whole_market_ids: needs.fixing_markets,
        graces_us: needs.graces.map(String),
        step_us: needs.step,
        first_us: needs.first,
      })
      const table = quoteTable(set)
      this.#windows.take(table)
      const [venues, markets] = [textColumn(set, 'venue_id'), textColumn(set, 'source_market_id')]
      for (const group of table.groups) {
        this.#quote({
          venue_id: venues.dictionary[venues.codes[group.from]!]!,
          source_series_id: group.source_series_id === '' ? null : group.source_series_id,
          source_market_id: markets.dictionary[markets.codes[group.from]!]!,
          market_id: group.market_id,
        })
      }
    } finally {
      await session.close()
    }
  }

  #quote(market: QuotedMarket): void {
    this.quoted.set(`${market.market_id} ${market.source_series_id}`, market)
    if (!this.facts.has(market.market_id)) this.facts.want([market.market_id])
  }

  async #readFacts({ warehouse, snapshots, sealed, session }: LegReading): Promise<void> {
    const after = this.#facts_through
    const tables = snapshots.filter(({ table }) => table !== 'market_quote')
    this.#facts_through = sealed
    if (Number.isFinite(after) && tables.some((snapshot) => hasPublished(snapshot, after, sealed))) {
      const news = await openPublishedSession(warehouse, tables, { after, through: sealed })
      try {
        const rows = await news.query(readSql(import.meta.url, 'sql/markets_published.sql'), publishedIn(after, sealed))
        this.facts.want(rows.map((row) => String(row.market_id)).filter((id) => this.facts.has(id)))
      } finally {
        await news.close()
      }
    }
    await this.facts.readWanted(session)
  }
}

function publishedIn(after: Micros, through: Micros) {
  return {
    after: Number.isFinite(after) ? formatMicros(after) : '1700-01-01T00:00:00Z',
    through: formatMicros(through),
  }
}
