import {
  eventIdOf,
  marketIdOf,
  outcomeIdOf,
  quoteIdOf,
  resolutionIdOf,
  tradeIdOf,
} from '../../../pipelines/revisions/identity.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { TableName } from '../../../warehouse/tables.ts'

/** Twelve hours of nine markets at two venues: what the venues said, row by row. */

export const START: Micros = toMicros('2026-02-01T00:00:00Z')
export const MINUTE: Micros = 60_000_000
export const END: Micros = START + 12 * 60 * MINUTE

/** Rows of one table that are published together. */
export type HarborCommit = { readonly table: TableName; readonly at: Micros; readonly rows: readonly Row[] }

type MarketText = readonly [
  venue_id: string,
  name: string,
  outcomes: readonly string[],
  category: string,
  ends_in_days: number,
]
const MARKETS: readonly MarketText[] = [
  ['v', 'A', ['YES', 'NO'], 'tide', 20],
  ['v', 'B', ['YES', 'NO'], 'tide', 25],
  ['v', 'C', ['YES', 'NO'], 'wind', 40],
  ['w', 'C', ['YES', 'NO'], 'wind', 40],
  ['v', 'D', ['X', 'Y', 'Z'], 'race', 10],
  ['v', 'F', ['YES', 'NO'], 'wind', 60],
  ['v', 'R1', ['YES', 'NO'], 'ice', 15],
  ['v', 'R2', ['YES', 'NO'], 'ice', 45],
  ['v', 'S', ['YES', 'NO'], 'race', 1],
]

const minutes = (count: number) => START + count * MINUTE
const text = (micros: Micros) => formatMicros(micros)
/** Had two seconds after the venue showed it, published one second later. */
const received = (source: Micros) => ({ source_at: text(source), received_at: text(source + 2_000_000) })
const publishedAt = (source: Micros) => source + 3_000_000
const thousandths = (count: number) => `0.${String(count).padStart(3, '0')}000000`

export function marketOf(venue_id: string, name: string): string {
  return marketIdOf(venue_id, name)
}
export function outcomeOf(venue_id: string, name: string, label = 'YES'): string {
  return outcomeIdOf(marketIdOf(venue_id, name), label)
}

/** Every commit before anything is late, in the order of publication. */
export function harborCommits(): HarborCommit[] {
  const commits = [...references(), ...quotes(), ...trades(), ...resolutions(), ...books(), ...sizes()]
  return commits.sort((a, b) => a.at - b.at)
}

/** Known only now: what A really showed at 03:45, and a trade inside the fixing. */
export function lateRows(now: Micros): HarborCommit[] {
  const received_at = text(now)
  const first = quoteRow('v', 'A', 'YES', minutes(225), { bid: 700, ask: 710, depth: 50 })
  const record_id = quoteIdOf(instrumentOf('v', 'A', 'YES'), String(first.source_at), received_at)
  const quote = { ...first, received_at, record_id, revision: 2, supersedes_id: first.record_id! }
  const trade = {
    ...tradeRow('late', minutes(345), 640),
    received_at,
    trade_id: tradeIdOf('v', 'F', 'late', received_at),
  }
  return [
    { table: 'market_quote', at: now, rows: [quote] },
    { table: 'public_trade', at: now, rows: [trade] },
  ]
}

/**
 * A quote of every outcome, a trade of F and a book of A, shown by the venues at `source` and received at `had`.
 * @param step  of their prices; no two calls have the same
 */
export function moreRows(source: Micros, had: Micros, step: number): HarborCommit[] {
  const received_at = text(had)
  const rows = MARKETS.flatMap(([venue_id, name, outcomes], place) =>
    outcomes.map((label, n) => {
      const row = quoteRow(venue_id, name, label, source, shape(step, place, n))
      const record_id = quoteIdOf(instrumentOf(venue_id, name, label), text(source), received_at)
      return { ...row, received_at, record_id }
    }),
  )
  const id = `more${step}`
  const trade = { ...tradeRow(id, source, 400 + (step % 50)), received_at }
  const book = { ...bookRow(step, source), order_book_id: `obk_more_${step}`, received_at }
  return [
    { table: 'market_quote', at: had, rows },
    { table: 'public_trade', at: had, rows: [{ ...trade, trade_id: tradeIdOf('v', 'F', id, received_at) }] },
    { table: 'order_book', at: had, rows: [book] },
  ]
}

/** The same quote, received again at `had` with another bid. */
export function correctedQuote(quote: Row, had: Micros, bid: number): Row {
  const received_at = text(had)
  const [venue_id, name] = [String(quote.venue_id), String(quote.source_market_id)]
  const label = MARKETS.find((market) => market[0] === venue_id && market[1] === name)![2].find(
    (one) => outcomeOf(venue_id, name, one) === quote.outcome_id,
  )!
  return {
    ...quote,
    bid: thousandths(bid),
    ask: thousandths(bid + 20),
    received_at,
    record_id: quoteIdOf(instrumentOf(venue_id, name, label), String(quote.source_at), received_at),
    revision: Number(quote.revision) + 1,
    supersedes_id: quote.record_id!,
  }
}

function references(): HarborCommit[] {
  const at = minutes(-120)
  const events = [...new Set(MARKETS.map(([, name]) => name))].map((name) => eventRow(name, at))
  const markets = MARKETS.map((market) => marketRow(market, at))
  const moved = minutes(300)
  const [venue_id, name, outcomes, category] = MARKETS[6]!
  const revised = { ...marketRow([venue_id, name, outcomes, category, 21], moved), revision: 2 }
  const ended = minutes(530)
  const settled = { ...marketRow(MARKETS[8]!, ended), revision: 2, status: 'resolved' }
  return [
    { table: 'event', at, rows: events },
    { table: 'market', at, rows: markets },
    { table: 'market', at: publishedAt(moved), rows: [revised] },
    { table: 'market', at: publishedAt(ended), rows: [settled] },
  ]
}

function eventRow(name: string, at: Micros): Row {
  const market = MARKETS.find((item) => item[1] === name)!
  return {
    event_id: eventIdOf('v', `E${name}`),
    revision: 1,
    title: `Event ${name}`,
    category: market[3],
    regions: [name < 'D' ? 'north' : 'south'],
    status: name === 'S' ? 'ended' : 'ongoing',
    event_start: text(at),
    event_end: name < 'D' ? text(END) : null,
    market_ids: MARKETS.filter((item) => item[1] === name).map((item) => marketOf(item[0], item[1])),
    source_mappings: [{ venue_id: market[0], source_event_id: `E${name}`, source_series_id: null, source_url: null }],
    ...received(at),
  }
}

function marketRow([venue_id, name, outcomes, , ends_in_days]: MarketText, at: Micros): Row {
  const market_id = marketOf(venue_id, name)
  return {
    market_id,
    revision: 1,
    event_id: eventIdOf('v', `E${name}`),
    title: `Will ${name} happen?`,
    status: 'open',
    outcome_type: outcomes.length === 2 ? 'binary' : 'categorical',
    outcomes: outcomes.map((label) => ({ outcome_id: outcomeIdOf(market_id, label), label, status: 'tradable' })),
    schedule: { opens_at: text(minutes(-120)), expected_resolution_at: text(START + ends_in_days * 1440 * MINUTE) },
    venue_mapping: { venue_id, source_market_id: name, source_outcome_ids: [...outcomes] },
    ...received(at),
  }
}

/** Every half hour a quote of each market's outcomes; B is quoted by its NO alone and silent for hours, S until it is settled. */
function quotes(): HarborCommit[] {
  return Array.from({ length: 25 }, (_, step) => {
    const at = minutes(step * 30 - 15)
    const rows = MARKETS.flatMap(([venue_id, name, outcomes], place) => {
      if ((name === 'B' && step > 9 && step < 18) || (name === 'S' && step > 16)) return []
      const labels = outcomes.length === 3 ? outcomes : name === 'B' ? ['NO'] : ['YES']
      return labels.map((label, n) => quoteRow(venue_id, name, label, at, shape(step, place, n)))
    })
    return { table: 'market_quote', at: publishedAt(at), rows }
  })
}

type Shape = {
  readonly bid: number | null
  readonly ask: number | null
  readonly depth: number
  readonly last?: number
}

/** Tight books, wide ones with and without depth, and a last trade alone. */
function shape(step: number, place: number, outcome: number): Shape {
  const middle = outcome * 60 + 200 + place * 40 + ((step * 7 + place * 3) % 11) * 5
  if (step % 6 === 5 && place % 2 === 0) return { bid: null, ask: null, depth: 0, last: middle }
  if (step % 3 === 1) return { bid: middle - 30, ask: middle + 30, depth: 40 + place * 10 }
  if (step % 3 === 2) return { bid: middle - 45, ask: middle + 40, depth: 0, last: middle + 5 }
  return { bid: middle - 10, ask: middle + 10, depth: 80 }
}

function instrumentOf(venue_id: string, name: string, outcome: string) {
  return { venue_id, source_series_id: null, source_market_id: name, outcome }
}

function quoteRow(venue_id: string, name: string, label: string, at: Micros, { bid, ask, depth, last }: Shape): Row {
  const instrument = instrumentOf(venue_id, name, label)
  const times = received(at)
  const quantity = depth === 0 ? null : `${depth}.000000`
  return {
    record_id: quoteIdOf(instrument, times.source_at, times.received_at),
    revision: 1,
    venue_id,
    source_market_id: name,
    market_id: marketOf(venue_id, name),
    outcome_id: outcomeOf(venue_id, name, label),
    bid: bid === null ? null : thousandths(bid),
    ask: ask === null ? null : thousandths(ask),
    bid_depth: quantity,
    ask_depth: quantity === null ? null : `${depth + 15}.000000`,
    last_trade: last === undefined ? null : thousandths(last),
    last_trade_at: last === undefined ? null : text(at - MINUTE),
    ...times,
  }
}

/** Trades of F before the fixing of 06:00: one is corrected, one is void, and its last ten minutes have none. */
function trades(): HarborCommit[] {
  const rows = [
    tradeRow('t1', minutes(332), 410),
    tradeRow('t2', minutes(336), 430),
    tradeRow('t3', minutes(341), 425),
    tradeRow('t4', minutes(346), 990),
    tradeRow('t4', minutes(346), 440, 'correction'),
    tradeRow('t5', minutes(348), 999),
    tradeRow('t5', minutes(348), 999, 'void'),
    tradeRow('t6', minutes(400), 420),
  ]
  return rows.map((row) => ({ table: 'public_trade', at: toMicros(row.received_at) + 1_000_000, rows: [row] }))
}

function tradeRow(id: string, at: Micros, price: number, correction_kind: string | null = null): Row {
  const received_at = text(at + (correction_kind === null ? 2 : 60) * 1_000_000)
  const first = tradeIdOf('v', 'F', id, text(at + 2_000_000))
  return {
    trade_id: tradeIdOf('v', 'F', id, received_at),
    revision: correction_kind === null ? 1 : 2,
    supersedes_id: correction_kind === null ? null : first,
    correction_reason: correction_kind === null ? null : 'VENUE_CORRECTION',
    venue_id: 'v',
    source_market_id: 'F',
    market_id: marketOf('v', 'F'),
    outcome_id: outcomeOf('v', 'F'),
    price: thousandths(price),
    quantity: '10.000000',
    aggressor_side: 'BUY',
    source_trade_id: id,
    correction_kind,
    source_at: text(at),
    received_at,
  }
}

/** S is proposed at 08:10 and final at 08:40; another series of the venue says the same at the same instant, later in its own time. */
function resolutions(): HarborCommit[] {
  const [proposed, final] = [minutes(490), minutes(520)]
  const first = resolutionRow(null, proposed, 'proposed', proposed)
  const second = { ...resolutionRow(null, proposed, 'final', final), revision: 2, supersedes_id: first.resolution_id! }
  const other = resolutionRow('s2', final, 'final', final)
  return [
    { table: 'market_resolution', at: publishedAt(proposed), rows: [first] },
    { table: 'market_resolution', at: publishedAt(final), rows: [second, other] },
  ]
}

function resolutionRow(source_series_id: string | null, at: Micros, finality: string, had: Micros): Row {
  const times = { source_at: text(at), received_at: text(had + 2_000_000) }
  const chain = { venue_id: 'v', source_series_id, source_market_id: 'S' }
  return {
    resolution_id: resolutionIdOf(chain, times.source_at, times.received_at),
    revision: 1,
    market_id: marketOf('v', 'S'),
    ...chain,
    winning_outcome_ids: [outcomeOf('v', 'S')],
    payouts: [
      { outcome_id: outcomeOf('v', 'S'), payout: '1.000000000' },
      { outcome_id: outcomeOf('v', 'S', 'NO'), payout: '0.000000000' },
    ],
    resolved_at: text(at),
    evidence: [],
    resolver: { kind: 'venue', resolver_id: 'v' },
    finality,
    ...times,
  }
}

function books(): HarborCommit[] {
  return Array.from({ length: 8 }, (_, step): HarborCommit => {
    const at = minutes(step * 75)
    return { table: 'order_book', at: publishedAt(at), rows: [bookRow(step, at)] }
  })
}

function bookRow(step: number, at: Micros): Row {
  return {
    order_book_id: `obk_harbor_${step}`,
    revision: 1,
    venue_id: 'v',
    source_market_id: 'A',
    market_id: marketOf('v', 'A'),
    outcome_id: outcomeOf('v', 'A'),
    price_unit: 'probability',
    bids: [300, 290, 280].map((price) => ({ price: thousandths(price + step), quantity: `${step + 5}.000000` })),
    asks: [320, 330].map((price) => ({ price: thousandths(price + step), quantity: '7.000000' })),
    asks_derived: false,
    ...received(at),
  }
}

/** Sizes and eligibility of two markets, each revised once. */
function sizes(): HarborCommit[] {
  return [60, 480].flatMap((minute, place): HarborCommit[] => {
    const at = minutes(minute)
    const market_id = marketOf('v', place === 0 ? 'A' : 'C')
    const metric: Row = {
      metric_id: `mtc_harbor_${place}`,
      revision: 1,
      venue_id: 'v',
      source_market_id: place === 0 ? 'A' : 'C',
      market_id,
      volume_24h: `${100 + place}.000000`,
      ...received(at),
    }
    const decision: Row = {
      eligibility_id: `elg_harbor_${place}`,
      revision: 1,
      market_id,
      status: place === 0 ? 'eligible' : 'ineligible',
      policy_id: 'pol_harbor',
      policy_version: '1',
      reason_codes: place === 0 ? [] : ['THIN'],
      evaluated_at: text(at),
    }
    return [
      { table: 'market_metric', at: publishedAt(at), rows: [metric] },
      { table: 'market_eligibility', at: publishedAt(at), rows: [decision] },
    ]
  })
}
