import { data, field, items, mentions, ODD, PLANTED, type PlantedFault } from './planted-faults.ts'

let balance_reads = 0

/** Faults of answers that only a live service gives: ratings, severity and accounts. */
export const PLANTED_IN_SANDBOX: readonly PlantedFault[] = [
  {
    check: 'A7',
    what: 'a book that is not the mirror of the other outcome’s',
    alter: (path, query, answer) => {
      if (!path.endsWith('/orderbook') || !query.get('outcome_id')?.endsWith('_no')) return
      for (const level of data(answer)?.asks ?? []) if (level.order_count !== null) level.order_count += 1
    },
    shows: mentions('1 - price'),
  },
  {
    check: 'A7',
    what: 'a price level with a part too few',
    alter: (path, _, answer) => {
      if (path.endsWith('/orderbook')) for (const level of data(answer)?.bids ?? []) level.parts.pop()
    },
    shows: mentions('sum of parts'),
  },
  {
    check: 'A15',
    what: 'a derived trade that the tape of its market does not have',
    alter: (path, query, answer) => {
      if (!path.endsWith('/trades') || !query.has('outcome_id')) return
      for (const trade of items(answer)) if (trade.derived === true) trade.price = ODD
    },
    shows: mentions(ODD),
  },
  {
    check: 'A10',
    what: 'a severity in force whose record has another level',
    alter: (path, _, answer) => {
      if (path.startsWith('/severity-assessments/') && data(answer)) data(answer).level = PLANTED
    },
    shows: mentions(PLANTED),
  },
  {
    check: 'A10',
    what: 'an old value of a severity index that does not say so',
    alter: (path, _, answer) => {
      if (path.startsWith('/severity-indexes/') && path.endsWith('/value') && data(answer))
        data(answer).source_cutoff_at = '2001-02-03T04:05:06Z'
    },
    shows: field('severity index'),
  },
  {
    check: 'A13',
    what: 'a severity assessment that its own address stamps otherwise',
    alter: (path, _, answer) => {
      if (path.startsWith('/severity-assessments/') && data(answer)) data(answer).published_at = '2001-02-03T04:05:06Z'
    },
    shows: mentions('/severity-assessments/'),
  },
  {
    check: 'A13',
    what: 'a rating that its own address stamps otherwise',
    alter: (path, _, answer) => {
      if (path.startsWith('/ratings/') && data(answer)) data(answer).published_at = '2001-02-03T04:05:06Z'
    },
    shows: mentions('/ratings/'),
  },
  {
    check: 'A20',
    what: 'a score that the components do not give',
    alter: (path, _, answer) => {
      if (path.endsWith('/rating') && data(answer)?.score) data(answer).score = '1.23'
    },
    shows: mentions('1.23'),
  },
  {
    check: 'A23',
    what: 'a balance that events do not have',
    alter: (path, _, answer) => {
      if (path !== '/balances') return
      balance_reads += 1
      if (balance_reads > 1) for (const balance of items(answer)) balance.total = ODD
    },
    shows: (difference) => difference.first.request.includes('account.*'),
  },
  {
    check: 'A24',
    what: 'a balance whose parts do not add up',
    alter: (path, _, answer) => {
      if (path === '/balances') for (const balance of items(answer)) balance.available = ODD
    },
    shows: field('total'),
  },
  {
    check: 'A25',
    what: 'a public trade that no account has',
    alter: (path, _, answer) => {
      const [first] = items(answer)
      if (path.endsWith('/trades') && first !== undefined) answer.body.data.push({ ...first, trade_id: PLANTED })
    },
    shows: field('number of trades'),
  },
]
