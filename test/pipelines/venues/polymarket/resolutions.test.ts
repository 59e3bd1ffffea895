import { describe, expect, test } from 'vitest'
import { sha256Hex } from '../../../../primitives/ids.ts'
import { toMicros } from '../../../../primitives/instants.ts'
import {
  AT,
  type Body,
  CONDITION,
  gammaMarket,
  knowingReader,
  ms,
  NO_TOKEN,
  newReader,
  refusals,
  upDownMarket,
  YES_TOKEN,
} from './support/payloads.ts'

const MINUTE = 60_000_000
const closedTime = '2026-10-01 11:20:16+00'

const stated = (changes: Body) => newReader()('GET /markets', [gammaMarket(changes)]).resolutions[0]
const payoutsOf = (changes: Body) => stated(changes)?.payouts.map(({ outcome, payout }) => `${outcome} ${payout}`)

/** Feeds reads of one market, a minute apart, and gives what each said of the resolution. */
function follow(...reads: Body[]): (readonly [string, number, string] | null)[] {
  const fed = newReader()
  return reads.map((changes, i) => {
    const found = fed('GET /markets', [gammaMarket(changes)], { received_at: AT + i * MINUTE }).resolutions[0]
    if (found === undefined) return null
    return [found.finality, (found.source_at - AT) / MINUTE, found.payouts.map(({ payout }) => payout[0]).join('')]
  })
}

describe('what Gamma states', () => {
  test('closed with prices 1 and 0 is resolved, since closedTime', () => {
    const found = stated({ closed: true, outcomePrices: '["0", "1"]', closedTime, umaResolutionStatus: 'resolved' })
    expect([found?.finality, found?.source_at, found?.received_at]).toEqual([
      'final',
      toMicros('2026-10-01T11:20:16Z'),
      AT,
    ])
    expect(found?.payouts).toEqual([
      { outcome: 'YES', payout: '0.000000000' },
      { outcome: 'NO', payout: '1.000000000' },
    ])
    expect([found?.dispute_window_ends_at, found?.source_series_id]).toEqual([null, null])
  })

  test('the payload is the evidence, by its hash', () => {
    const body = [gammaMarket({ closed: true, outcomePrices: '["1", "0"]' })]
    const [found] = newReader()('GET /markets', body).resolutions
    expect(found?.evidence).toMatchObject({
      kind: 'archive_row',
      content_hash: `sha256:${sha256Hex(JSON.stringify(body))}`,
    })
    expect(found?.evidence.evidence_id).toMatch(/^res_[0-9a-f]{32}$/)
  })

  test('the oracle’s state may be absent on a decided market', () => {
    const changes = { closed: true, outcomePrices: '["1", "0"]', umaResolutionStatuses: undefined }
    expect([stated(changes)?.finality, stated(changes)?.source_at]).toEqual(['final', AT])
  })

  test('a split resolution pays a half each', () => {
    expect(payoutsOf({ closed: true, outcomePrices: '["0.5", "0.5"]' })).toEqual(['YES 0.500000000', 'NO 0.500000000'])
    expect(stated({ closed: false, outcomePrices: '["0.5", "0.5"]' })).toBeUndefined()
  })

  test('closed legacy market ["0","0"]: no winner recorded, which is unknown and not a payout of 0', () => {
    const { resolutions, references, quarantine } = newReader()('GET /markets', [
      gammaMarket({ closed: true, outcomePrices: '["0", "0"]' }),
    ])
    expect([resolutions, quarantine, references[0]?.status]).toEqual([[], [], 'closed'])
  })

  test.each([
    '["0.9995", "0.0005"]',
    '["0.96", "0.04"]',
    '["0.5843311669077693146635445446077281", "0.4156688330922306853364554553922719"]',
    '["1", "1"]',
    '["0.37", "0.63"]',
    undefined,
    '',
  ])('P15: the last price is not the payout; a closed market at %s is unknown', (outcomePrices) => {
    const { resolutions, quarantine } = newReader()('GET /markets', [gammaMarket({ closed: true, outcomePrices })])
    expect([resolutions, quarantine]).toEqual([[], []])
  })

  test('P15: prices of 1 and 0 of a market that trades are prices', () => {
    expect(stated({ closed: false, outcomePrices: '["1", "0"]' })).toBeUndefined()
  })

  test('labels that are not Yes and No are paid by index', () => {
    const body = [upDownMarket({ closed: true, outcomePrices: '["0", "1"]' })]
    expect(newReader()('GET /markets', body).resolutions[0]?.payouts[1]).toEqual({
      outcome: 'Down',
      payout: '1.000000000',
    })
  })

  test.each([
    ['proposed', { umaResolutionStatus: 'proposed' }],
    ['disputed', { umaResolutionStatus: 'disputed' }],
    ['disputed', { umaResolutionStatuses: '["proposed", "disputed"]' }],
    ['proposed', { umaResolutionStatuses: '["proposed", "disputed", "proposed"]' }],
    ['proposed', { umaResolutionStatus: 'proposed', umaResolutionStatuses: '["proposed", "disputed"]' }],
  ] as const)('%s while it trades, without payouts: %j', (finality, changes) => {
    expect([stated(changes)?.finality, stated(changes)?.payouts]).toEqual([finality, []])
  })

  test('closed at 1 and 0 but still proposed or disputed is not final; the payouts are named', () => {
    const changes = { closed: true, outcomePrices: '["1", "0"]', umaResolutionStatus: 'disputed' }
    expect([stated(changes)?.finality, payoutsOf(changes)]).toEqual(['disputed', ['YES 1.000000000', 'NO 0.000000000']])
  })

  test('an unknown word of the oracle costs the statement, not the reference', () => {
    const found = newReader()('GET /markets', [gammaMarket({ umaResolutionStatus: 'pondered' })])
    expect([refusals(found), found.references[0]?.status]).toEqual([['$[0] BAD_FLAG'], 'open'])
  })

  test('a resolution received before it happened is refused', () => {
    const late = { closed: true, outcomePrices: '["1", "0"]', closedTime: '2026-10-02 00:00:00+00' }
    expect(refusals(newReader()('GET /markets', [gammaMarket(late)]))).toEqual(['$[0] SOURCE_AFTER_RECEIVED'])
  })
})

describe('one resolution, several statements', () => {
  const open = {}
  const proposed = { umaResolutionStatus: 'proposed' }
  const disputed = { umaResolutionStatus: 'disputed' }
  const final = { closed: true, outcomePrices: '["1", "0"]', umaResolutionStatus: 'resolved' }

  test('proposal, dispute and final decision share the source instant of the first; repetitions are no records', () => {
    expect(follow(open, proposed, proposed, disputed, disputed, final, final)).toEqual([
      null,
      ['proposed', 1, ''],
      null,
      ['disputed', 1, ''],
      null,
      ['final', 1, '10'],
      null,
    ])
  })

  test('a proposal that is gone is withdrawn, and the next one is another resolution', () => {
    expect(follow(proposed, open, open, proposed)).toEqual([
      ['proposed', 0, ''],
      ['withdrawn', 0, ''],
      null,
      ['proposed', 3, ''],
    ])
  })

  test('a final decision is undone by another final one only: a part of the venue that lags behind does not', () => {
    const flipped = { ...final, outcomePrices: '["0", "1"]' }
    expect(follow(final, open, disputed, final, flipped)).toEqual([
      ['final', 0, '10'],
      null,
      null,
      null,
      ['final', 0, '01'],
    ])
  })
})

describe('GET /markets/{condition_id}: the fallback for the winner', () => {
  const clobMarket = (changes: Body, yes: Body = {}, no: Body = {}) => ({
    condition_id: CONDITION,
    question: 'Does it happen?',
    tokens: [
      { token_id: YES_TOKEN, outcome: 'Yes', price: 1, winner: false, ...yes },
      { token_id: NO_TOKEN, outcome: 'No', price: 0, winner: false, ...no },
    ],
    minimum_tick_size: 0.001,
    minimum_order_size: 5,
    is_50_50_outcome: false,
    accepting_orders: true,
    closed: true,
    end_date_iso: '2026-12-31T00:00:00Z',
    ...changes,
  })
  const ENDPOINT = 'GET /markets/{condition_id}'

  test('the winning token pays 1', () => {
    const { resolutions, references, quarantine } = newReader()(ENDPOINT, clobMarket({}, {}, { winner: true }))
    expect(references).toMatchObject([{ title: 'Does it happen?', status: 'resolved', source_event_id: CONDITION }])
    expect(quarantine).toEqual([])
    expect(resolutions[0]).toMatchObject({ finality: 'final', source_at: AT, source_market_id: CONDITION, path: '$' })
    expect(resolutions[0]?.payouts).toEqual([
      { outcome: 'YES', payout: '0.000000000' },
      { outcome: 'NO', payout: '1.000000000' },
    ])
  })

  test('no winner is unknown whatever the prices; is_50_50_outcome pays a half each', () => {
    expect(newReader()(ENDPOINT, clobMarket({}))).toMatchObject({ resolutions: [], quarantine: [] })
    const split = newReader()(ENDPOINT, clobMarket({ is_50_50_outcome: true })).resolutions[0]
    expect(split?.payouts.map(({ payout }) => payout)).toEqual(['0.500000000', '0.500000000'])
    expect(newReader()(ENDPOINT, clobMarket({ closed: false, is_50_50_outcome: true })).resolutions).toEqual([])
  })

  test('two winners, a winner beside a split and a winner of an open market disagree with themselves', () => {
    const won = { winner: true }
    for (const body of [
      clobMarket({}, won, won),
      clobMarket({ is_50_50_outcome: true }, won),
      clobMarket({ closed: false }, won),
    ]) {
      expect(refusals(newReader()(ENDPOINT, body))).toEqual(['$ FIELDS_DISAGREE'])
    }
  })

  test('it names the tokens of a market that Gamma has not described', () => {
    const fed = newReader()
    fed(ENDPOINT, clobMarket({ closed: false }))
    expect(fed('GET /book', { asset_id: NO_TOKEN, market: CONDITION, bids: [], asks: [] }).books[0]?.outcome).toBe('NO')
  })

  test('it agrees with Gamma about a final market, or is rejected', () => {
    const fed = newReader()
    fed('GET /markets', [gammaMarket({ closed: true, outcomePrices: '["1", "0"]' })])
    expect(fed(ENDPOINT, clobMarket({}, { winner: true }))).toMatchObject({ resolutions: [], quarantine: [] })
    expect(refusals(fed(ENDPOINT, clobMarket({}, {}, { winner: true })))).toEqual(['$ FIELDS_DISAGREE'])
  })
})

describe('market_resolved on the websocket', () => {
  const resolved = (changes: Body = {}) => ({
    event_type: 'market_resolved',
    market: CONDITION,
    winning_asset_id: NO_TOKEN,
    winning_outcome: 'No',
    timestamp: ms(0),
    ...changes,
  })

  test('the winner pays 1 from the venue’s own time on, and Gamma’s later word adds nothing', () => {
    const fed = knowingReader()
    const [found] = fed('ws market', resolved()).resolutions
    expect([found?.finality, found?.source_at]).toEqual(['final', Number(ms(0)) * 1000])
    expect(found?.payouts.find(({ payout }) => payout === '1.000000000')?.outcome).toBe('NO')
    expect(fed('GET /markets', [gammaMarket({ closed: true, outcomePrices: '["0", "1"]' })]).resolutions).toEqual([])
  })

  test('an unknown token, another label and another market are refused', () => {
    const fed = knowingReader()
    expect(refusals(fed('ws market', resolved({ winning_asset_id: '5' })))).toEqual(['$ UNKNOWN_OUTCOME'])
    expect(refusals(fed('ws market', resolved({ winning_outcome: 'Yes' })))).toEqual(['$ FIELDS_DISAGREE'])
    expect(refusals(fed('ws market', resolved({ market: '0x1' })))).toEqual(['$ FIELDS_DISAGREE'])
  })
})
