import type { Micros } from '../../../primitives/instants.ts'
import { LastOfMinute } from '../../market/last-of-minute.ts'
import type { OrderBook } from '../../market/order-book.ts'
import type { PayloadRecords } from '../read-payload.ts'
import type { ReferenceRecord, ResolutionRecord, VenuePayload } from '../record.ts'
import { LiveBook } from './live-book.ts'
import { Occurrences } from './occurrences.ts'
import { TokenDirectory, type TokenOutcome } from './token-directory.ts'

/** Origin of a record in its payload: its ordinal from 1, and its path. */
export type Location = { readonly line: number; readonly path: string }

/** A book after a message, until the next one changes it. */
export type BookMoment = {
  readonly file: string
  readonly location: Location
  readonly token: TokenOutcome
  readonly source_at: Micros
  readonly received_at: Micros
  readonly book: OrderBook
  /** The message that made the book so. */
  readonly message: CountedMessage
}

/** A message; `is_within`: it is counted under WITHIN_MINUTE until a book that it made is stored. */
export type CountedMessage = { is_within: boolean }

/** A statement about a market that no payload has described so far. */
type WaitingStatement = {
  readonly payload: VenuePayload
  readonly location: Location
  /** Records the statement. @throws Quarantined */
  readonly state: (reading: Reading) => void
}

/** The latest statement about a market's resolution; `content` is equal for statements that say the same. */
type KnownResolution = {
  readonly source_at: Micros
  readonly finality: ResolutionRecord['finality']
  readonly content: string
}

/** Facts of earlier payloads that later ones need. */
export class Memory {
  readonly tokens = new TokenDirectory()
  /** The latest description of each market, which a change of its trading parameters updates. */
  readonly references = new Map<string, ReferenceRecord>()
  /** By market. */
  readonly resolutions = new Map<string, KnownResolution>()
  /** Equal trades that each recording of the websocket has shown. */
  readonly stream_trades = new Occurrences()
  /** The last moment of each live book in its minute, by token. */
  readonly moments = new LastOfMinute<BookMoment>()
  /** The message that is being read. */
  message: CountedMessage = { is_within: false }
  /** Resolutions that wait for the description of their market, by market. */
  readonly waiting = new Map<string, WaitingStatement[]>()
  readonly #books = new Map<string, LiveBook>()

  /** Every book that websocket messages build, by token. */
  books(): ReadonlyMap<string, LiveBook> {
    return this.#books
  }

  /** Returns the book that websocket messages build for a token. */
  book(token_id: string): LiveBook {
    const found = this.#books.get(token_id)
    if (found !== undefined) return found
    const book = new LiveBook()
    this.#books.set(token_id, book)
    return book
  }
}

/** One payload while it is read: its text and clocks, facts of earlier payloads, and the records read from it so far. */
export type Reading = {
  readonly payload: VenuePayload
  readonly memory: Memory
  readonly found: PayloadRecords
}
