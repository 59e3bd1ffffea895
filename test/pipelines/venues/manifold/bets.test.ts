import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createIdentities } from '../../../../pipelines/revisions/identities.ts'
import { planRevisions } from '../../../../pipelines/revisions/plan-revisions.ts'
import { tradeRule } from '../../../../pipelines/revisions/trade-revisions.ts'
import { createManifoldReader } from '../../../../pipelines/venues/manifold/manifold-reader.ts'
import { toMicros } from '../../../../primitives/instants.ts'
import { recordedData } from '../../../support/recorded-data.ts'
import { NOW, recordsOf, venuePayload } from '../../../support/venue-payload.ts'

const READ_AT = '2026-07-24T12:00:00Z'
const at = (time: string) => toMicros(`2026-07-24T${time}Z`) / 1000

const BET = {
  id: 'bet1',
  contractId: 'abc',
  userId: 'user9',
  userName: 'Austin',
  outcome: 'YES',
  amount: 10.5,
  shares: 20,
  fees: { creatorFee: 0.25, platformFee: 0.25, liquidityFee: 0 },
  probBefore: 0.48,
  probAfter: 0.52,
  createdTime: at('11:00:00'),
  isFilled: true,
  isCancelled: false,
  fills: [{ timestamp: at('11:00:00'), matchedBetId: null, amount: 10.5, shares: 20 }],
}

const readBets = (bets: unknown, received_at = READ_AT) =>
  recordsOf(createManifoldReader(NOW).read(venuePayload('manifold', 'GET /v0/bets', bets, received_at)))
const tradeOf = (bet: object) => readBets([{ ...BET, ...bet }]).trades?.[0]

describe('the price of a market maker', () => {
  test('is probAfter of the bet, at the time of the bet, and not confirmed', () => {
    expect(readBets([BET]).quotes).toMatchObject([
      {
        source_market_id: 'abc',
        outcome: 'YES',
        reported_probability: '0.520000000',
        raw_value: '0.52',
        source_at: at('11:00:00') * 1000,
        book: null,
      },
    ])
  })

  test('is that of YES on a bet on NO too', () => {
    expect(readBets([{ ...BET, outcome: 'NO' }]).quotes).toMatchObject([{ outcome: 'YES' }])
  })

  test('is that of the answer where the market has several', () => {
    expect(readBets([{ ...BET, answerId: 'a1' }]).quotes).toMatchObject([{ outcome: 'a1' }])
  })

  test('is stated by an unfilled limit order too, whose probBefore = probAfter', () => {
    const order = { ...BET, amount: 0, shares: 0, fills: [], limitProb: 0.4, orderAmount: 100, probAfter: 0.48 }
    const { quotes, trades, quarantine } = readBets([order])
    expect(quotes).toMatchObject([{ reported_probability: '0.480000000' }])
    expect([trades, quarantine]).toEqual([undefined, undefined])
  })
})

describe('the executed part of a bet', () => {
  test('is a trade at (amount - fees) / shares: play money, a share pays 1 mana', () => {
    expect(tradeOf({})).toMatchObject({
      source_trade_id: 'bet1',
      outcome: 'YES',
      price: '0.500000000',
      quantity: '20.000000',
      aggressor_side: 'BUY',
      correction_kind: null,
    })
  })

  test.each([
    [
      'a sale has a negative amount and shares, and its fees are taken off what it brings',
      { amount: -9.5, shares: -20 },
      '0.500000000',
      'SELL',
    ],
    ['without stated fees there were none', { fees: undefined }, '0.525000000', 'BUY'],
    ['a price that does not end is half even to 9 digits', { amount: 1, shares: 3, fees: null }, '0.333333333', 'BUY'],
  ])('%s', (_name, fields, price, aggressor_side) => {
    expect(tradeOf(fields)).toMatchObject({ price, aggressor_side })
  })

  test('on NO is a trade of NO', () => {
    expect(tradeOf({ outcome: 'NO' })).toMatchObject({ outcome: 'NO', price: '0.500000000', aggressor_side: 'BUY' })
  })

  test('on NO of one answer is a trade of the answer at 1 - price on the other side', () => {
    const trade = tradeOf({ outcome: 'NO', answerId: 'a1', amount: 6.5 })
    expect(trade).toMatchObject({ outcome: 'a1', price: '0.700000000', quantity: '20.000000', aggressor_side: 'SELL' })
  })

  test('is at the time of its last fill, and nobody is known to have taken where it rested until then', () => {
    const fills = [BET.fills[0], { timestamp: at('11:20:00'), matchedBetId: 'x', amount: 5, shares: 10 }]
    expect(tradeOf({ fills })).toMatchObject({ source_at: at('11:20:00') * 1000, aggressor_side: null })
  })

  test('further fills are a revision, not a duplicate and not another trade', () => {
    const first = readBets([BET]).trades![0]!
    const fills = [...BET.fills, { timestamp: at('12:20:00'), matchedBetId: 'x', amount: 5, shares: 10 }]
    const grown = readBets([{ ...BET, amount: 15.5, shares: 30, fills }], '2026-07-24T13:00:00Z').trades![0]!
    const again = readBets([{ ...BET, amount: 15.5, shares: 30, fills }], '2026-07-24T13:00:00Z').trades![0]!
    const rule = tradeRule(createIdentities())
    const trades = [first, grown, again]
    expect(planRevisions(trades, trades.map(rule.chainOf), new Map(), rule)).toMatchObject([
      { revision: 1, supersedes_id: null },
      { revision: 2, correction_reason: 'SOURCE_CORRECTION' },
      'duplicate',
    ])
  })

  test('less than a millionth of a share is no trade: a quantity of 0 would look like one', () => {
    expect(tradeOf({ amount: 2e-8, shares: 4e-8, fees: null })).toBeUndefined()
  })

  test('a redemption of opposite shares is neither trade nor price', () => {
    expect(readBets([{ ...BET, isRedemption: true }])).toEqual({})
  })

  test.each([
    ['a price above 1', { amount: 21 }, 'VALUE_OUT_OF_RANGE'],
    ['amount and shares of different signs', { amount: -10 }, 'VALUE_OUT_OF_RANGE'],
    ['more shares than a quantity holds', { amount: 1e12, shares: 2e12 }, 'BAD_VALUE'],
    ['a fill after the receipt', { fills: [{ timestamp: at('12:00:01') }] }, 'SOURCE_AFTER_RECEIVED'],
    ['shares that are no number', { shares: 'many' }, 'BAD_VALUE'],
  ])('%s is quarantined and the price is still read', (_name, fields, reason) => {
    const { quotes, trades, quarantine } = readBets([{ ...BET, ...fields }])
    expect([quotes?.length, trades]).toEqual([1, undefined])
    expect(quarantine).toEqual([{ file: 'payload.json', line: 1, path: 'bets[0]', reason }])
  })

  test.each([
    ['an outcome other than YES and NO', { outcome: '7' }, 'UNKNOWN_OUTCOME'],
    ['no id', { id: null }, 'MISSING_FIELD'],
    ['no time', { createdTime: null }, 'MISSING_FIELD'],
    ['a time of year 1 (P10)', { createdTime: -62_135_596_800_000 }, 'BAD_DATE'],
  ])('%s quarantines the bet, not its siblings', (_name, fields, reason) => {
    const { quotes, quarantine } = readBets([
      { ...BET, ...fields },
      { ...BET, id: 'bet2' },
    ])
    expect(quotes).toHaveLength(1)
    expect(quarantine).toEqual([{ file: 'payload.json', line: 1, path: 'bets[0]', reason }])
  })

  test('no name or id of who bet is kept', () => {
    expect(JSON.stringify(readBets([BET]))).not.toMatch(/user9|Austin/)
  })
})

describe('the websocket', () => {
  const readMessage = (message: unknown, endpoint = 'ws global/new-bet') =>
    createManifoldReader(NOW).read(venuePayload('manifold', endpoint, message, READ_AT))

  test.each([
    ['one bet', BET],
    ['a list of bets', [BET]],
    ['{bets}', { bets: [BET] }],
    ['{bet}', { bet: BET }],
  ])('a broadcast of %s gives what the list of bets gives', (_name, data) => {
    const message = { type: 'broadcast', topic: 'contract/abc/new-bet', data }
    expect(recordsOf(readMessage(message, 'ws contract/{id}/new-bet'))).toEqual(readBets([BET]))
  })

  test('an acknowledgement says nothing', () => {
    expect(recordsOf(readMessage({ type: 'ack', txid: 1, success: true }))).toEqual({})
  })

  test('any other message is refused', () => {
    expect(readMessage({ type: 'hello' })).toMatchObject({ quarantine: [{ reason: 'UNKNOWN_SHAPE' }] })
  })
})

describe('probabilities now', () => {
  const read = (endpoint: string, body: unknown, request: string | null = null) =>
    createManifoldReader(NOW).read(venuePayload('manifold', endpoint, body, READ_AT, request))

  test.each(['/v0/market/9t61v9e7x4/prob', 'https://api.manifold.markets/v0/market/9t61v9e7x4/prob?x=1'])(
    'the body of one does not name its market: the request %s does',
    (request) => {
      expect(read('GET /v0/market/{id}/prob', { prob: 0.62 }, request).quotes).toMatchObject([
        { source_market_id: '9t61v9e7x4', outcome: 'YES', raw_value: '0.62', source_at: toMicros(READ_AT) },
      ])
    },
  )

  test('without a request its market is unknown', () => {
    expect(read('GET /v0/market/{id}/prob', { prob: 0.62 })).toMatchObject({
      quarantine: [{ reason: 'MISSING_FIELD' }],
    })
  })

  test.each([
    ['null is none', { m1: { prob: null } }, undefined, undefined],
    ['neither form is no state', { m1: {} }, undefined, 'UNKNOWN_SHAPE'],
    ['a bad answer leaves the others', { m1: { answerProbs: { a: 2, b: 0.5 } } }, 1, 'VALUE_OUT_OF_RANGE'],
  ])('%s', (_name, body, count, reason) => {
    const { quotes, quarantine } = read('GET /v0/market-probs', body)
    expect([quotes?.length, quarantine?.[0]?.reason]).toEqual([count, reason])
  })
})

const folder = recordedData('manifold_docs')

test('the recorded bets of 2022: a partly filled limit order and a bet on the market maker', () => {
  const { quotes, trades, quarantine } = readBets(
    readFileSync(join(folder, 'bets_example.json'), 'utf8'),
    '2022-08-03T00:00:00Z',
  )
  expect(quarantine).toBeUndefined()
  expect(quotes!.map(({ reported_probability }) => reported_probability)).toEqual(['0.573075347', '0.573075347'])
  expect(trades).toMatchObject([
    { price: '0.500000000', quantity: '31.193363', aggressor_side: null, source_at: 1_659_483_249_648_000 },
    { price: '0.551850882', quantity: '17.350460', aggressor_side: 'BUY', source_at: 1_659_482_757_271_000 },
  ])
  const [limit, average] = trades!.map(({ price }) => price)
  expect(limit, 'a resting order is filled at its limit of 0.5').toBe('0.500000000')
  expect(average! > '0.530435827' && average! < '0.573075348', 'between probBefore and probAfter').toBe(true)
})

test('the recorded batch of probabilities', () => {
  const text = readFileSync(join(folder, 'market_probs_example.json'), 'utf8')
  const { quotes, quarantine } = createManifoldReader(NOW).read(
    venuePayload('manifold', 'GET /v0/market-probs', text, READ_AT),
  )
  expect(quarantine).toBeUndefined()
  expect(quotes!.map((q) => [q.source_market_id, q.outcome, q.raw_value, q.book?.confirmed_at])).toEqual([
    ['9t61v9e7x4', 'YES', '0.62', toMicros(READ_AT)],
    ['ZNlNdzz690', 'answer1', '0.67', toMicros(READ_AT)],
    ['ZNlNdzz690', 'answer2', '0.33', toMicros(READ_AT)],
  ])
})
