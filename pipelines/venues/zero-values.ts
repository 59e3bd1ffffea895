import type { IgnoreRule } from './outcomes.ts'
import type { ArchiveContent, Origin, QuoteRecord, TradeRecord, ZeroValue } from './record.ts'

/**
 * Fields in which recorders write 0 for a price that was missing, by kind of archive. Only their zeros are counted, and read as
 * missing if the import says so; every other 0 is a value, or the venue's own sign of none.
 */
export const ZERO_FIELDS = {
  forecastbench: '`value` of a row that is not resolved',
  quotes: '`bid`, `ask`, `last_trade` and `reported_probability` in quotes.csv, `price` in trades.csv',
  kalshi: '`yes_price`, `no_price`, `yes_price_dollars` and `no_price_dollars` of a trade',
  predictit:
    '`bestBuyYesCost`, `bestSellYesCost`, `bestBuyNoCost`, `bestSellNoCost`: always missing, as orders cost 1 to 99 cents',
} as const satisfies Record<string, string>

/** Returns whether a text, as a field holds it, is a zero. */
export function isZero(text: unknown): boolean {
  return typeof text === 'string' && /^0(?:\.0*)?$/.test(text)
}

/** Records without their zeros, the zeros, and the lines that state nothing without them. */
type WithoutZeros = {
  readonly content: ArchiveContent
  readonly zeros: readonly ZeroValue[]
  readonly ignored: readonly (Origin & { readonly rule: IgnoreRule })[]
}

/**
 * Finds the zeros of tables of records; if 0 means missing, takes them out, and what states nothing without them. A line of a
 * mapped table that still gives its market or a size is not ignored.
 */
export function readZeros(content: ArchiveContent, zero_means_missing: boolean): WithoutZeros {
  const zeros: ZeroValue[] = []
  const count = ({ file, line }: Origin, found: number) => {
    for (let n = 0; n < found; n += 1) zeros.push({ file, line, is_missing: zero_means_missing })
    return found > 0
  }
  const emptied: QuoteRecord[] = []
  const quotes = content.quotes.flatMap((quote) => {
    if (!count(quote, zerosOf(quote))) return quote
    const rest = withoutZeros(quote)
    if (!statesNothing(rest)) return rest
    emptied.push(quote)
    return []
  })
  const trades_of_zero = content.trades.filter((trade) => count(trade, isZeroTrade(trade) ? 1 : 0))
  if (!zero_means_missing || zeros.length === 0) return { content, zeros, ignored: [] }
  const lineOf = ({ file, line }: Origin) => `${file}:${line}`
  const taken = new Set([...content.references, ...content.metrics].map(lineOf))
  const ignored = [...emptied, ...trades_of_zero].filter((record) => !taken.has(lineOf(record)))
  return {
    content: {
      ...content,
      quotes,
      trades: content.trades.filter((trade) => !isZeroTrade(trade)),
    },
    zeros,
    ignored: ignored.map(({ file, line }) => ({ file, line, rule: 'ZERO_PRICE' })),
  }
}

function isZeroTrade({ price }: TradeRecord): boolean {
  return isZero(price)
}

function zerosOf({ is_final, reported_probability, raw_value, book }: QuoteRecord): number {
  if (is_final) return 0
  const of_book = [book?.bid, book?.ask, book?.last_trade].filter(isZero).length
  return of_book + (isZeroProbability({ reported_probability, raw_value }) ? 1 : 0)
}

/** A value below the stored precision is stored as 0 and was not written as 0. */
function isZeroProbability({
  reported_probability,
  raw_value,
}: Pick<QuoteRecord, 'reported_probability' | 'raw_value'>) {
  return isZero(reported_probability) && !/[1-9]/.test((raw_value ?? '').replace(/e.*$/i, ''))
}

/** Returns whether a quote whose zeros were taken out has no price left. A book that was empty as written is a statement. */
function statesNothing({ reported_probability, book }: QuoteRecord): boolean {
  return [reported_probability, book?.bid, book?.ask, book?.last_trade].every((price) => price == null)
}

function withoutZeros(quote: QuoteRecord): QuoteRecord {
  const { book } = quote
  const is_missing = isZeroProbability(quote)
  const probability = is_missing ? { reported_probability: null, raw_value: null } : {}
  if (book === null) return { ...quote, ...probability }
  const none = {
    ...(isZero(book.bid) ? { bid: null, bid_depth: null } : {}),
    ...(isZero(book.ask) ? { ask: null, ask_depth: null } : {}),
    ...(isZero(book.last_trade) ? { last_trade: null, last_trade_at: null } : {}),
  }
  return { ...quote, ...probability, book: { ...book, ...none } }
}
