import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VALUE_COLUMNS } from '../../pipelines/venues/forecastbench.ts'

/** One row of a ForecastBench archive, short: series, market, day of January 2026, instant of January 2026, value, final. */
export type ShortRow = readonly [
  set: string,
  market: string,
  day: number,
  published: string,
  value: string,
  final?: 'F',
]

/** The CSV line of a short row. The instant is `DDTHH:MM[:SS]`. */
export function valueLine([set, market, day, published, value, final]: ShortRow): string {
  const time = published.length === 8 ? `${published}:00` : published
  const date = `2026-01-${String(day).padStart(2, '0')}`
  return [
    set,
    'abcdef012345',
    `2026-01-${time}+00:00`,
    'v',
    market,
    date,
    value,
    final ? 'True' : 'False',
    'new',
  ].join()
}

/** The JSON line of a market question. */
export function questionLine(set: string, market: string, committed_at: string, changes: object = {}): string {
  const question = `Will ${market} happen?`
  const texts = { question, resolution_criteria: 'It happens.', background: 'N/A', url: `https://v.example/${market}` }
  return JSON.stringify({ question_set: set, committed_at, id: market, source: 'v', ...texts, ...changes })
}

/** Writes an archive with these lines (uncompressed) into a folder and gives the folder. */
export function writeArchive(dir: string, values: readonly string[], questions: readonly string[] = []): string {
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'market_values_bitemporal.csv'), [VALUE_COLUMNS.join(), ...values, ''].join('\n'))
  writeFileSync(join(dir, 'market_questions.jsonl'), questions.map((line) => `${line}\n`).join(''))
  return dir
}
