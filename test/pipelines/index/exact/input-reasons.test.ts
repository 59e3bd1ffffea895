import { expect, test } from 'vitest'
import type { LegData } from '../../../../pipelines/index/admission.ts'
import { decodeDefinition } from '../../../../pipelines/index/definition.ts'
import { exactSeries } from '../../../../pipelines/index/exact/exact-series.ts'
import { legsText } from '../../../../report/reason-tally.ts'
import {
  definitionFile,
  HOUR,
  legData,
  legsByKey,
  MINUTE,
  NOW,
  resolution,
  specOf,
} from '../../../support/index-world.ts'

const VENUES = ['one', 'two', 'three']
const POOL = definitionFile(
  [
    {
      ...{ constituent_id: 'con_pool', target_weight: '0.5', normalization: 'logodds_pool' },
      legs: VENUES.map((venue_id) => ({ venue_id, source_market_id: `m_${venue_id}` })),
    },
    { constituent_id: 'con_plain', target_weight: '0.5', source_market_id: 'plain' },
  ],
  {
    parameters: { 'fresh.max_carry': 'PT10M', 'fresh.stale_after': 'PT5M' },
    version: { calculation_frequency: 'PT1H' },
  },
)

/** One statement; the record's id is that of the market. */
const said = (record_id: string, value: string, at: number) =>
  legData([{ source_at: at, reported_probability: value, record_id }])

/** Reasons of the tick an hour after the start. */
function reasonsOf(records: Readonly<Record<string, LegData>>) {
  const spec = specOf(decodeDefinition(POOL))
  const legs = legsByKey(spec)
  const data = (key: string) => records[legs.get(key)!.source_market_id] ?? legData([])
  const steps = [...exactSeries(spec, (leg) => data(leg.key), { to: NOW + 2 * HOUR })]
  return steps.at(-1)!.result.input_reasons
}

test('a missing pool names each leg and its own reason; a plain input names its only leg', () => {
  const reasons = reasonsOf({ m_one: said('one', '0.4', NOW), m_three: said('three', '0.4', NOW) })
  expect(reasons.map((one) => [one.constituent_id, one.reason_code, legsText(one)])).toEqual([
    ['con_plain', 'NO_OBSERVATION', 'test/plain/YES'],
    [
      'con_pool',
      'NO_USABLE_LEG',
      'one/m_one/YES CARRY_EXPIRED, two/m_two/YES NO_OBSERVATION, three/m_three/YES CARRY_EXPIRED',
    ],
  ])
  expect(reasons[1]!.legs.map(({ known_at }) => known_at)).toEqual([
    '2026-11-21T00:00:00Z',
    null,
    '2026-11-21T00:00:00Z',
  ])
})

test('a pool with a value names the legs that have no part in it, each with its own reason', () => {
  const at = NOW + HOUR - MINUTE
  const records = { m_one: said('one', '0.4', at), m_three: said('three', '0.4', NOW), plain: said('plain', '0.5', at) }
  const [reason, ...others] = reasonsOf(records)
  expect(others).toEqual([])
  expect([reason!.state, reason!.reason_code, reason!.known_at, legsText(reason!)]).toEqual([
    ...['partial', 'PARTIAL_LEGS', '2026-11-21T00:00:00Z'],
    'two/m_two/YES NO_OBSERVATION, three/m_three/YES CARRY_EXPIRED',
  ])
})

test('a pool whose settled leg decides names no other leg', () => {
  const settled = legData([], { resolutions: [resolution(NOW, '1')] })
  expect(reasonsOf({ m_one: settled, plain: said('plain', '0.5', NOW + HOUR - MINUTE) })).toEqual([])
})

test.each(VENUES)('the leg that a pool leaves out is named: %s', (venue) => {
  const at = NOW + HOUR - MINUTE
  const records = Object.fromEntries(VENUES.map((one) => [`m_${one}`, said(one, one === venue ? '0.9' : '0.4', at)]))
  const [reason, ...others] = reasonsOf({ ...records, plain: said('plain', '0.5', at) })
  expect(others).toEqual([])
  expect([reason!.state, reason!.reason_code, legsText(reason!)]).toEqual([
    'excluded',
    'POOL_DISPERSION',
    `${venue}/m_${venue}/YES`,
  ])
})
