import { expect, test } from 'vitest'
import { plainNumber } from '../../../../pipelines/text/plain-number.ts'
import { createManifoldReader } from '../../../../pipelines/venues/manifold/manifold-reader.ts'
import { Decimal } from '../../../../primitives/decimal.ts'
import { fuzzReader } from '../../../support/fuzz-reader.ts'
import { SEED } from '../../../support/seed.ts'
import { sized } from '../../../support/sized.ts'
import { NOW, venuePayload } from '../../../support/venue-payload.ts'

const AT = '2022-08-03T00:00:00Z'
const MARKET = {
  id: 'EvIhzcJXwhL0HavaszD7',
  creatorUsername: 'someone',
  createdTime: 1653850472294,
  closeTime: 1653893940000,
  question: 'Will it rain?',
  url: 'https://manifold.markets/someone/will-it-rain',
  pool: 146.73022894879944,
  probability: 0.8958175225896258,
  outcomeType: 'BINARY',
  isResolved: true,
  resolution: 'MKT',
  resolutionProbability: 0.45530000000000004,
  resolutionTime: 1653924077078,
}
const ANSWERS = [
  { id: 'a1', text: 'Red', probability: 0.67, resolutionProbability: 0.25 },
  { id: 'a2', text: 'Blue', probability: 0.32, resolutionProbability: 0.75 },
]
const BET = {
  id: 'yXB8lVbs86TKkhWA1FVi',
  contractId: 'Tz5dA01GkK5QKiQfZeDL',
  userId: 'u1',
  amount: 15.596681605353808,
  shares: 31.193363210707616,
  outcome: 'YES',
  fees: { creatorFee: 0.425, liquidityFee: 0, platformFee: 0 },
  probBefore: 0.5730753474948571,
  probAfter: 0.5730753474948571,
  limitProb: 0.5,
  orderAmount: 100,
  createdTime: 1659482775970,
  fills: [{ timestamp: 1659483249648, matchedBetId: 'x', amount: 15.596681605353808, shares: 31.193363210707616 }],
}

const payloads = [
  venuePayload(
    'manifold',
    'GET /v0/markets',
    [MARKET, { ...MARKET, isResolved: false, lastBetTime: 1653900000000 }],
    AT,
  ),
  venuePayload('manifold', 'GET /v0/market/{id}', { ...MARKET, outcomeType: 'MULTIPLE_CHOICE', answers: ANSWERS }, AT),
  venuePayload('manifold', 'GET /v0/bets', [BET, { ...BET, id: 'b2', outcome: 'NO', answerId: 'a1' }], AT),
  venuePayload(
    'manifold',
    'ws global/new-bet',
    { type: 'broadcast', topic: 'global/new-bet', data: { bets: [BET] } },
    AT,
  ),
  venuePayload(
    'manifold',
    'GET /v0/market-probs',
    { m1: { prob: 0.62 }, m2: { answerProbs: { a1: 0.67, a2: 0.33 } } },
    AT,
  ),
  venuePayload('manifold', 'GET /v0/market/{id}/prob', { prob: 0.62 }, AT, '/v0/market/m1/prob'),
]

const CASES = sized(500, 15_000)

test(`${CASES} mutated payloads: nothing is thrown, and no price, time or zero that cannot be`, () => {
  const counts = fuzzReader(
    payloads,
    () => createManifoldReader(NOW),
    CASES,
    SEED,
    ({ quotes = [], resolutions = [] }) => {
      for (const { raw_value, reported_probability } of quotes) {
        const written = new Decimal(plainNumber(raw_value!))
        if (written.minus(reported_probability!).abs().gt('0.0000000005'))
          expect.fail(`${raw_value} became ${reported_probability}`)
      }
      for (const { finality, payouts } of resolutions) {
        const total = payouts.reduce((sum, { payout }) => sum.plus(payout), new Decimal(0))
        expect(total.toFixed()).toBe(finality === 'final' ? '1' : '0')
      }
    },
  )
  expect(counts.read).toBeGreaterThan(CASES / 5)
  expect(counts.refused).toBeGreaterThan(CASES / 5)
}, 300_000)
