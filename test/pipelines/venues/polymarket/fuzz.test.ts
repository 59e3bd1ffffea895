import { expect, test } from 'vitest'
import { publicPayload } from '../../../../pipelines/venues/polymarket/public-payload.ts'
import type { VenuePayload } from '../../../../pipelines/venues/record.ts'
import { mutatePayload } from '../../../support/mutate-payload.ts'
import { pick, seededRandom } from '../../../support/random.ts'
import { SEED } from '../../../support/seed.ts'
import { sized } from '../../../support/sized.ts'
import { brokenRules } from './support/check-records.ts'
import {
  AT,
  CONDITION,
  change,
  clobBook,
  gammaMarket,
  knowingReader,
  lastTrade,
  ms,
  NO_TOKEN,
  newTrade,
  OTHER_CONDITION,
  oldTrade,
  payload,
  priceChange,
  UP_TOKEN,
  upDownMarket,
  YES_TOKEN,
} from './support/payloads.ts'

const CASES = sized(500, 15_000)
/** Mutated payloads that one reader reads after another, so that faults of one meet what it remembers of others. */
const CASES_PER_READER = 25

const history = { history: [0.5, 0.0005, 0.30350000000000005].map((p, i) => ({ t: 1790852402 + i, p })) }
const tokens = [
  { token_id: YES_TOKEN, outcome: 'Yes', price: 1, winner: true },
  { token_id: NO_TOKEN, outcome: 'No', price: 0, winner: false },
]
const yes_best = { best_bid: '0.302', best_ask: '0.305' }
const stream = [
  clobBook({ event_type: 'book' }),
  clobBook({ event_type: 'book', asset_id: NO_TOKEN, bids: [], asks: [] }),
  priceChange([change('BUY', '0.302', '5', yes_best), change('SELL', '0.698', '5', { asset_id: NO_TOKEN })]),
  lastTrade(),
  { event_type: 'best_bid_ask', market: CONDITION, asset_id: NO_TOKEN, ...yes_best, timestamp: ms(3) },
  {
    event_type: 'tick_size_change',
    asset_id: UP_TOKEN,
    market: OTHER_CONDITION,
    new_tick_size: '0.001',
    timestamp: ms(4),
  },
  {
    event_type: 'market_resolved',
    market: CONDITION,
    winning_asset_id: YES_TOKEN,
    winning_outcome: 'Yes',
    timestamp: ms(5),
  },
]

/** One payload of every endpoint and kind of message, all of them sound. */
const SOUND: readonly VenuePayload[] = [
  payload('GET /markets', [gammaMarket(), upDownMarket({ umaResolutionStatus: 'proposed' })]),
  payload('GET /markets', [
    gammaMarket({ closed: true, outcomePrices: '["1", "0"]', closedTime: '2026-09-30 00:00:16+00' }),
  ]),
  payload('GET /events', [{ id: '23', title: 'Two weathers', markets: [gammaMarket(), upDownMarket()] }]),
  payload('GET /book', clobBook()),
  payload('POST /books', [clobBook(), clobBook({ asset_id: NO_TOKEN })]),
  payload('GET /markets/{condition_id}', { condition_id: CONDITION, closed: true, is_50_50_outcome: false, tokens }),
  payload('GET /prices-history', history, { request: `/prices-history?market=${YES_TOKEN}` }),
  payload('GET /trades', [oldTrade(), oldTrade({ asset: NO_TOKEN, side: 'SELL' })]),
  payload('GET /trades', { data: [newTrade(), newTrade()], pagination: { limit: 2, offset: 0, has_more: false } }),
  payload('ws market', stream),
  ...stream.map((message) => payload('ws market', message)),
]

test('the sound payloads give records and no refusal', () => {
  const read = knowingReader()
  for (const { endpoint, text, request } of SOUND) {
    const found = read(endpoint, text, { request })
    expect([endpoint, found.quarantine, brokenRules(found)]).toEqual([endpoint, [], []])
  }
})

test(`${CASES} mutated payloads: nothing is thrown, no price outside [0, 1], no zero for missing, no implausible time`, () => {
  const random = seededRandom(SEED)
  let [read, taken, refused] = [knowingReader(), 0, 0]
  for (let i = 0; i < CASES; i += 1) {
    if (i % CASES_PER_READER === 0) read = knowingReader()
    const { endpoint, text, request } = pick(SOUND, random)
    const mutated = mutatePayload(text, random)
    const found = read(endpoint, mutated, { request, received_at: AT + i })
    expect(brokenRules(found), `case ${i}: ${endpoint} ${mutated}`).toEqual([])
    refused += found.quarantine.length
    taken += found.quotes.length + found.trades.length + found.books.length + found.resolutions.length
  }
  expect(refused).toBeGreaterThan(CASES / 4)
  expect(taken).toBeGreaterThan(CASES / 4)
})

test('mutated trade lists: the payload that may be kept gives the same records and names no account', () => {
  const random = seededRandom(SEED + 1)
  const lists = SOUND.filter(({ endpoint }) => endpoint === 'GET /trades')
  for (let i = 0; i < 1_000; i += 1) {
    const { endpoint, text } = pick(lists, random)
    const mutated = mutatePayload(text, random)
    const kept = publicPayload(payload(endpoint, mutated)).payload.text
    expect(knowingReader()(endpoint, kept), mutated).toEqual(knowingReader()(endpoint, mutated))
    expect(kept).not.toMatch(/"(name|bio|profileImage|pseudonym|proxy_?[wW]allet)":/)
  }
})
