import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Counts the records of the recorded data sets without the code under test, by the rules of docs/archives.md "The report". */

type Json = Readonly<Record<string, unknown>>
type CountFile = (text: string, name: string) => number

const NOT_DATA = /^(?:README|LICENSE|NOTICE)/

/** Counts of the records of a set, by file of a folder that holds it. */
export function recordsIn(set: string, dir: string): ReadonlyMap<string, number> {
  const count = COUNTS[set]
  if (count === undefined) throw new TypeError(`nobody says what a record of ${set} is`)
  return new Map(
    readdirSync(dir).map((name) => {
      const bytes = readFileSync(join(dir, name))
      const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
      return [name, NOT_DATA.test(name) ? 1 : count(text, name)]
    }),
  )
}

const COUNTS: Readonly<Record<string, CountFile>> = {
  forecastbench: (text, name) => linesOf(text).length - (name.includes('.csv') ? 1 : 0),
  // One market's part of a message; a message without any, and a catalogue, are one record.
  betfair_stream: (text, name) =>
    name.startsWith('catalogue') ? 1 : sum(linesOf(text).map((line) => listIn(JSON.parse(line), 'mc').length || 1)),
  gdacs_rss: (text) => text.split('<item>').length - 1,
  usgs_geojson: (text) => listIn(JSON.parse(text), 'features').length,
  predictit_api: (text) => listIn(JSON.parse(text), 'contracts').length,
  manifold_docs: (text) => {
    const answer: unknown = JSON.parse(text)
    return Array.isArray(answer) ? answer.length : Object.keys(answer as Json).length
  },
  kalshi_v2_recorded: (text) => ofKalshi((JSON.parse(text) as { response: Json }).response),
}

/** Lists of an answer whose elements are records; of an event each of its markets. Any other answer is one record. */
function ofKalshi(answer: Json): number {
  const { event } = answer as { event?: Json }
  if (event !== undefined) return listIn(answer, 'markets').length || listIn(event, 'markets').length || 1
  const lists = ['markets', 'events', 'trades', 'candlesticks', 'market_candlesticks', 'series']
  const found = lists.map((name) => listIn(answer, name)).find((list) => list.length > 0)
  return found === undefined ? 1 : sum(found.map(candlesIn))
}

/** A list of markets or events may hold lists: the candles of each market, the markets of each event. */
function candlesIn(element: unknown): number {
  if (Array.isArray(element)) return element.length
  return listIn(element as Json, 'candlesticks').length || listIn(element as Json, 'markets').length || 1
}

function listIn(value: Json, field: string): readonly unknown[] {
  const list = value[field]
  return Array.isArray(list) ? list : []
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
