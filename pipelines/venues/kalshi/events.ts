import { idField, optionalText } from '../../text/json-fields.ts'
import { type JsonTextObject, objectOf } from '../../text/json-text.ts'
import { readGroup } from '../read-payload.ts'
import { isCombo } from './combos.ts'
import { countEach, listField, readEachGroup } from './lists.ts'
import { readMarketList } from './markets.ts'
import type { KalshiMemory, Reading } from './memory.ts'
import { scheduleField } from './times.ts'

/** Reads `GET /events`, `GET /events/multivariate`: `{cursor, events[], milestones[]}`; an event may nest its markets. */
export function readEvents(body: JsonTextObject, reading: Reading): void {
  readEachGroup(reading, listField(body, 'events'), 'events', 'CONTEXT_ONLY', (event, path) =>
    readOne(event, `${path}.markets`, reading),
  )
  if (Array.isArray(body.milestones)) countEach(reading, body.milestones, 'NO_MARKET_DATA')
}

/** Reads `GET /events/{event_ticker}`: `{event, markets[]}`, or the markets nested in the event. */
export function readEvent(body: JsonTextObject, reading: Reading): void {
  const event = objectOf(body.event)
  readGroup(reading.out, reading.payload.file, 'event', 'CONTEXT_ONLY', () => {
    readOne(event, 'event.markets', reading)
    if (body.markets !== undefined && event.markets === undefined) {
      readMarketList(listField(body, 'markets'), 'markets', reading)
    }
  })
}

function readOne(event: JsonTextObject, path: string, reading: Reading): void {
  if (isCombo(event)) {
    const markets = Array.isArray(event.markets) && event.markets.length > 0 ? event.markets : [null]
    countEach(reading, markets, 'COMBINATION')
    return
  }
  rememberEvent(event, reading.memory)
  if (event.markets !== undefined) readMarketList(listField(event, 'markets'), path, reading)
}

/** Keeps an event's texts for its markets; an absent text leaves the former one. */
export function rememberEvent(event: JsonTextObject, memory: KalshiMemory): void {
  const event_ticker = idField(event, 'event_ticker')
  const known = memory.events.get(event_ticker)
  memory.events.set(event_ticker, {
    title: optionalText(event, 'title') ?? known?.title ?? null,
    sub_title: optionalText(event, 'sub_title') ?? known?.sub_title ?? null,
    category: optionalText(event, 'category') ?? known?.category ?? null,
    series_ticker: optionalText(event, 'series_ticker') ?? known?.series_ticker ?? null,
    strike_at: scheduleField(event, 'strike_date') ?? known?.strike_at ?? null,
  })
}
