import { describe, expect, test } from 'vitest'
import { createManifoldReader } from '../../../../pipelines/venues/manifold/manifold-reader.ts'
import { toMicros } from '../../../../primitives/instants.ts'
import { NOW, venuePayload } from '../../../support/venue-payload.ts'

const READ_AT = '2026-07-24T12:00:00Z'
const millis = (instant: string) => toMicros(instant) / 1000

const ANSWERS = [
  { id: 'a1', text: 'Red', probability: 0.5 },
  { id: 'a2', text: 'Blue', probability: 0.3 },
  { id: 'a3', text: 'Green', probability: 0.4 },
]
const MARKET = {
  ...{ id: 'abc', question: 'Will it rain?', outcomeType: 'MULTIPLE_CHOICE', token: 'MANA', volume: 241 },
  ...{ createdTime: millis('2026-07-01T00:00:00Z'), closeTime: millis('2026-08-01T00:00:00Z') },
  lastBetTime: millis('2026-07-24T11:00:00Z'),
}

const readMarket = (market: unknown) =>
  createManifoldReader(NOW).read(venuePayload('manifold', 'GET /v0/market/{id}', market, READ_AT))

describe('independent answers, each a contract of its own', () => {
  const ENDED_AT = millis('2026-07-24T10:00:00Z')
  /** A market whose answers state the given resolutions; null states none. */
  const market = (is_resolved: boolean, ...resolutions: readonly (object | null)[]) => ({
    ...MARKET,
    shouldAnswersSumToOne: false,
    ...(is_resolved
      ? { isResolved: true, resolution: 'MKT', resolutionTime: millis('2026-07-24T11:30:00Z') }
      : { isResolved: false }),
    answers: resolutions.map((fields, n) => ({
      ...ANSWERS[n],
      ...(fields === null ? {} : { ...fields, resolutionTime: ENDED_AT }),
    })),
  })
  const YES = { resolution: 'YES', resolutionProbability: 1 }
  const NO = { resolution: 'NO', resolutionProbability: 0 }
  const CANCEL = { resolution: 'CANCEL' }
  const SHARE = { resolution: 'MKT', resolutionProbability: 0.25 }

  test.each([
    ['all win', [YES, YES], ['a1 1', 'a2 1']],
    ['none wins', [NO, NO], ['a1 0', 'a2 0']],
    ['one pays a share', [YES, NO, SHARE], ['a1 1', 'a2 0', 'a3 0.25']],
    ['one is cancelled', [CANCEL, YES], ['a2 1']],
  ])('%s: each pays by itself, whatever the sum', (_name, answers, payouts) => {
    const { resolutions, references, quarantine } = readMarket(market(true, ...answers))
    expect(quarantine).toBeUndefined()
    expect(references).toMatchObject([{ status: 'resolved' }])
    expect(resolutions).toMatchObject([{ finality: 'final', source_at: toMicros('2026-07-24T11:30:00Z') }])
    expect(resolutions![0]!.payouts.map(({ outcome, payout }) => `${outcome} ${Number(payout)}`)).toEqual(payouts)
  })

  test.each([
    ['nothing', null, 'MISSING_FIELD'],
    ['another word', { resolution: 'MAYBE' }, 'UNKNOWN_OUTCOME'],
    ['a share without its size', { resolution: 'MKT' }, 'MISSING_FIELD'],
  ])('an answer of a resolved market that states %s is quarantined, not its siblings', (_name, answer, reason) => {
    const { resolutions, quarantine } = readMarket(market(true, answer, NO))
    expect(quarantine).toMatchObject([{ reason }])
    expect(resolutions).toMatchObject([{ payouts: [{ outcome: 'a2', payout: '0.000000000' }] }])
  })

  test.each([
    ['cancelled', market(true, CANCEL, YES), ['taken', 'ANSWER_ALONE']],
    ['resolved while the market is open', market(false, YES, null, NO), ['taken', 'ANSWER_ALONE', 'ANSWER_ALONE']],
    ['resolved with its market', market(true, YES, NO), ['taken']],
    ['void with its market', { ...market(true, CANCEL, CANCEL), resolution: 'CANCEL' }, ['taken']],
  ])('an answer that is %s never goes uncounted', (_name, one, outcomes) => {
    expect(readMarket(one).outcomes).toEqual(outcomes)
  })

  test('while the market is open, no resolution ends it, and a resolved answer is neither confirmed nor moved by bets', () => {
    const { resolutions, references, quotes } = readMarket(market(false, YES, null))
    expect(resolutions).toBeUndefined()
    expect(references).toMatchObject([{ status: 'open' }])
    expect(quotes).toMatchObject([
      { outcome: 'a1', source_at: ENDED_AT * 1000, book: null },
      { outcome: 'a2', source_at: MARKET.lastBetTime * 1000, book: { confirmed_at: toMicros(READ_AT) } },
    ])
  })

  test('a resolved answer that does not say when is not confirmed either', () => {
    const one = { ...market(false, null), answers: [{ ...ANSWERS[0], ...YES }] }
    expect(readMarket(one).quotes).toMatchObject([{ outcome: 'a1', source_at: MARKET.lastBetTime * 1000, book: null }])
  })

  const PROBABILITIES = { answerProbs: { a1: 0.97, a2: 0.3 } }
  test.each([
    ['GET /v0/market-probs', { abc: PROBABILITIES }, '/v0/market-probs?ids=abc'],
    ['GET /v0/market/{id}/prob', PROBABILITIES, '/v0/market/abc/prob'],
  ])(
    '%s gives no price of a resolved answer, until its market says that it is open again',
    (endpoint, body, request) => {
      const reader = createManifoldReader(NOW)
      const tell = (one: object) => reader.read(venuePayload('manifold', 'GET /v0/market/{id}', one, READ_AT))
      const ask = () => reader.read({ ...venuePayload('manifold', endpoint, body, READ_AT), request })
      const outcomes = () => ask().quotes?.map(({ outcome }) => outcome)
      expect(outcomes()).toEqual(['a1', 'a2'])
      tell(market(false, YES, null))
      expect(outcomes()).toEqual(['a2'])
      tell(market(false, YES, NO))
      expect(ask()).toMatchObject({ outcomes: ['NOTHING_STATED'] })
      tell(market(false, null, NO))
      expect(outcomes()).toEqual(['a1'])
    },
  )
})
