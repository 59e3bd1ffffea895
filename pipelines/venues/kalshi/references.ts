import type { Micros } from '../../../primitives/instants.ts'
import { BINARY_OUTCOMES } from '../../../vocabulary/market.ts'
import { optionalText } from '../../text/json-fields.ts'
import type { JsonTextObject } from '../../text/json-text.ts'
import { missingField, Quarantined } from '../quarantine.ts'
import type { EventDetails, ReferenceRecord } from '../record.ts'
import type { Base, EventTexts, KalshiMemory, Reading, SeriesFacts } from './memory.ts'
import { tradingOf } from './trading.ts'

const MARKET_TYPES = ['binary', 'scalar']

/** Facts of a market beside its texts. */
export type MarketState = {
  readonly event_ticker: string
  readonly status: ReferenceRecord['status']
  readonly schedule: Schedule
}

/** Times at which a market trades and is expected to end; null = not stated, or implausible. */
type Schedule = Pick<ReferenceRecord, 'opens_at' | 'closes_at' | 'expected_resolution_at'>

/**
 * Records a market and its event. Title and rules come with the market; the event's title and category come with an earlier
 * payload of the event or series. An event without one is named by its ticker, which is stable.
 * @param texts the object with title and rules: a market, or the metadata of a lifecycle message
 */
export function stateMarket({ memory, out }: Reading, base: Base, texts: JsonTextObject, state: MarketState): void {
  const reference = referenceOf(base, texts, state, memory)
  memory.references.set(base.source_market_id, reference)
  out.references.push(reference)
}

/** Records the latest statement about a market with another status and close, otherwise unchanged. */
export function changeMarket(
  { memory, out }: Reading,
  base: Base,
  change: { readonly status: ReferenceRecord['status']; readonly closes_at: Micros | null },
): void {
  const known = memory.references.get(base.source_market_id)
  if (known === undefined) throw new Quarantined('UNKNOWN_MARKET')
  const { status, closes_at } = change
  const reference = { ...known, ...base, status: status ?? known.status, closes_at: closes_at ?? known.closes_at }
  memory.references.set(base.source_market_id, reference)
  out.references.push(reference)
}

function referenceOf(base: Base, texts: JsonTextObject, state: MarketState, memory: KalshiMemory): ReferenceRecord {
  const title = optionalText(texts, 'title') ?? optionalText(texts, 'yes_sub_title')
  if (title === null) throw missingField('title or yes_sub_title')
  const market_type = optionalText(texts, 'market_type')
  if (market_type !== null && !MARKET_TYPES.includes(market_type)) throw new Quarantined('BAD_FLAG')
  const event = memory.events.get(state.event_ticker)
  const series = seriesOf(state.event_ticker, memory)
  const { file, line, path, venue_id, source_series_id, source_market_id, source_at, received_at } = base
  const { opens_at, closes_at, expected_resolution_at } = state.schedule
  // Written out: listings hold thousands of markets, and spreading objects would take as long as parsing them.
  return {
    file,
    line,
    path,
    venue_id,
    source_series_id,
    source_event_id: state.event_ticker,
    source_market_id,
    source_at,
    received_at,
    title,
    event_title: event?.title ?? state.event_ticker,
    description: event?.sub_title ?? null,
    category: optionalText(texts, 'category') ?? event?.category ?? series?.category ?? null,
    status: state.status,
    outcome_type: 'binary',
    outcomes: BINARY_OUTCOMES,
    resolution_question: title,
    resolution_criteria: rulesOf(texts),
    source_url: null,
    ...(series === undefined ? {} : { resolution_sources: series.resolution_sources }),
    trading: tradingOf(texts),
    event_details: detailsOf(event),
    opens_at,
    closes_at,
    expected_resolution_at,
  }
}

function rulesOf(texts: JsonTextObject): string | null {
  const rules = [optionalText(texts, 'rules_primary'), optionalText(texts, 'rules_secondary')]
  const stated = rules.filter((rule) => rule !== null)
  return stated.length === 0 ? null : stated.join('\n\n')
}

const NO_DETAILS: EventDetails = { status: null, starts_at: null, ends_at: null, regions: null, timezone: null }

function detailsOf(event: EventTexts | undefined): EventDetails {
  const ends_at = event?.strike_at ?? null
  return ends_at === null ? NO_DETAILS : { ...NO_DETAILS, ends_at }
}

function seriesOf(event_ticker: string, memory: KalshiMemory): SeriesFacts | undefined {
  const series_ticker = memory.events.get(event_ticker)?.series_ticker ?? event_ticker.split('-')[0]!
  return memory.series.get(series_ticker)
}
