import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createManifoldReader } from '../../../../pipelines/venues/manifold/manifold-reader.ts'
import { toMicros } from '../../../../primitives/instants.ts'
import { recordedData } from '../../../support/recorded-data.ts'
import { NOW, recordsOf, venuePayload } from '../../../support/venue-payload.ts'

const READ_AT = '2026-07-24T12:00:00Z'
const millis = (instant: string) => toMicros(instant) / 1000

const BINARY = {
  id: 'abc',
  creatorId: 'user9',
  creatorUsername: 'Austin',
  creatorName: 'Austin C',
  createdTime: millis('2026-07-01T00:00:00Z'),
  closeTime: millis('2026-08-01T00:00:00Z'),
  question: 'Will it rain?',
  url: 'https://manifold.markets/Austin/will-it-rain',
  pool: { YES: 100, NO: 300 },
  probability: 0.75,
  outcomeType: 'BINARY',
  mechanism: 'cpmm-1',
  volume: 241,
  volume24Hours: 7,
  totalLiquidity: 400,
  isResolved: false,
  lastBetTime: millis('2026-07-24T11:00:00Z'),
  token: 'MANA',
}

const ANSWERS = [
  { id: 'a1', text: 'Red', probability: 0.5 },
  { id: 'a2', text: 'Blue', probability: 0.3 },
  { id: 'a3', text: 'Green', probability: 0.4 },
]
const { probability: _, ...without_probability } = BINARY
const MULTI = { ...without_probability, outcomeType: 'MULTIPLE_CHOICE', answers: ANSWERS, shouldAnswersSumToOne: true }

const resolved = (fields: object) => ({
  ...BINARY,
  isResolved: true,
  resolutionTime: millis('2026-07-24T11:30:00Z'),
  ...fields,
})

function reader() {
  const { read } = createManifoldReader(NOW)
  return {
    read: (market: unknown, received_at = READ_AT) =>
      read(venuePayload('manifold', 'GET /v0/market/{id}', market, received_at)),
  }
}
const readMarket = (market: unknown, received_at = READ_AT) => reader().read(market, received_at)

describe('a market with one probability', () => {
  test('is quoted once, as YES, at the time of the last bet, confirmed by the read', () => {
    const { quotes } = readMarket(BINARY)
    expect(quotes).toMatchObject([
      {
        source_market_id: 'abc',
        outcome: 'YES',
        reported_probability: '0.750000000',
        raw_value: '0.75',
        source_at: toMicros('2026-07-24T11:00:00Z'),
        is_final: false,
        book: { bid: null, ask: null, last_trade: null, confirmed_at: toMicros(READ_AT) },
      },
    ])
  })

  test('an unchanged value with a fresh receive time is fresh (P17): only received_at and confirmed_at move', () => {
    const [first] = readMarket(BINARY).quotes!
    const [later] = readMarket(BINARY, '2026-07-24T12:10:00Z').quotes!
    expect(later).toEqual({
      ...first,
      received_at: toMicros('2026-07-24T12:10:00Z'),
      book: { ...first!.book, confirmed_at: toMicros('2026-07-24T12:10:00Z') },
    })
  })

  test.each([
    ['0.12345678949999999', '0.123456789'],
    ['0.1234567885', '0.123456788'],
    ['0.1234567895', '0.123456790'],
    ['0.45530000000000004', '0.455300000'],
    ['1.5e-7', '0.000000150'],
  ])('probabilities are doubles in text: %s becomes %s, half even, and the raw text is kept (P9)', (raw, rounded) => {
    const text = JSON.stringify(BINARY).replace('"probability":0.75', `"probability":${raw}`)
    expect(readMarket(text).quotes).toMatchObject([{ reported_probability: rounded, raw_value: raw }])
  })

  test.each([[null], [undefined], ['']])('a probability of %j is missing, not 0', (probability) => {
    expect(readMarket({ ...BINARY, probability }).quotes).toBeUndefined()
  })

  test.each([
    [1.0000000001, 'VALUE_OUT_OF_RANGE'],
    [-0.1, 'VALUE_OUT_OF_RANGE'],
    ['NaN', 'BAD_VALUE'],
    [true, 'BAD_VALUE'],
  ])('a probability of %j is quarantined and the description is still read', (probability, reason) => {
    const { quotes, references, quarantine } = readMarket({ ...BINARY, probability })
    expect(quotes).toBeUndefined()
    expect(references).toHaveLength(1)
    expect(quarantine).toMatchObject([{ file: 'payload.json', line: 1, path: '$', reason }])
  })

  test('probability is read for PSEUDO_NUMERIC too', () => {
    const { quotes, references } = readMarket({ ...BINARY, outcomeType: 'PSEUDO_NUMERIC', value: 40, min: 0, max: 100 })
    expect(quotes).toMatchObject([{ outcome: 'YES', reported_probability: '0.750000000' }])
    expect(references).toMatchObject([{ outcome_type: 'binary' }])
  })

  test('pool may be a number or an object; neither it nor the volume of all time is read', () => {
    const as_object = readMarket(BINARY)
    expect(readMarket({ ...BINARY, pool: 146.73022894879944, volume: 9e9 })).toEqual(as_object)
    expect(JSON.stringify(as_object)).not.toContain('241')
  })

  test('no name or id of who asked is kept, not even in the address', () => {
    const text = JSON.stringify(readMarket(BINARY))
    expect(text).not.toMatch(/Austin|user9/)
    expect(text).toContain('https://manifold.markets/market/will-it-rain')
  })
})

describe('status and schedule', () => {
  test.each([
    ['open before its close time', BINARY, 'open'],
    [
      'closed where closeTime is past and nobody resolved it',
      { ...BINARY, closeTime: millis('2026-07-20T00:00:00Z') },
      'closed',
    ],
    ['open where closeTime is null', { ...BINARY, closeTime: null }, 'open'],
    ['resolved', resolved({ resolution: 'NO' }), 'resolved'],
    ['voided by CANCEL', resolved({ resolution: 'CANCEL' }), 'voided'],
  ])('is %s', (_name, market, status) => {
    expect(readMarket(market).references).toMatchObject([{ status }])
  })

  test.each([[8_640_000_000_000_000], [-62_135_596_800_000], ['soon'], [1.5]])(
    'a close time of %j is odd, and none',
    (closeTime) => {
      expect(readMarket({ ...BINARY, closeTime }).references).toMatchObject([{ closes_at: null, status: 'open' }])
    },
  )

  test('a close time of 2099 is allowed (P10)', () => {
    const closeTime = millis('2099-12-31T00:00:00Z')
    expect(readMarket({ ...BINARY, closeTime }).references).toMatchObject([{ closes_at: closeTime * 1000 }])
  })

  test('titles are mutable, never keys (P12)', () => {
    const [before] = readMarket(BINARY).references!
    const [after] = readMarket({ ...BINARY, question: 'Will it pour?', url: 'https://manifold.markets/x/y' })
      .references!
    expect([after!.source_market_id, after!.source_event_id]).toEqual([
      before!.source_market_id,
      before!.source_event_id,
    ])
    expect(after!.title).toBe('Will it pour?')
  })

  test.each([
    ['in the future of its receipt', millis('2026-07-24T12:00:01Z'), 'SOURCE_AFTER_RECEIVED'],
    ['in seconds', 1_753_355_000, 'BAD_DATE'],
    ['of the year 2100', millis('2100-01-01T00:00:00Z'), 'BAD_DATE'],
    ['that is no number', 'yesterday', 'BAD_DATE'],
  ])('a last bet %s is quarantined', (_name, lastBetTime, reason) => {
    const { quotes, quarantine } = readMarket({ ...BINARY, lastBetTime })
    expect(quotes).toBeUndefined()
    expect(quarantine).toMatchObject([{ reason }])
  })
})

describe('a market with several answers', () => {
  test('has an outcome an answer; they need not sum to 1 and are not made to', () => {
    const { quotes, references } = readMarket(MULTI)
    expect(quotes!.map(({ outcome, reported_probability }) => [outcome, reported_probability])).toEqual([
      ['a1', '0.500000000'],
      ['a2', '0.300000000'],
      ['a3', '0.400000000'],
    ])
    expect(references).toMatchObject([{ outcome_type: 'categorical', outcomes: ['a1', 'a2', 'a3'] }])
  })

  test('an answer is named by its id: its text may change', () => {
    const renamed = { ...MULTI, answers: ANSWERS.map((answer) => ({ ...answer, text: 'other' })) }
    expect(readMarket(renamed).quotes).toEqual(readMarket(MULTI).quotes)
  })

  test('one bad answer is quarantined, not its siblings', () => {
    const answers = [{ ...ANSWERS[0], probability: 7 }, ANSWERS[1], ANSWERS[2]]
    const { quotes, quarantine } = readMarket({ ...MULTI, answers })
    expect(quotes!.map(({ outcome }) => outcome)).toEqual(['a2', 'a3'])
    expect(quarantine).toMatchObject([{ reason: 'VALUE_OUT_OF_RANGE' }])
  })

  test('a list of markets has no answers: such a market says nothing there, nor does a poll or a bounty', () => {
    const { answers: _answers, ...lite } = MULTI
    const list = [lite, { ...BINARY, outcomeType: 'POLL' }, { ...BINARY, outcomeType: 'BOUNTIED_QUESTION' }]
    expect(
      recordsOf(createManifoldReader(NOW).read(venuePayload('manifold', 'GET /v0/markets', list, READ_AT))),
    ).toEqual({})
  })
})

describe('resolution', () => {
  const payoutsOf = (market: unknown) =>
    readMarket(market).resolutions?.map(({ finality, payouts }) => [
      finality,
      Object.fromEntries(payouts.map(({ outcome, payout }) => [outcome, payout])),
    ])

  test.each([
    ['YES', {}, { YES: '1.000000000', NO: '0.000000000' }],
    ['NO', {}, { YES: '0.000000000', NO: '1.000000000' }],
    ['MKT', { resolutionProbability: 0.3333333333 }, { YES: '0.333333333', NO: '0.666666667' }],
  ])('%s is final with payouts', (resolution, fields, payouts) => {
    expect(payoutsOf(resolved({ resolution, ...fields }))).toEqual([['final', payouts]])
  })

  test('MKT without resolutionProbability is quarantined: its payout is not the last probability (P15)', () => {
    const { resolutions, quarantine } = readMarket(resolved({ resolution: 'MKT' }))
    expect(resolutions).toBeUndefined()
    expect(quarantine).toMatchObject([{ reason: 'MISSING_FIELD' }])
  })

  test('CANCEL pays nothing out', () => {
    expect(payoutsOf(resolved({ resolution: 'CANCEL' }))).toBeUndefined()
  })

  test('the last probability stays a quote, not final and not confirmed (P15, P16)', () => {
    const { quotes, resolutions } = readMarket(resolved({ resolution: 'YES' }))
    expect(quotes).toMatchObject([{ reported_probability: '0.750000000', is_final: false, book: null }])
    expect(resolutions).toMatchObject([{ source_at: toMicros('2026-07-24T11:30:00Z'), finality: 'final' }])
  })

  test('one answer wins', () => {
    expect(
      payoutsOf({ ...resolved({ resolution: 'a2' }), ...{ outcomeType: 'MULTIPLE_CHOICE', answers: ANSWERS } }),
    ).toEqual([['final', { a1: '0.000000000', a2: '1.000000000', a3: '0.000000000' }]])
  })

  test('MKT of several answers pays each its share; what rounding loses goes to the largest', () => {
    const shares = ANSWERS.map((answer, n) => ({
      ...answer,
      resolutionProbability: ['0.33333333333', '0.33333333333', '0.33333333334'][n],
    }))
    expect(
      payoutsOf({ ...MULTI, ...resolved({ resolution: 'MKT' }), outcomeType: 'MULTIPLE_CHOICE', answers: shares }),
    ).toEqual([['final', { a1: '0.333333334', a2: '0.333333333', a3: '0.333333333' }]])
  })

  test('shares that do not sum to 1 are quarantined', () => {
    const answers = ANSWERS.map((answer) => ({ ...answer, resolutionProbability: 0.3 }))
    const { resolutions, quarantine } = readMarket({
      ...resolved({ resolution: 'MKT' }),
      outcomeType: 'MULTIPLE_CHOICE',
      answers,
    })
    expect(resolutions).toBeUndefined()
    expect(quarantine).toMatchObject([{ reason: 'PAYOUTS_NOT_ONE' }])
  })

  test('MKT whose shares are not given, as of free responses: resolved, without one set of payouts, and counted', () => {
    const { resolutions, references, quarantine, outcomes } = readMarket({
      ...resolved({ resolution: 'MKT' }),
      outcomeType: 'FREE_RESPONSE',
      answers: ANSWERS,
    })
    expect([resolutions, quarantine]).toEqual([undefined, undefined])
    expect(references).toMatchObject([{ status: 'resolved' }])
    expect(outcomes).toEqual(['taken', 'SHARES_UNSTATED'])
  })

  test('a resolution that names no outcome of the market is quarantined', () => {
    expect(readMarket(resolved({ resolution: 'MAYBE' })).quarantine).toMatchObject([{ reason: 'UNKNOWN_OUTCOME' }])
  })

  test.each([
    ['unresolved again', BINARY, ['withdrawn'], 'open'],
    ['cancelled afterwards', resolved({ resolution: 'CANCEL' }), ['withdrawn'], 'voided'],
    [
      'resolved anew',
      resolved({ resolution: 'NO', resolutionTime: millis('2026-07-24T11:45:00Z') }),
      ['withdrawn', 'final'],
      'resolved',
    ],
    ['read once more', resolved({ resolution: 'YES' }), ['final'], 'resolved'],
  ])('a market can be UNRESOLVED again: one that is %s', (_name, next, finalities, status) => {
    const { read } = reader()
    const [final] = read(resolved({ resolution: 'YES' })).resolutions!
    const { resolutions, references } = read(next, '2026-07-24T13:00:00Z')
    expect(resolutions!.map(({ finality }) => finality)).toEqual(finalities)
    expect(references).toMatchObject([{ status }])
    const withdrawn = resolutions!.find(({ finality }) => finality === 'withdrawn')
    if (withdrawn !== undefined) expect(withdrawn).toMatchObject({ source_at: final!.source_at, payouts: [] })
  })

  test('a withdrawal is recorded once', () => {
    const { read } = reader()
    read(resolved({ resolution: 'YES' }))
    read(BINARY, '2026-07-24T13:00:00Z')
    expect(read(BINARY, '2026-07-24T14:00:00Z').resolutions).toBeUndefined()
  })
})

describe('payloads', () => {
  test.each([
    ['text that is not JSON', '<html>', 'BAD_JSON'],
    ['a list where a market is asked for', '[]', 'UNKNOWN_SHAPE'],
    ['an error message', '{"message":"Contract not found"}', 'MISSING_FIELD'],
  ])('%s gives one item', (_name, text, reason) => {
    expect(recordsOf(readMarket(text))).toMatchObject({
      quarantine: [{ file: 'payload.json', line: 1, path: '$', reason }],
    })
  })

  test('a payload received after now is refused whole', () => {
    expect(readMarket(BINARY, '2027-01-01T00:00:01Z')).toMatchObject({ quarantine: [{ reason: 'RECEIVED_IN_FUTURE' }] })
  })

  test('an endpoint that is not read is refused', () => {
    const payload = venuePayload('manifold', 'GET /v0/users', [], READ_AT)
    expect(createManifoldReader(NOW).read(payload)).toMatchObject({ quarantine: [{ reason: 'UNKNOWN_SHAPE' }] })
  })

  test('a market by its slug is the same market', () => {
    const by_slug = venuePayload('manifold', 'GET /v0/slug/{slug}', BINARY, READ_AT)
    expect(createManifoldReader(NOW).read(by_slug)).toEqual(readMarket(BINARY))
  })

  test('one bad market of a list is quarantined with its place', () => {
    const list = [BINARY, { ...BINARY, id: '' }, { ...BINARY, id: 'def' }]
    const { quotes, quarantine } = createManifoldReader(NOW).read(
      venuePayload('manifold', 'GET /v0/markets', list, READ_AT),
    )
    expect(quotes!.map(({ source_market_id, path }) => [source_market_id, path])).toEqual([
      ['abc', 'markets[0]'],
      ['def', 'markets[2]'],
    ])
    expect(quarantine).toMatchObject([{ file: 'payload.json', line: 2, path: 'markets[1]', reason: 'MISSING_FIELD' }])
  })
})

const folder = recordedData('manifold_docs')

test('the recorded market of 2022: resolved YES at a last probability of 0.8958', () => {
  const text = readFileSync(join(folder, 'lite_market_example.json'), 'utf8')
  const records = createManifoldReader(NOW).read(
    venuePayload('manifold', 'GET /v0/markets', text, '2022-05-31T00:00:00Z'),
  )
  expect(records).toMatchObject({
    quotes: [{ reported_probability: '0.895817523', raw_value: '0.8958175225896258' }],
    references: [
      { status: 'resolved', closes_at: 1_653_893_940_000_000, title: 'Will I write a new blog post today?' },
    ],
    resolutions: [
      { source_at: 1_653_924_077_078_000, payouts: [{ outcome: 'YES', payout: '1.000000000' }, { outcome: 'NO' }] },
    ],
  })
  expect(records.quarantine).toBeUndefined()
  expect(JSON.stringify(records)).not.toContain('Austin')
})
