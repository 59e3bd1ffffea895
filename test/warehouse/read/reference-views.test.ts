import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventStatusOf } from '../../../pipelines/market/reference-facts.ts'
import { outcomeUnder, type ResolvedBy, statusUnder } from '../../../pipelines/market/resolved-market.ts'
import { FINALITIES, MARKET_STATUSES } from '../../../vocabulary/market.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { minute, recordedAt } from './quotes.ts'

/** A market of every status under a resolution of every finality or none, and an event of every two neighbors. */
const payouts = [
  { outcome_id: 'out_yes', payout: '1.000000000' },
  { outcome_id: 'out_no', payout: '0.000000000' },
  { outcome_id: 'out_half', payout: '0.400000000' },
]
const cases = [null, ...MARKET_STATUSES].flatMap((status) =>
  [null, ...FINALITIES].map((finality) => ({ status, by: finality === null ? null : { finality, payouts } })),
)
const clocks = { revision: 1, source_at: minute(0), received_at: minute(0) }
const outcome_ids = ['out_yes', 'out_no', 'out_half', 'out_other']
const market_id = (n: number) => `mkt_${String(n).padStart(3, '0')}`
const statusOf = ({ status, by }: { status: string | null; by: ResolvedBy | null }) => statusUnder(status, by)

test('SQL decides status, payouts and event status as the API does, in every case', async () => {
  const warehouse = await openWarehouse({ root: join(tempFolder(), 'warehouse'), create: true })
  const publish = (table: 'market' | 'market_resolution' | 'event', rows: readonly Row[]) =>
    warehouse.append(table, rows, { app_id: table, app_sequence: 1, stamp: recordedAt(10), operation: 'TEST' })
  const market = (status: string | null, n: number): Row => ({
    ...clocks,
    market_id: market_id(n),
    event_id: 'evt_a',
    title: 't',
    status,
    outcome_type: 'categorical',
    outcomes: outcome_ids.map((outcome_id) => ({ outcome_id, label: outcome_id })),
  })
  const resolutions = cases.flatMap(({ by }, n): Row[] => {
    const named = { resolution_id: `res_${n}`, market_id: market_id(n), venue_id: 'v', source_market_id: `${n}` }
    return by === null ? [] : [{ ...clocks, ...named, ...by }]
  })
  const events = cases.flatMap((_, n): Row[] =>
    [null, 'ongoing'].map((status) => {
      const market_ids = n === 0 ? [] : [market_id(n - 1), market_id(n)]
      return { ...clocks, event_id: `evt_${n}_${status}`, title: 't', status, market_ids }
    }),
  )
  await publish(
    'market',
    cases.map(({ status }, n) => market(status, n)),
  )
  await publish('market_resolution', resolutions)
  await publish('event', events)
  const session = await openReadSession(warehouse, { as_of: null })
  const shown = await session.query('select status, outcomes from market order by market_id')
  const known = await session.query('select event_id, status from event')
  await session.close()
  await warehouse.close()
  for (const [n, { status, outcomes }] of shown.entries()) {
    const now = statusOf(cases[n]!)
    const open = now === 'open' ? 'tradable' : null
    expect({ status, outcomes }).toEqual({
      status: now,
      outcomes: outcome_ids.map((outcome_id) => ({
        outcome_id,
        label: outcome_id,
        ...(outcomeUnder(outcome_id, cases[n]!.by) ?? { status: open, payout_value: null }),
      })),
    })
  }
  for (const { event_id, status } of known) {
    const [, n, stated] = String(event_id).split('_')
    const markets = n === '0' ? [] : cases.slice(Number(n) - 1, Number(n) + 1).map(statusOf)
    expect([event_id, status]).toEqual([event_id, eventStatusOf(stated === 'null' ? null : stated!, markets)])
  }
  expect(new Set(known.map(({ status }) => status))).toEqual(new Set([null, 'ongoing', 'ended']))
})
