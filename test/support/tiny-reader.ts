import { parseJsonText } from '../../pipelines/text/json-scan.ts'
import { parseRecord } from '../../pipelines/venues/quarantine.ts'
import type {
  BookRecord,
  HazardRecord,
  QuoteRecord,
  ReferenceRecord,
  TradeRecord,
  VenueReader,
  VenueRecords,
} from '../../pipelines/venues/record.ts'
import { SCALE } from '../../primitives/decimal.ts'
import { InvariantError } from '../../primitives/errors.ts'
import { toMicros } from '../../primitives/instants.ts'
import { fromScaled, toScaled } from '../../primitives/scaled.ts'

/** Body of a payload for the tiny reader; every part may be left out. Instants are RFC 3339. */
export type TinyBody = {
  readonly quotes?: readonly {
    readonly market: string
    readonly at: string
    readonly bid: string
    readonly outcome?: string
  }[]
  readonly books?: readonly {
    readonly market: string
    readonly at: string
    readonly bids: readonly (readonly [string, string])[]
  }[]
  readonly trades?: readonly {
    readonly market: string
    readonly at: string
    readonly id: string
    readonly price: string
  }[]
  readonly markets?: readonly {
    readonly event: string
    readonly market: string
    readonly title: string
    readonly about?: string
  }[]
  readonly alerts?: readonly {
    readonly event: string
    readonly at: string
    readonly level: 'green' | 'red'
    readonly title?: string
  }[]
  /** Makes the reader fail as a bug would. */
  readonly bug?: boolean
}

/** A reader of a venue that does not exist, for tests of the import: bodies are TinyBody, anything else is quarantined. */
export function createTinyReader(): VenueReader {
  return {
    read({ venue_id, file, received_at, text }): VenueRecords {
      const parsed = parseRecord(() => parseJsonText(text) as unknown as TinyBody)
      if ('reason' in parsed) return { quarantine: [{ file, line: 1, path: '$', reason: parsed.reason }] }
      const { quotes = [], books = [], trades = [], markets = [], alerts = [], bug } = parsed.record
      if (bug !== undefined) throw new InvariantError('the reader has a bug')
      const base = (line: number, market: string, at: string) => {
        const place = { file, line: line + 1, venue_id, source_series_id: null, source_market_id: market }
        return { ...place, outcome: 'YES', source_at: toMicros(at), received_at }
      }
      return {
        quotes: quotes.map(
          (q, n): QuoteRecord => ({
            ...base(n, q.market, q.at),
            outcome: q.outcome ?? 'YES',
            reported_probability: null,
            raw_value: null,
            is_final: false,
            text: '',
            book: {
              ...EMPTY_BOOK,
              bid: fromScaled(toScaled(q.bid, SCALE.observed_value), SCALE.observed_value),
              confirmed_at: received_at,
            },
          }),
        ),
        books: books.map(
          (b, n): BookRecord => ({
            ...base(n, b.market, b.at),
            source_sequence: null,
            price_unit: 'probability',
            bids: b.bids.map(([price, quantity]) => ({ price, quantity })),
            asks: [],
            asks_derived: false,
            overround: null,
          }),
        ),
        trades: trades.map(
          (t, n): TradeRecord => ({
            ...base(n, t.market, t.at),
            price: t.price,
            quantity: '1',
            aggressor_side: 'BUY',
            source_trade_id: t.id,
            source_sequence: null,
            correction_kind: null,
          }),
        ),
        references: markets.map((m, n) =>
          referenceOf(m, { file, line: n + 1, venue_id, received_at, source_at: received_at }),
        ),
        hazards: alerts.map((a, n) => alertOf(a, { file, line: n + 1, received_at })),
      }
    },
  }
}

const EMPTY_BOOK = {
  bid: null,
  ask: null,
  bid_depth: null,
  ask_depth: null,
  last_trade: null,
  last_trade_at: null,
  source_sequence: null,
  confirmed_at: null,
}

type Place = Pick<ReferenceRecord, 'file' | 'line' | 'venue_id' | 'received_at' | 'source_at'>

function referenceOf(m: NonNullable<TinyBody['markets']>[number], place: Place): ReferenceRecord {
  return {
    ...place,
    source_series_id: null,
    source_event_id: m.event,
    source_market_id: m.market,
    title: m.title,
    event_title: m.event,
    description: m.about ?? null,
    category: null,
    status: 'open',
    outcome_type: 'binary',
    outcomes: ['YES', 'NO'],
    resolution_question: null,
    resolution_criteria: null,
    source_url: null,
    trading: null,
    opens_at: null,
    closes_at: null,
    expected_resolution_at: null,
  }
}

/** A hazard record of the tiny reader. */
export function alertOf(
  a: NonNullable<TinyBody['alerts']>[number],
  place: Pick<HazardRecord, 'file' | 'line' | 'received_at'>,
): HazardRecord {
  return {
    ...place,
    venue_id: 'gdacs',
    source_event_id: a.event,
    source_version_id: null,
    aliases: ['b', 'a'],
    hazard_type: 'flood',
    title: a.title ?? a.event,
    alert_level: a.level,
    alert_score: '1.50',
    episode_alert_level: null,
    severity_value: '12.3456789012345678',
    severity_unit: 'km2',
    population_value: null,
    population_unit: null,
    vulnerability_value: null,
    countries: ['X', 'Y'],
    longitude: '1.0',
    latitude: '-2.50',
    depth_km: null,
    review_status: null,
    is_current: true,
    is_temporary: null,
    is_clock_ahead: false,
    started_at: toMicros('2026-01-01T00:00:00Z'),
    ended_at: null,
    measures: { sig: '12', mmi: '0' },
    source_url: null,
    source_at: toMicros(a.at),
  }
}
