import { idField, optionalText } from '../../text/json-fields.ts'
import { type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import { listField, readEach } from './lists.ts'
import type { KalshiMemory, Reading } from './memory.ts'

/** `GET /series`: `{series[]}`. A series is no record of its own: its category and settlement sources are kept for its markets. */
export function readSeriesList(body: JsonTextObject, reading: Reading): void {
  readEach(reading, listField(body, 'series'), 'series', (series) => remember(series, reading.memory))
}

/** `GET /series/{series_ticker}`: `{series}`. */
export function readSeries(body: JsonTextObject, reading: Reading): void {
  remember(objectOf(body.series), reading.memory)
}

function remember(series: JsonTextObject, memory: KalshiMemory): void {
  const ticker = idField(series, 'ticker')
  const known = memory.series.get(ticker)
  const sources = sourcesOf(series)
  memory.series.set(ticker, {
    category: optionalText(series, 'category') ?? known?.category ?? null,
    resolution_sources: sources.length > 0 ? sources : (known?.resolution_sources ?? []),
  })
}

/** Addresses of the settlement sources; of one without an address its name. */
function sourcesOf(series: JsonTextObject): string[] {
  return listOf(series.settlement_sources)
    .map(objectOf)
    .map((source) => optionalText(source, 'url') ?? optionalText(source, 'name'))
    .filter((source) => source !== null)
}
