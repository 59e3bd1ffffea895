import type {
  BookLevel,
  BookRecord,
  QuoteBook,
  QuoteRecord,
  TradeRecord,
  VenuePayload,
} from '../../../pipelines/venues/record.ts'
import { Decimal } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'

/**
 * Readers of venue payloads as written in an afternoon: JSON.parse, a decimal.js value for every number, objects spread into
 * records, an error for a field that is missing or out of range. They return the same quotes, trades and books as ours.
 */
export type NaiveReader = {
  read(payload: VenuePayload): NaiveRecords
  /** Returns the books of the minutes that no later message has closed. */
  finish?(): BookRecord[]
}

/** Fields shared by the records of one part of a payload. */
export type Place = ReturnType<typeof baseOf> & {
  source_market_id: string
  source_at: Micros
}
export type OutcomePlace = Place & { outcome: string }

export type NaiveRecords = { quotes?: QuoteRecord[]; trades?: TradeRecord[]; books?: BookRecord[] }

// biome-ignore lint/suspicious/noExplicitAny: the untyped result of JSON.parse, as a naive reader uses it.
export type Json = any

export type Level = { price: Decimal; quantity: Decimal }

/** Price levels of both sides, best first. */
export type Book = { bids: Level[]; asks: Level[] }

/** Microseconds after which a book that changes below its best levels is quoted again: it stands. */
export const STANDS = 30_000_000

export const ONE = new Decimal(1)

const [FIRST, END] = [Date.UTC(2000, 0, 1) * 1000, Date.UTC(2100, 0, 1) * 1000]

export const NO_BOOK: QuoteBook = {
  bid: null,
  ask: null,
  bid_depth: null,
  ask_depth: null,
  last_trade: null,
  last_trade_at: null,
  source_sequence: null,
  confirmed_at: null,
}

export function required<T>(value: T | null | undefined | ''): T {
  if (value === null || value === undefined || value === '') throw new RangeError('a field is missing')
  return value
}

const NUMBER = /(?<=[:[,])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?=[,}\]])/g

/**
 * Parses a document with numbers as their source text, not as JSON.parse's doubles: quotes them first, the usual trick for venues
 * that send prices as JSON numbers. Wrong if a string contains such a pattern; here none does.
 */
export function parseWithNumbersAsText(text: string): Json {
  return JSON.parse(text.replace(NUMBER, '"$&"'))
}

/** Returns a price or probability in [0, 1]. */
export function priceOf(value: Json): Decimal {
  const price = new Decimal(required(value))
  if (!price.gte(0) || price.gt(1)) throw new RangeError(`${value} is no price`)
  return price
}

/** Returns a quantity of at least 0. */
export function quantityOf(value: Json): Decimal {
  const quantity = new Decimal(required(value))
  if (!quantity.gte(0)) throw new RangeError(`${value} is no quantity`)
  return quantity
}

export const priceText = (value: Decimal) => value.toFixed(9)
export const quantityText = (value: Decimal) => value.toFixed(6)

/** Returns an instant if a source may state it in a payload received at `received_at`. */
export function instantOf(micros: Micros, received_at: Micros): Micros {
  if (!(micros >= FIRST && micros < END) || micros > received_at) throw new RangeError(`${micros} is no instant`)
  return micros
}

/** Returns the fields shared by all records of a payload. */
export function baseOf({ file, received_at, venue_id }: VenuePayload) {
  return { file, line: 1, path: '$', venue_id, source_series_id: null, received_at }
}

/** Fields of a quote beside its prices. */
export const QUOTE = { reported_probability: null, raw_value: null, is_final: false, text: '' }

/** Fields of a book beside its price levels. */
export const BOOK = { source_sequence: null, price_unit: 'probability', overround: null } as const

/** Sorts price levels, best first; throws on two of one price. */
export function sorted(levels: Level[], best: 'highest' | 'lowest'): Level[] {
  levels.sort((a, b) => (best === 'highest' ? b.price.cmp(a.price) : a.price.cmp(b.price)))
  if (levels.some(({ price }, i) => i > 0 && price.eq(levels[i - 1]!.price))) throw new RangeError('two levels')
  return levels
}

/** Sets the total quantity at a price; 0 removes the price level. */
export function setLevel(levels: Level[], price: Decimal, quantity: Decimal, best: 'highest' | 'lowest'): void {
  const place = levels.findIndex((level) => (best === 'highest' ? level.price.lte(price) : level.price.gte(price)))
  const found = place >= 0 && levels[place]!.price.eq(price)
  if (quantity.isZero()) {
    if (found) levels.splice(place, 1)
  } else if (found) levels[place] = { price, quantity }
  else levels.splice(place < 0 ? levels.length : place, 0, { price, quantity })
}

/** Returns the top of a book in the form of a quote. */
export function touchOf({ bids: [bid], asks: [ask] }: Book) {
  return {
    bid: bid === undefined ? null : priceText(bid.price),
    ask: ask === undefined ? null : priceText(ask.price),
    bid_depth: bid === undefined ? null : quantityText(bid.quantity),
    ask_depth: ask === undefined ? null : quantityText(ask.quantity),
  }
}

/** Returns price levels in the form of a book. */
export function levelTexts(levels: Level[]): BookLevel[] {
  return levels.map(({ price, quantity }) => ({ price: priceText(price), quantity: quantityText(quantity) }))
}

/** Keeps the last state of each book per minute and emits it when a message of a later minute arrives. */
export class LastBooks {
  readonly #open = new Map<string, { source_at: Micros; is_given: boolean; give: () => BookRecord[] }>()
  #looked_at = 0

  /** Call it before the book is changed. */
  note(key: string, source_at: Micros, give: () => BookRecord[]): BookRecord[] {
    const open = this.#open.get(key)
    this.#open.set(key, { source_at, is_given: false, give })
    return open === undefined || open.is_given || minuteOf(open.source_at) === minuteOf(source_at) ? [] : open.give()
  }

  /** Gives the books whose minute was over a whole minute before that of the receipt. */
  over(received_at: Micros): BookRecord[] {
    const minute = minuteOf(received_at)
    if (minute <= this.#looked_at) return []
    this.#looked_at = minute
    const over = [...this.#open.values()].filter((open) => !open.is_given && minuteOf(open.source_at) < minute - 1)
    return over.flatMap((open) => {
      open.is_given = true
      return open.give()
    })
  }

  finish(): BookRecord[] {
    const open = [...this.#open.values()].filter(({ is_given }) => !is_given)
    this.#open.clear()
    return open.flatMap(({ give }) => give())
  }
}

export function minuteOf(micros: Micros): number {
  return Math.floor(micros / 60_000_000)
}
