import { LastOfMinute } from '../../market/last-of-minute.ts'
import type { ReferenceRecord } from '../record.ts'
import type { BookMoment } from './book-minutes.ts'
import { LiveBook } from './live-book.ts'
import { Occurrences } from './occurrences.ts'
import { ResolutionLog } from './resolution-log.ts'
import { TokenDirectory } from './token-directory.ts'

/** What a reader keeps of earlier payloads because later ones need it. */
export class Memory {
  readonly tokens = new TokenDirectory()
  /** The latest description of each market, which a change of its trading parameters continues. */
  readonly references = new Map<string, ReferenceRecord>()
  readonly resolutions = new ResolutionLog()
  /** Equal trades that each recording of the websocket has shown. */
  readonly stream_trades = new Occurrences()
  /** The last moment of each live book in its minute, by token. */
  readonly moments = new LastOfMinute<BookMoment>()
  readonly #books = new Map<string, LiveBook>()

  /** The book that websocket messages build for a token. */
  book(token_id: string): LiveBook {
    const found = this.#books.get(token_id)
    if (found !== undefined) return found
    const book = new LiveBook()
    this.#books.set(token_id, book)
    return book
  }
}
