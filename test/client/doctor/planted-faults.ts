import type { CheckId } from '../../../client/doctor/check.ts'
import type { Difference } from '../../../client/doctor/difference.ts'
import type { Alteration, Passing } from '../../support/altering-proxy.ts'

/** One alteration of the answers of a service, and how the check that catches it shows it. */
export type PlantedFault = {
  readonly check: CheckId
  readonly what: string
  readonly alter: Alteration
  readonly shows: (difference: Difference) => boolean
}

export const PLANTED = 'planted'
/** A decimal that no record has. */
export const ODD = '0.123456789'

export const data = (answer: Passing) => (answer.status === 200 ? answer.body.data : null)
export const items = (answer: Passing): Record<string, unknown>[] => (Array.isArray(data(answer)) ? data(answer) : [])
export const mentions = (text: string) => (difference: Difference) => JSON.stringify(difference).includes(text)
export const field = (name: string) => (difference: Difference) => difference.field.includes(name)

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    check: 'A1',
    what: 'a page after the first is of another instant',
    alter: (_, query, answer) => {
      if (query.has('cursor')) for (const item of items(answer)) if ('status' in item) item.status = PLANTED
    },
    shows: mentions(PLANTED),
  },
  {
    check: 'A1',
    what: 'a nested object is missing on a later page',
    alter: (_, query, answer) => {
      if (query.has('cursor')) for (const item of items(answer)) if (item.metrics) item.metrics = { planted: PLANTED }
    },
    shows: (difference) => difference.field.includes('metrics'),
  },
  {
    check: 'A2',
    what: 'a detail has another title than the list',
    alter: (path, _, answer) => {
      if (/^\/markets\/mkt_\w+$/.test(path) && data(answer)) data(answer).title = PLANTED
    },
    shows: mentions(PLANTED),
  },
  {
    check: 'A3',
    what: 'an answer without as_of is older than it says',
    alter: (path, query, answer) => {
      if (/^\/indexes\/\w+\/price$/.test(path) && !query.has('as_of') && data(answer)) data(answer).level = ODD
    },
    shows: mentions(ODD),
  },
  {
    check: 'A4',
    what: 'a filter leaves out an item',
    alter: (path, query, answer) => {
      if (path === '/markets' && query.has('venue_id')) answer.body.data = items(answer).slice(1)
    },
    shows: (difference) => difference.field.includes('venue_id='),
  },
  {
    check: 'A4',
    what: 'a market of an index that is not found by the index',
    alter: (path, query, answer) => {
      if (path === '/markets' && query.has('index_id')) answer.body.data = items(answer).slice(1)
    },
    shows: field('market ids'),
  },
  {
    check: 'A4',
    what: 'an index that its market does not name',
    alter: (path, query, answer) => {
      if (path === '/indexes' && query.has('constituent_market_id')) answer.body.data = []
    },
    shows: field('index ids'),
  },
  {
    check: 'A5',
    what: 'trades of another market under its outcome',
    alter: (path, query, answer) => {
      if (!path.endsWith('/orderbook') || query.has('as_of')) return
      answer.status = 200
      answer.body = { data: { market_id: PLANTED }, meta: {} }
    },
    shows: (difference) => difference.first.request.includes('/orderbook'),
  },
  {
    check: 'A6',
    what: 'an id that leads nowhere',
    alter: (path, _, answer) => {
      if (/^\/markets\/mkt_\w+$/.test(path) && data(answer)) data(answer).event_id = 'evt_planted'
    },
    shows: mentions('evt_planted'),
  },
  {
    check: 'A7',
    what: 'a wrong midpoint',
    alter: (path, _, answer) => {
      if (path.endsWith('/price') && data(answer)?.outcomes)
        for (const outcome of data(answer).outcomes) outcome.midpoint = ODD
    },
    shows: mentions(ODD),
  },
  {
    check: 'A7',
    what: 'a book with another best bid',
    alter: (path, _, answer) => {
      if (path.endsWith('/orderbook') && data(answer)?.bids?.[0]) data(answer).bids[0].price = ODD
    },
    shows: mentions(ODD),
  },
  {
    check: 'A8',
    what: 'a last trade that the tape does not have',
    alter: (path, _, answer) => {
      if (path.endsWith('/price') && data(answer)?.outcomes)
        for (const outcome of data(answer).outcomes) outcome.last_trade = ODD
    },
    shows: mentions(ODD),
  },
  {
    check: 'A8',
    what: 'a last trade of the history at an instant without a trade',
    alter: (path, _, answer) => {
      if (path.endsWith('/prices'))
        for (const item of items(answer)) if (item.field === 'last_trade') item.source_at = '2001-02-03T04:05:06Z'
    },
    shows: mentions('2001-02-03T04:05:06Z'),
  },
  {
    check: 'A9',
    what: 'a mark of the view that its observation does not have',
    alter: (path, _, answer) => {
      if (!path.endsWith('/price')) return
      for (const outcome of data(answer)?.outcomes ?? []) {
        outcome.mark = ODD
        outcome.mark_rule = 'M1'
        outcome.mark_observation_id ??= 'mrk_00000000000000000000000000000000.mark'
      }
    },
    shows: mentions(ODD),
  },
  {
    check: 'A10',
    what: 'an old price that is valid',
    alter: (path, _, answer) => {
      if (!path.endsWith('/price') || !data(answer)?.outcomes) return
      data(answer).quality_state = 'valid'
      data(answer).freshness_ms = 777_777_777
    },
    shows: mentions('777777777'),
  },
  {
    check: 'A10',
    what: 'a price that is labelled better than the mark beside it',
    alter: (path, _, answer) => {
      if (path.startsWith('/observations/mrk_') && data(answer)) data(answer).record.quality_state = 'stale'
      if (!path.endsWith('/price') || !data(answer)?.outcomes) return
      for (const outcome of data(answer).outcomes) outcome.quality_state = 'valid'
    },
    shows: mentions('/observations/mrk_'),
  },
  {
    check: 'A10',
    what: 'a book with another label than the view that shows it',
    alter: (path, _, answer) => {
      if (path.endsWith('/orderbook') && data(answer)) data(answer).quality_state = PLANTED
    },
    shows: mentions(PLANTED),
  },
  {
    check: 'A11',
    what: 'a candle that is off by one unit',
    alter: (path, _, answer) => {
      if (path.endsWith('/candles')) for (const candle of items(answer)) candle.high = ODD
    },
    shows: mentions(ODD),
  },
  {
    check: 'A11',
    what: 'a candle that counts one record more',
    alter: (path, _, answer) => {
      if (path.endsWith('/candles')) for (const candle of items(answer)) candle.observation_count = 4321
    },
    shows: mentions('4321'),
  },
  {
    check: 'A12',
    what: 'a trade listed twice',
    alter: (path, _, answer) => {
      const [first] = items(answer)
      if (path.endsWith('/trades') && first !== undefined) answer.body.data = [first, { ...first, trade_id: PLANTED }]
    },
    shows: mentions(PLANTED),
  },
  {
    check: 'A11',
    what: 'a trade that is missing from a volume',
    alter: (path, query, answer) => {
      if (path.endsWith('/candles') && query.get('field') === 'last_trade')
        for (const candle of items(answer)) candle.volume = ODD
    },
    shows: field('volume'),
  },
  {
    check: 'A13',
    what: 'an observation that its detail stamps otherwise',
    alter: (path, _, answer) => {
      if (/\/prices\/obs_/.test(path) && data(answer)) data(answer).published_at = '2001-02-03T04:05:06Z'
    },
    shows: mentions('2001-02-03T04:05:06Z'),
  },
  {
    check: 'A13',
    what: 'a trade with another stamp in an answer with as_of',
    alter: (path, query, answer) => {
      if (path.endsWith('/trades') && query.has('as_of'))
        for (const trade of items(answer)) trade.received_at = '2001-02-03T04:05:06Z'
    },
    shows: mentions('2001-02-03T04:05:06Z'),
  },
  {
    check: 'A14',
    what: 'a revision without a change',
    alter: (path, query, answer) => {
      if (/^\/markets\/\w+\/(prices|resolution)$/.test(path)) answer.body.data = []
      const [first] = items(answer)
      if (!path.startsWith('/indexes/') || !query.has('include_corrections') || first === undefined) return
      const repeated = { ...first, observation_id: PLANTED, supersedes_id: first.observation_id, revision: 2 }
      answer.body.data = [first, { ...repeated, correction_reason: PLANTED }]
    },
    shows: (difference) => difference.field.includes(PLANTED),
  },
  {
    check: 'A15',
    what: 'a bid that counts as derived',
    alter: (path, _, answer) => {
      if (path.endsWith('/prices'))
        for (const item of items(answer))
          if (item.field === 'bid')
            Object.assign(item, { derived: true, derivation_rule: PLANTED, source_observation_ids: ['obs_x.bid'] })
    },
    shows: field('derived of bid'),
  },
  {
    check: 'A16',
    what: 'a coverage that the inputs do not give',
    alter: (path, query, answer) => {
      if (path.includes('/prices/iob_') && query.has('expand') && data(answer)) data(answer).coverage_ratio = ODD
    },
    shows: mentions(ODD),
  },
  {
    check: 'A16',
    what: 'a degraded level without a reason',
    alter: (path, query, answer) => {
      if (!path.includes('/prices/iob_') || !query.has('expand') || !data(answer)) return
      Object.assign(data(answer), { quality_state: 'degraded', underlying_quality_state: PLANTED, reason_codes: [] })
    },
    shows: mentions(PLANTED),
  },
  {
    check: 'A17',
    what: 'an input that was published after the level',
    alter: (path, _, answer) => {
      if (path.startsWith('/observations/obs_') && data(answer))
        data(answer).record.published_at = '2099-01-01T00:00:00Z'
    },
    shows: mentions('2099-01-01T00:00:00Z'),
  },
  {
    check: 'A18',
    what: 'a payout that the resolution does not have',
    alter: (path, _, answer) => {
      if (path === '/markets')
        for (const market of items(answer))
          for (const outcome of market.outcomes as { payout_value: string }[]) outcome.payout_value = ODD
    },
    shows: mentions(ODD),
  },
  {
    check: 'A19',
    what: 'a level with another last digit',
    alter: (path, query, answer) => {
      if (path.includes('/prices/iob_') && query.has('expand') && data(answer)?.level) data(answer).level = '1.2345'
    },
    shows: mentions('1.2345'),
  },
  {
    check: 'A21',
    what: 'an eligible market of a venue whose terms exclude it',
    alter: (path, _, answer) => {
      if (path === '/capabilities') for (const venue of data(answer).venues) venue.index_eligible = false
    },
    shows: field('eligibility'),
  },
  {
    check: 'A10',
    what: 'a rating in force that the history does not have',
    alter: (path, query, answer) => {
      if (path.endsWith('/rating') && query.has('as_of') && data(answer)) data(answer).band = PLANTED
    },
    shows: field('band'),
  },
  {
    check: 'A22',
    what: 'a severity over REST that the stream does not have',
    alter: (path, query, answer) => {
      if (path.endsWith('/severity') && !query.has('as_of') && data(answer)) data(answer).level = PLANTED
    },
    shows: (difference) => difference.first.request.includes('event.severity'),
  },
  {
    check: 'A22',
    what: 'a rating over REST that the stream does not have',
    alter: (path, query, answer) => {
      if (path.endsWith('/rating') && !query.has('as_of') && data(answer)) data(answer).band = PLANTED
    },
    shows: (difference) => difference.first.request.includes('market.rating'),
  },
  {
    check: 'A18',
    what: 'a resolution that its id alone gives without the instant at which it became final',
    alter: (path, _, answer) => {
      if (path.startsWith('/observations/res_') && data(answer)) data(answer).record.final_at = null
    },
    shows: field('final_at'),
  },
  {
    check: 'A13',
    what: 'a trade that its id alone gives with another price',
    alter: (path, _, answer) => {
      if (path.startsWith('/observations/trd_') && data(answer)) data(answer).record.price = ODD
    },
    shows: mentions(ODD),
  },
  {
    check: 'A22',
    what: 'a status of an index whose level has another tick',
    alter: (path, _, answer) => {
      if (path.startsWith('/observations/iob_') && data(answer)) data(answer).record.tick_at = '2001-02-03T04:05:06Z'
    },
    shows: (difference) => difference.first.request.includes('index.status'),
  },
  {
    check: 'A22',
    what: 'a level over REST that the stream does not have',
    alter: (path, query, answer) => {
      if (/^\/indexes\/\w+\/price$/.test(path) && query.has('as_of') && data(answer)) data(answer).level = ODD
    },
    shows: mentions(ODD),
  },
]
