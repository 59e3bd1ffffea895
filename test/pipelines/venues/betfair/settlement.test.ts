import { describe, expect, test } from 'vitest'
import { toMicros } from '../../../../primitives/instants.ts'
import { change, definition, image, line, readAll, START } from './messages.ts'

type Statuses = Record<string, string>

function closed(seconds: number, statuses: Statuses, over: object = {}) {
  return change(seconds, { marketDefinition: definition({ status: 'CLOSED', ...over }, statuses) })
}

const WON = { 11: 'LOSER', 12: 'WINNER', 13: 'LOSER' }

/** Each statement as seconds of its source and receipt, finality and payouts. */
function statements(payloads: Parameters<typeof readAll>[0]) {
  return readAll(payloads).resolutions.map(({ source_at, received_at, finality, payouts }) => {
    const paid = Object.fromEntries(payouts.map(({ outcome, payout }) => [outcome, payout]))
    return [(source_at - START) / 1e6, (received_at - START) / 1e6, finality, paid]
  })
}

const PAID = { 11: '0.000000000', 12: '1.000000000', 13: '0.000000000' }

describe('resolution', () => {
  test('the winner of a closed market is paid 1, the losers 0', () => {
    expect(statements([image(0), closed(10, WON)])).toEqual([[10, 10, 'final', PAID]])
  })

  test('it is about settledTime, and the definition is its evidence', () => {
    const settledTime = '2026-03-01T12:00:07.000Z'
    const [resolution] = readAll([image(0), closed(10, WON, { settledTime })]).resolutions
    expect(resolution).toMatchObject({
      source_at: toMicros(settledTime),
      received_at: START + 10e6,
      path: 'mc[0].marketDefinition',
      evidence: { kind: 'archive_row', content_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    })
  })

  test('removed runners are in no payout: their bets are void, which is neither 1 nor 0', () => {
    const statuses = { 11: 'REMOVED', 12: 'WINNER', 13: 'LOSER', 14: 'REMOVED_VACANT' }
    expect(statements([image(0), closed(10, statuses)])).toEqual([
      [10, 10, 'final', { 12: '1.000000000', 13: '0.000000000' }],
    ])
  })

  test.each([
    ['as many winners as asked for', { 11: 'WINNER', 12: 'WINNER', 13: 'LOSER' }, 2, ['1', '1', '0']],
    ['fewer winners than asked for', { 11: 'WINNER', 12: 'LOSER', 13: 'LOSER' }, 3, ['1', '0', '0']],
    ['a dead heat of two', { 11: 'WINNER', 12: 'WINNER', 13: 'LOSER' }, 1, ['0.5', '0.5', '0']],
    ['a dead heat of four', { 11: 'WINNER', 12: 'WINNER', 13: 'WINNER', 14: 'WINNER' }, 1, Array(4).fill('0.25')],
    ['places with a removed runner', { 11: 'WINNER', 12: 'REMOVED', 13: 'WINNER' }, 2, ['1', '1']],
  ])(
    '%s: each winner is paid what its status and the number of winners say',
    (_case, statuses, numberOfWinners, paid) => {
      const [resolution] = readAll([image(0), closed(10, statuses as Statuses, { numberOfWinners })]).resolutions
      expect(resolution!.finality).toBe('final')
      expect(resolution!.payouts.map(({ payout }) => String(Number(payout)))).toEqual(paid)
    },
  )

  test.each([
    [
      'a dead heat for the last of several places',
      { 11: 'WINNER', 12: 'WINNER', 13: 'WINNER' },
      { numberOfWinners: 2 },
    ],
    ['a dead heat of three, whose share is no decimal', { 11: 'WINNER', 12: 'WINNER', 13: 'WINNER' }, {}],
    ['an unknown number of winners', WON, { numberOfWinners: 0 }],
    ['runners that are not all listed', WON, { complete: false }],
    ['no winner', { 11: 'LOSER', 12: 'LOSER', 13: 'LOSER' }, {}],
    ['a runner without a result', { 11: 'ACTIVE', 12: 'WINNER', 13: 'LOSER' }, {}],
    ['places', { 11: 'PLACED', 12: 'WINNER', 13: 'LOSER' }, {}],
    ['other bets than odds', WON, { bettingType: 'ASIAN_HANDICAP_DOUBLE_LINE' }],
  ])('%s: proposed without payouts', (_case, statuses, over) => {
    expect(statements([image(0), closed(10, statuses as Statuses, over)])).toEqual([[10, 10, 'proposed', {}]])
  })

  test('P15: the last odds are not the payout, and a market that is not closed has no winner', () => {
    const marketDefinition = definition({ status: 'SUSPENDED' }, WON)
    expect(statements([image(0), change(10, { marketDefinition })])).toEqual([])
  })

  test('the same settlement again says nothing new', () => {
    expect(statements([image(0), closed(10, WON), closed(20, WON)])).toHaveLength(1)
  })

  test('another winner at the same settledTime corrects the statement, under its source instant', () => {
    const settledTime = '2026-03-01T12:00:07.000Z'
    const other = { 11: 'WINNER', 12: 'LOSER', 13: 'LOSER' }
    expect(statements([image(0), closed(10, WON, { settledTime }), closed(20, other, { settledTime })])).toEqual([
      [7, 10, 'final', PAID],
      [7, 20, 'final', { 11: '1.000000000', 12: '0.000000000', 13: '0.000000000' }],
    ])
  })

  test('a market that is settled anew or reopened withdraws the statement before', () => {
    const at = (second: number) => ({ settledTime: `2026-03-01T12:00:${second}.000Z` })
    const reopened = change(30, { marketDefinition: definition({ status: 'SUSPENDED' }) })
    expect(statements([image(0), closed(11, WON, at(10)), closed(21, WON, at(20)), reopened])).toEqual([
      [10, 11, 'final', PAID],
      [10, 21, 'withdrawn', {}],
      [20, 21, 'final', PAID],
      [20, 30, 'withdrawn', {}],
    ])
  })

  test('a definition that was had before the settlement does not withdraw it', () => {
    const late = change(5, { marketDefinition: definition() })
    expect(statements([image(0), closed(10, WON), late])).toEqual([[10, 10, 'final', PAID]])
  })

  test.each([
    ['2026-03-01 12:00', 'BAD_DATE'],
    ['0001-01-01T00:00:00Z', 'BAD_DATE'],
    ['2026-03-01T12:00:11Z', 'SOURCE_AFTER_RECEIVED'],
  ])('settled at %s: the definition is refused', (settledTime, reason) => {
    const { resolutions, quarantine } = readAll([image(0), closed(10, WON, { settledTime })])
    expect(resolutions).toEqual([])
    expect(quarantine).toMatchObject([{ file: 'stream.jsonl', line: 1, path: 'mc[0].marketDefinition', reason }])
  })
})

describe('reference', () => {
  const references = (over: object, statuses?: Statuses) =>
    readAll([change(0, { marketDefinition: definition(over, statuses) })]).references

  test.each([
    ['INACTIVE', undefined, 'scheduled'],
    ['OPEN', undefined, 'open'],
    ['SUSPENDED', undefined, 'paused'],
    ['CLOSED', WON, 'resolved'],
    ['CLOSED', undefined, 'closed'],
    ['CLOSED', { 11: 'REMOVED', 12: 'REMOVED' }, 'voided'],
  ])('%s with runners %j is %s', (status, statuses, expected) => {
    expect(references({ status }, statuses as Statuses | undefined)[0]!.status).toBe(expected)
  })

  test("a market without a name has the venue's word for its type, and its event its id", () => {
    expect(references({})[0]).toMatchObject({
      title: 'WIN',
      event_title: '900',
      source_event_id: '900',
      outcomes: ['11', '12', '13'],
      outcome_type: 'categorical',
      resolution_question: null,
      closes_at: toMicros('2026-03-01T13:00:00Z'),
      source_at: START,
    })
  })

  test('P12: names may come late and change; they are no labels', () => {
    const named = definition({
      name: 'R1',
      eventName: 'Ham',
      runners: [{ id: 11, status: 'ACTIVE', name: 'Sandgate' }],
    })
    const { references: both } = readAll([image(0), change(1, { marketDefinition: named })])
    expect(both.map(({ title }) => title)).toEqual(['WIN', 'R1'])
    expect(both[1]).toMatchObject({ outcomes: ['11', '12', '13'], resolution_question: '11 Sandgate' })
  })

  test('a market that is turned in play does not close when play begins; in play is noted', () => {
    const [reference] = references({ turnInPlayEnabled: true, inPlay: true })
    expect([reference!.closes_at, reference!.description]).toEqual([null, 'in play'])
  })

  test.each(['0001-01-01T00:00:00Z', '2123-01-01T00:00:00Z', 'soon', 7, null])(
    'closing at %j is no time',
    (suspendTime) => {
      expect(references({ suspendTime })[0]!.closes_at).toBeNull()
    },
  )

  test.each([
    [{ status: 'HALTED' }, 'BAD_FLAG'],
    [{ status: undefined }, 'MISSING_FIELD'],
    [{ runners: [] }, 'MISSING_FIELD'],
    [{ runners: [{ id: 1, status: 'DEAD' }] }, 'BAD_FLAG'],
    [{ runners: [{ status: 'ACTIVE' }] }, 'MISSING_FIELD'],
    [{ runners: [{ id: 'x', status: 'ACTIVE' }] }, 'BAD_ID'],
    [
      {
        runners: [
          { id: 1, status: 'ACTIVE' },
          { id: 1, status: 'LOSER' },
        ],
      },
      'UNKNOWN_SHAPE',
    ],
    [{ name: {} }, 'BAD_TEXT'],
  ])('%j is refused: %s', (over, reason) => {
    const { quarantine } = readAll([change(0, { marketDefinition: definition(over) })])
    expect(quarantine).toMatchObject([{ file: 'stream.jsonl', line: 1, path: 'mc[0].marketDefinition', reason }])
  })
})

describe('catalogue', () => {
  const catalogue = (body: unknown) => ({ ...line(5, body), endpoint: 'listMarketCatalogue' })

  test('one or a list; what is not asked for is absent; without the stream a market has no status', () => {
    const body = [{ marketId: '1.1', marketName: 'OR 280m' }, { marketId: 7, marketName: [] }, { marketName: 'x' }]
    const { references, quarantine } = readAll([catalogue(body)])
    expect(references).toHaveLength(1)
    expect(references[0]).toMatchObject({
      title: 'OR 280m',
      status: null,
      outcomes: [],
      source_at: START + 5e6,
      path: '$[0]',
    })
    expect(quarantine.map(({ path, reason }) => `${path} ${reason}`)).toEqual(['$[1] BAD_TEXT', '$[2] MISSING_FIELD'])
  })

  test('after the stream it adds names and keeps status and books', () => {
    const names = { marketId: '1.1', marketName: 'R1', runners: [{ selectionId: 12, handicap: 0.0, runnerName: 'B' }] }
    const { references, books } = readAll([
      image(0),
      catalogue(names),
      catalogue('{'),
      change(6, { rc: [{ id: 11, ltp: 2 }] }),
    ])
    expect(references.at(-1)).toMatchObject({ title: 'R1', status: 'open', resolution_question: '12 B' })
    expect(books).toHaveLength(3)
  })
})
