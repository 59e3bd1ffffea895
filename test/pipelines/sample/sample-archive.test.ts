import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SAMPLE_SEED } from '../../../operations/make-sample-archive.ts'
import { parseDefinition } from '../../../pipelines/index/definition.ts'
import { makeSampleFiles } from '../../../pipelines/sample/sample-archive.ts'
import { SAMPLE } from '../../../pipelines/sample/sample-markets.ts'
import { rememberingReaders } from '../../../pipelines/venues/fields.ts'
import { parseForecastbenchValue } from '../../../pipelines/venues/forecastbench.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { ROOT } from '../../support/source-files.ts'

const files = makeSampleFiles(SAMPLE_SEED)
const rows = files.values_csv.trimEnd().split('\n').slice(1)
const NOW = toMicros('2026-01-01T00:00:00Z')
const read = rememberingReaders()
const records = rows.map((text, n) => {
  const parsed = parseForecastbenchValue({ file: 'values', line: n + 2, text, fields: text.split(',') }, read, NOW)
  return 'record' in parsed ? parsed.record : null
})

test('the seed decides every byte, as datasets/sample/metadata.json records', () => {
  const metadata = JSON.parse(readFileSync(join(ROOT, 'datasets/sample/metadata.json'), 'utf8'))
  const texts = { 'market_values_bitemporal.csv': files.values_csv, 'market_questions.jsonl': files.questions_jsonl }
  expect(metadata.seed).toBe(SAMPLE_SEED)
  const described = Object.entries(texts).map(([name, text]) => [
    name,
    { sha256: sha256Hex(text), bytes: Buffer.byteLength(text), lines: text.split('\n').length - 1 },
  ])
  expect(metadata.files).toEqual(Object.fromEntries(described))
  expect(makeSampleFiles(SAMPLE_SEED)).toEqual(files)
  expect(makeSampleFiles(SAMPLE_SEED + 1)).not.toEqual(files)
})

test('every row is a valid record, in the order of publication', () => {
  expect(records).not.toContain(null)
  const instants = records.map((record) => record!.received_at)
  expect(instants).toEqual(instants.toSorted((a, b) => a - b))
  const keys = records.map((r) => [r!.source_series_id, r!.source_market_id, r!.source_at, r!.received_at].join())
  expect(new Set(keys).size).toBe(keys.length)
})

test('it shows what an archive can have: gaps, revisions, resolutions and one corrected payout', () => {
  for (const set of SAMPLE.question_sets) {
    const published = records.filter((record) => record!.source_series_id === set).map((record) => record!.received_at)
    const days = new Set(published.map((at) => Math.floor(at / 86_400e6)))
    expect(Math.max(...days) - Math.min(...days) + 1 - days.size).toBeGreaterThan(0)
  }
  expect(rows.filter((row) => row.endsWith(',revised')).length).toBeGreaterThan(10)
  const finals = records.filter((record) => record!.is_final)
  const chains = new Map<string, (string | null)[]>()
  for (const { source_series_id, source_market_id, raw_value } of finals.map((record) => record!)) {
    const chain = `${source_series_id} ${source_market_id}`
    chains.set(chain, [...(chains.get(chain) ?? []), raw_value])
  }
  expect(chains.size).toBeGreaterThan(10)
  expect([...chains.values()].filter((payouts) => payouts.length > 1)).toEqual([['0.0', '1.0']])
})

describe('index definitions of the sample', () => {
  test.each(['harbor-gauge.yaml', 'coast-chain.yaml'])('%s names instruments of the sample', (name) => {
    const text = readFileSync(join(ROOT, 'datasets/sample/definitions', name), 'utf8')
    const { versions } = parseDefinition(text, name)
    const known = new Set(records.map((r) => [r!.venue_id, r!.source_series_id, r!.source_market_id].join()))
    const named = versions.flatMap(({ file }) => file.constituents)
    expect(named.length).toBeGreaterThan(0)
    for (const leg of named) {
      expect(known).toContain([leg.venue_id, leg.source_series_id, leg.source_market_id].join())
    }
  })
})
