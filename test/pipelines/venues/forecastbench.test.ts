import { describe, expect, test } from 'vitest'
import { rememberingReaders } from '../../../pipelines/text/fields.ts'
import { parseForecastbenchValue, VALUE_COLUMNS } from '../../../pipelines/venues/forecastbench.ts'
import { parseForecastbenchQuestion } from '../../../pipelines/venues/forecastbench-question.ts'
import { toMicros } from '../../../primitives/instants.ts'

const NOW = toMicros('2026-03-01T00:00:00Z')
const GOOD = {
  question_set: '2025-10-26',
  commit: '028d5fb99025',
  published_at: '2025-11-09T01:35:01+00:00',
  source: 'infer',
  market_id: '1401',
  resolution_date: '2025-11-08',
  value: '0.028900000000000002',
  resolved: 'False',
  change: 'new',
}

function parse(changes: Partial<typeof GOOD>) {
  const row = { ...GOOD, ...changes }
  const fields = VALUE_COLUMNS.map((column) => row[column])
  return parseForecastbenchValue(
    { file: 'values.csv', line: 7, text: fields.join(), fields },
    rememberingReaders(),
    NOW,
  )
}

test('a row of the archive, worked', () => {
  expect(parse({})).toEqual({
    record: {
      file: 'values.csv',
      line: 7,
      venue_id: 'infer',
      source_series_id: '2025-10-26',
      source_market_id: '1401',
      outcome: 'YES',
      source_at: toMicros('2025-11-08T00:00:00Z'),
      received_at: toMicros('2025-11-09T01:35:01Z'),
      reported_probability: '0.028900000',
      raw_value: '0.028900000000000002',
      is_final: false,
      text: Object.values(GOOD).join(),
      book: null,
    },
  })
})

test.each([
  ['0', '0.000000000'],
  ['1', '1.000000000'],
  ['1.000', '1.000000000'],
  ['-0.0', '0.000000000'],
  ['0.0000000005', '0.000000000'],
  ['0.0000000015', '0.000000002'],
  ['0.00000000050001', '0.000000001'],
  ['0.9999999999', '1.000000000'],
])('value %s is stored half even as %s', (value, stored) => {
  expect(parse({ value })).toMatchObject({ record: { reported_probability: stored, raw_value: value } })
})

test.each([
  ['2025-11-09T01:35:01Z', '2025-11-09T01:35:01Z'],
  ['2025-11-09T03:35:01+02:00', '2025-11-09T01:35:01Z'],
  ['2025-11-08T20:05:01.250001-05:30', '2025-11-09T01:35:01.250001Z'],
])('published_at %s is %s', (published_at, instant) => {
  expect(parse({ published_at })).toMatchObject({ record: { received_at: toMicros(instant) } })
})

describe('quarantine', () => {
  test.each([
    [{ value: '1e-05' }, 'BAD_VALUE'],
    [{ value: 'nan' }, 'BAD_VALUE'],
    [{ value: 'NaN' }, 'BAD_VALUE'],
    [{ value: '+0.5' }, 'BAD_VALUE'],
    [{ value: '.5' }, 'BAD_VALUE'],
    [{ value: '0.' }, 'BAD_VALUE'],
    [{ value: '00.5' }, 'BAD_VALUE'],
    [{ value: ' 0.5' }, 'BAD_VALUE'],
    [{ value: '0,5' }, 'BAD_VALUE'],
    [{ value: '٠.٥' }, 'BAD_VALUE'],
    [{ value: '' }, 'MISSING_FIELD'],
    [{ value: '1.0000000001' }, 'VALUE_OUT_OF_RANGE'],
    [{ value: '-0.0000000001' }, 'VALUE_OUT_OF_RANGE'],
    [{ value: '50' }, 'VALUE_OUT_OF_RANGE'],
    [{ value: '10' }, 'VALUE_OUT_OF_RANGE'],
    [{ resolved: 'true' }, 'BAD_FLAG'],
    [{ resolved: 'FALSE' }, 'BAD_FLAG'],
    [{ resolved: '' }, 'MISSING_FIELD'],
    [{ change: 'updated' }, 'BAD_FLAG'],
    [{ resolution_date: '2025-02-30' }, 'BAD_DATE'],
    [{ resolution_date: '2025-11-08T00:00:00Z' }, 'BAD_DATE'],
    [{ resolution_date: '08.11.2025' }, 'BAD_DATE'],
    [{ resolution_date: '' }, 'MISSING_FIELD'],
    [{ published_at: '2025-11-09' }, 'BAD_DATE'],
    [{ published_at: '2025-11-09T24:00:00Z' }, 'BAD_DATE'],
    [{ published_at: '2025-11-09T01:35:60Z' }, 'BAD_DATE'],
    [{ published_at: '2025-11-31T01:35:01Z' }, 'BAD_DATE'],
    [{ published_at: '2025-11-09T01:35:01' }, 'BAD_DATE'],
    [{ market_id: '' }, 'MISSING_FIELD'],
    [{ source: '' }, 'MISSING_FIELD'],
    [{ question_set: '' }, 'MISSING_FIELD'],
    [{ market_id: '14\u001f01' }, 'BAD_ID'],
    [{ market_id: '1401 ' }, 'BAD_ID'],
    [{ source: 'in\u0000fer' }, 'BAD_ID'],
    [{ market_id: 'm'.repeat(513) }, 'BAD_ID'],
    [{ resolution_date: '2025-11-10' }, 'SOURCE_AFTER_RECEIVED'],
    [{ published_at: '2026-03-01T00:00:00.000001Z' }, 'RECEIVED_IN_FUTURE'],
  ])('%j is %s', (changes, reason) => {
    expect(parse(changes)).toMatchObject({ reason })
  })

  test('the boundaries themselves are taken', () => {
    expect(parse({ published_at: '2026-03-01T00:00:00Z' })).toHaveProperty('record')
    expect(parse({ published_at: '2025-11-08T00:00:00Z' })).toHaveProperty('record')
    expect(parse({ market_id: 'm'.repeat(512) })).toHaveProperty('record')
  })
})

describe('questions', () => {
  const LINE = {
    question_set: '2025-10-26',
    committed_at: '2025-10-26T00:04:05+00:00',
    id: '7994',
    source: 'metaculus',
    question: 'Will it?',
    resolution_criteria: 'Resolves to the outcome found at the address.',
    background: 'N/A',
    market_info_open_datetime: '2025-09-29',
    market_info_close_datetime: '2040-12-31T20:08:00+00:00',
    market_info_resolution_criteria: 'N/A',
    url: 'https://venue.example/7994',
  }
  const parseLine = (changes: object) =>
    parseForecastbenchQuestion({ file: 'questions.jsonl', line: 3 }, { ...LINE, ...changes }, NOW)

  test('a close date is a plan, never a status; a day means its midnight; N/A means none', () => {
    expect(parseLine({})).toEqual({
      record: {
        file: 'questions.jsonl',
        line: 3,
        venue_id: 'metaculus',
        source_series_id: '2025-10-26',
        source_event_id: '7994',
        source_market_id: '7994',
        source_at: toMicros('2025-10-26T00:04:05Z'),
        received_at: toMicros('2025-10-26T00:04:05Z'),
        title: 'Will it?',
        event_title: 'Will it?',
        description: null,
        category: null,
        status: null,
        outcome_type: 'binary',
        outcomes: ['YES', 'NO'],
        resolution_question: 'Will it?',
        resolution_criteria: 'Resolves to the outcome found at the address.',
        source_url: 'https://venue.example/7994',
        trading: null,
        opens_at: toMicros('2025-09-29T00:00:00Z'),
        closes_at: toMicros('2040-12-31T20:08:00Z'),
        expected_resolution_at: toMicros('2040-12-31T20:08:00Z'),
      },
    })
  })

  test.each([
    [{ question: undefined }, 'MISSING_FIELD'],
    [{ question: 5 }, 'BAD_TEXT'],
    [{ id: null }, 'MISSING_FIELD'],
    [{ id: 7994 }, 'BAD_TEXT'],
    [{ source: 'a\nb' }, 'BAD_ID'],
    [{ background: '\ud800' }, 'BAD_TEXT'],
    [{ committed_at: 'yesterday' }, 'BAD_DATE'],
    [{ committed_at: '2027-01-01T00:00:00Z' }, 'RECEIVED_IN_FUTURE'],
  ])('%j is %s', (changes, reason) => {
    expect(parseLine(changes)).toMatchObject({ reason })
  })

  test('a schedule that is no time is no schedule', () => {
    expect(parseLine({ market_info_close_datetime: 'soon' })).toMatchObject({ record: { closes_at: null } })
  })
})
