import { idField, optionalText } from '../json-fields.ts'
import { type JsonTextObject, objectOf } from '../json-text.ts'
import { listField, readEach } from './lists.ts'
import type { KalshiMemory, Reading } from './memory.ts'

/** `GET /series`: `{series[]}`. A series is no record of its own: its category is kept for its markets. */
export function readSeriesList(body: JsonTextObject, reading: Reading): void {
  readEach(reading, listField(body, 'series'), 'series', (series) => remember(series, reading.memory))
}

/** `GET /series/{series_ticker}`: `{series}`. */
export function readSeries(body: JsonTextObject, reading: Reading): void {
  remember(objectOf(body.series), reading.memory)
}

function remember(series: JsonTextObject, memory: KalshiMemory): void {
  const ticker = idField(series, 'ticker')
  const category = optionalText(series, 'category')
  if (category !== null) memory.categories.set(ticker, category)
}
