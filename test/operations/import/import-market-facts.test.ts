import { describe, expect, test } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { MARKET } from '../../pipelines/venues/kalshi/payloads.ts'
import { importWorld } from '../../support/import-world.ts'
import { type PayloadLine, writePayloads } from '../../support/payload-folder.ts'

/** Trading parameters, sizes and eligibility of markets, from payloads to the tables. */

const world = importWorld()
const { ask } = world

const at = (time: string) => `2026-03-05T${time}Z`
const said = (time: string, market: object): PayloadLine => ({
  endpoint: 'GET /markets/{ticker}',
  received_at: at(time),
  body: { market: { ...MARKET, ...market } },
})
const load = (clock: 'wall' | 'recorded' = 'wall') => world.load({ archive: 'kalshi', clock })
const metrics = () => ask('select volume_24h, open_interest, source_at from market_metric_history order by source_at')
const increments = () =>
  ask('select revision, trading_parameters.price_increment as step from market_history order by revision')

describe('market_metric', () => {
  test('a row where a size changed; the same archive again adds nothing', async () => {
    writePayloads(world.dir, 'x.payloads.jsonl', [
      said('10:00:00', { volume_24h_fp: '10.00', open_interest_fp: '5.50' }),
      said('10:00:30', { volume_24h_fp: '10.00', open_interest_fp: '5.50' }),
      said('10:01:00', { volume_24h_fp: '0.00', open_interest_fp: '5.50' }),
    ])
    await load()
    const rows = [
      { volume_24h: '10.000000', open_interest: '5.500000', source_at: at('10:00:00') },
      { volume_24h: '0.000000', open_interest: '5.500000', source_at: at('10:01:00') },
    ]
    expect(await metrics()).toEqual(rows)
    expect(await load()).toMatchObject({ records_new: 0, records_revised: 0, reference_records: 0, commits: 0 })
    expect(await metrics()).toEqual(rows)
    expect((await auditWarehouse(world)).violations).toEqual([])
  })

  test('of two statements in one instant the last stands', async () => {
    writePayloads(world.dir, 'x.payloads.jsonl', [
      said('10:00:00', { volume_24h_fp: '10.00' }),
      said('10:00:00', { volume_24h_fp: '11.00' }),
    ])
    await load()
    expect(await metrics()).toMatchObject([{ volume_24h: '11.000000' }])
  })

  test('under the recorded clock it is published with its minute', async () => {
    writePayloads(world.dir, 'x.payloads.jsonl', [
      said('10:00:10', { volume_24h_fp: '10.00' }),
      said('10:00:50', { volume_24h_fp: '11.00' }),
    ])
    await load('recorded')
    expect(await ask('select distinct published_at from market_metric_history')).toEqual([
      { published_at: at('10:00:50') },
    ])
    expect(await ask('select published_at, evaluated_at from market_eligibility')).toEqual([
      { published_at: at('10:00:50'), evaluated_at: at('10:00:10') },
    ])
  })
})

describe('market.trading_parameters', () => {
  test('a statement without them leaves them, another step is a revision', async () => {
    writePayloads(world.dir, 'x.payloads.jsonl', [
      said('10:00:00', { price_level_structure: 'linear_cent' }),
      said('10:01:00', {}),
      said('10:02:00', { price_level_structure: 'deci_cent' }),
    ])
    expect(await load()).toMatchObject({ reference_records: 3 }) // the event, and two revisions of the market
    const expected = [
      { revision: 1, step: '0.010000000' },
      { revision: 2, step: '0.001000000' },
    ]
    expect(await increments()).toEqual(expected)
    expect(await load()).toMatchObject({ reference_records: 0 })
    expect(await increments()).toEqual(expected)
  })
})

describe('market_eligibility', () => {
  test('one decision a market, made where it is first described, whatever changes of the market', async () => {
    writePayloads(world.dir, 'x.payloads.jsonl', [
      said('10:00:00', {}),
      said('10:01:00', { status: 'closed' }),
      said('10:01:00', { ticker: 'KXB-1' }),
    ])
    await load()
    await load()
    const rows = await ask(
      `select m.venue_mapping.source_market_id as market, e.status, e.policy_id, e.policy_version, e.reason_codes,
        e.evaluated_at, e.revision
      from market_eligibility_history as e join market as m using (market_id) order by market`,
    )
    const decided = { status: 'eligible', policy_id: 'pol_source_terms', policy_version: '1', reason_codes: [] }
    expect(rows).toEqual([
      { market: 'KXB-1', ...decided, evaluated_at: at('10:01:00'), revision: 1 },
      { market: 'KXELONMARS-99', ...decided, evaluated_at: at('10:00:00'), revision: 1 },
    ])
  })
})
