import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { PublicMarket } from '../../trading/public-market/public-market.ts'
import type { FeedCommit, Reader } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { HubCommit, HubFeed } from '../stream/hub-feed.ts'
import { OWN_TABLES, type TickerChange } from './own-feed.ts'
import type { OwnVenue } from './own-venue.ts'
import { PastMarks } from './past-marks.ts'

type Ports = {
  readonly venue: Pick<OwnVenue, 'feed' | 'market' | 'published_at'>
  readonly reader: Pick<Reader, 'feed' | 'instant' | 'latest'>
  readonly now: () => Micros
}

/** A market and its marks at one instant: REST as of it shows the same. */
export type TickerView = { readonly market: PublicMarket; readonly marks: readonly Row[]; readonly at: Micros }

/** Longest wait for a memory that does not advance, in microseconds: the warehouse's, or that of an idle engine. */
const WAIT_MICROS = 10_000_000
/** Interval between checks while a ticker is held; the reader moves every 200 ms. */
const CHECK_MS = 20

/**
 * Feed of our own markets in which a ticker waits until the warehouse's memory has reached the instant of its batch. Until then a
 * mark of before that instant may be unread, and the ticker would differ from what REST answers as of it. Of the tickers of a market
 * that are due together only the newest is published. Books and trades do not wait. It serves one hub.
 */
export class OwnTickers implements HubFeed {
  readonly #ports: Ports
  readonly #marks: PastMarks
  /** Tickers that wait, by market and in order: at most those of the last `WAIT_MICROS`. */
  readonly #held = new Map<string, TickerChange[]>()
  /** Every mark stamped by this instant was in memory when the last commit was added. */
  #committed: Micros = 0
  #publish: (commit: HubCommit) => void = () => undefined
  #timer: NodeJS.Timeout | undefined

  constructor(ports: Ports) {
    this.#ports = ports
    this.#marks = new PastMarks(ports.reader.latest)
  }

  /** Starts the feed. It must listen to the reader before the hub does: a commit makes tickers due before its own messages. */
  subscribe(listener: (commit: HubCommit) => void): () => void {
    const { venue, reader } = this.#ports
    this.#publish = listener
    const leaveReader = reader.feed.subscribe((commit) => this.#read(commit))
    const leaveVenue = venue.feed.subscribe((commit) => {
      if (commit.table === OWN_TABLES.tickers) this.#hold(commit.rows as readonly TickerChange[])
      else listener(commit)
    })
    return () => {
      leaveReader()
      leaveVenue()
      clearTimeout(this.#timer)
    }
  }

  recent(table: string, after_seq?: number): readonly HubCommit[] {
    return this.#ports.venue.feed.recent(table, after_seq)
  }

  epoch(table: string): string {
    return this.#ports.venue.feed.epoch(table)
  }

  /** A ticker that waits is no part of the head: who subscribes now receives it later. */
  head(table: string): number {
    if (table !== OWN_TABLES.tickers || this.#held.size === 0) return this.#ports.venue.feed.head(table)
    return Math.min(...[...this.#held.values()].map(([first]) => first!.seq)) - 1
  }

  last(table: string, values: Readonly<Record<string, string>>): number | null {
    return this.#ports.venue.feed.last(table, values)
  }

  /** Returns the newest marks of a market that were published by an instant. */
  marksAt(market_id: string, at: Micros): readonly Row[] {
    return this.#marks.at(market_id, at)
  }

  /** Returns the newest state of a market through whose instant both memories are whole; null: it was not listed by then. */
  view(market_id: string): TickerView | null {
    const { venue } = this.#ports
    const [held] = this.#held.get(market_id) ?? []
    const market = held === undefined ? venue.market(market_id) : held.before
    if (market === null) return null
    const whole = Math.max(this.#latestStart(), Math.min(this.#readThrough(), venue.published_at()))
    const marks = this.marksAt(market_id, held === undefined ? whole : Math.min(whole, held.at - 1))
    return { market, marks, at: Math.max(market.at, ...marks.map(({ published_at }) => toMicros(published_at))) }
  }

  #hold(changes: readonly TickerChange[]): void {
    for (const change of changes) {
      const changes = this.#held.get(change.market.market_id)
      if (changes === undefined) this.#held.set(change.market.market_id, [change])
      else changes.push(change)
    }
    this.#release()
  }

  /**
   * Commits are added by their stamps, so memory was whole until just before that of this one; after a commit of marks, whose stamps
   * ascend, it has all marks of its stamp, too. So a snapshot has the marks of memory at once, as REST does.
   */
  #read(commit: FeedCommit): void {
    const { venue } = this.#ports
    const is_listed = (market_id: string) => venue.market(market_id) !== null
    const has_marks = commit.table === 'market_mark'
    if (has_marks) this.#marks.take(commit, is_listed, this.#latestStart())
    const stamp = toMicros(commit.rows[0]!.row.published_at)
    this.#committed = Math.max(this.#committed, has_marks ? stamp : stamp - 1)
    this.#release()
  }

  /** Publishes what is due: the last ticker of each market. */
  #release(): void {
    const through = this.#readThrough()
    const due: TickerChange[] = []
    for (const [market_id, changes] of this.#held) {
      if (changes[0]!.at > through) continue
      const gone = changes.splice(0, changes.findLastIndex(({ at }) => at <= through) + 1)
      due.push(gone.at(-1)!)
      if (changes.length === 0) this.#held.delete(market_id)
    }
    const rows = due.sort((a, b) => a.seq - b.seq)
    if (rows.length > 0) this.#publish({ table: OWN_TABLES.tickers, rows })
    if (this.#held.size > 0) this.#timer ??= setTimeout(() => this.#check(), CHECK_MS)
  }

  #check(): void {
    this.#timer = undefined
    this.#release()
  }

  /** Returns the instant through which the warehouse's memory is whole, or counts as such. */
  #readThrough(): Micros {
    const instant = this.#ports.reader.instant()
    return Math.max(this.#latestStart(), instant === null ? 0 : Math.max(instant, this.#committed))
  }

  #latestStart(): Micros {
    return this.#ports.now() - WAIT_MICROS
  }
}
