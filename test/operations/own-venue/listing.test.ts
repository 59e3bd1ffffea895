import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { approveCorrection } from '../../../operations/own-venue/approve-correction.ts'
import { type ListingReport, listMarkets } from '../../../operations/own-venue/list-markets.ts'
import { type ListingPolicy, listedMarketId, listedOutcomeId } from '../../../operations/own-venue/listing-policy.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { parseListing, readListingFile } from '../../../service/trading/listing-policy-file.ts'
import { operatorReads } from '../../../trading/store/operator/operator-reads.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { clockedVenue, minuteAt } from './support/clocked-venue.ts'
import { References, referenceId, referenceOutcome } from './support/reference-rows.ts'
import { ownRows, takeAll } from './support/venue-world.ts'

const database = withDatabase()
const folder = tempFolder()

const POLICY: ListingPolicy = {
  policy_id: 'lst_test',
  policy_version: '1',
  sources: [{ venue_id: 'kalshi', categories: ['politics'], markets_max: 2, remaining_min: 'PT1H' }],
  trading_parameters: {
    price_min: '0.01',
    price_max: '0.99',
    price_increment: '0.01',
    quantity_increment: '0.01',
    minimum_quantity: '1',
    settlement_asset_id: 'asset_usd',
    shorting_permitted: true,
  },
  fees: { schedule_id: 'fee_listing', taker_rate: '0.02', maker_rate: '0' },
  stale_after: 'PT15M',
  dispute_window: 'PT5M',
}

const shortOf = ({ acts }: ListingReport) =>
  acts.map(({ market_id, command, result }) => {
    const names = ['a', 'b', 'c'].map((name) => [listedMarketId(referenceId(name)) as string, name] as const)
    return [new Map(names).get(market_id), command.kind === 'move_market' ? command.to : command.kind, result].join(' ')
  })

async function listingWorld(name: string) {
  const { pool } = await database()
  const venue = await clockedVenue(pool, join(folder, name))
  const references = new References(venue.warehouse, venue.now)
  const { warehouse, reads, now } = venue
  const ports = { warehouse, reads, operator: operatorReads(pool), client: venue.engine.client, policy: POLICY, now }
  const statusOf = async (reference: string) => {
    const listed = await reads.markets()
    return listed.find(({ market_id }) => market_id === listedMarketId(referenceId(reference)))?.status
  }
  const list = async (dry_run = false) => shortOf(await listMarkets(ports, dry_run))
  return { ...venue, pool, references, ports, list, statusOf }
}

describe('a listing by policy', { timeout: 180_000 }, () => {
  test('lists the most traded open markets, once, and has them follow their references', async () => {
    const world = await listingWorld('follows')
    const { references, list, statusOf } = world
    for (const [name, volume] of [
      ['a', '10'],
      ['b', '30'],
      ['c', '20'],
    ] as const) {
      await references.market(name, 'open', volume)
      await references.quote(name)
    }
    world.setClock(minuteAt(1))
    expect(await list(true)).toEqual([
      'b add_market planned',
      'b open planned',
      'c add_market planned',
      'c open planned',
    ])
    expect(await statusOf('b')).toBeUndefined()
    expect(await list()).toEqual(['b add_market done', 'b open done', 'c add_market done', 'c open done'])
    expect(await list()).toEqual([])

    world.setClock(minuteAt(2))
    await references.market('b', 'paused')
    expect(await list()).toEqual(['b paused done'])
    world.setClock(minuteAt(3))
    await references.market('b', 'open')
    expect(await list()).toEqual(['b open done'])

    // Nothing was heard of c for longer than the policy allows.
    world.setClock(minuteAt(14))
    await references.quote('b')
    world.setClock(minuteAt(20))
    expect(await list()).toEqual(['c paused done'])
    await references.quote('c')
    expect(await list()).toEqual(['c open done'])
    await takeAll(world.tail)
    const rows = await ownRows(world.warehouse, 'market', 'market_id, revision, status, event_id')
    const ofB = rows.filter(({ market_id }) => market_id === listedMarketId(referenceId('b')))
    expect(ofB.map(({ status }) => status)).toEqual(['scheduled', 'open', 'paused', 'open'])
    const { rows: acts } = await world.pool.query(
      "select distinct actor from trading.operator_act where act_id like 'act_%' and command->>'market_id' like 'mkt_%' and reason like '%reference%'",
    )
    expect(acts).toEqual([{ actor: 'workflow:listing' }])
    const events = await ownRows(world.warehouse, 'event', 'event_id, revision, title, market_ids')
    expect(events.filter(({ revision }) => revision === 2).map(({ title, market_ids }) => [title, market_ids])).toEqual(
      expect.arrayContaining([['Event b', [referenceId('b'), listedMarketId(referenceId('b'))]]]),
    )
    await world.close()
  })

  test('leaves the moves of an operator alone', async () => {
    const world = await listingWorld('operator')
    const { references, list, statusOf } = world
    await references.market('a', 'open')
    await references.quote('a')
    world.setClock(minuteAt(1))
    await list()
    const market_id = listedMarketId(referenceId('a'))
    await world.operate({ kind: 'move_market', market_id, to: 'paused' })
    expect(await list()).toEqual([])
    expect(await statusOf('a')).toBe('paused')
    await world.operate({ kind: 'move_market', market_id, to: 'open' })
    world.setClock(minuteAt(30))
    expect(await list()).toEqual([])
    expect(await statusOf('a')).toBe('open')
    await references.market('a', 'closed')
    expect(await list()).toEqual(['a closed done'])
    await world.close()
  })

  test('proposes the final resolution of the reference with its evidence, once; a person looks at what is not whole', async () => {
    const world = await listingWorld('resolution')
    const { references, list, statusOf, ports } = world
    for (const name of ['a', 'b']) {
      await references.market(name, 'open')
      await references.quote(name)
    }
    world.setClock(minuteAt(1))
    await list()
    world.setClock(minuteAt(2))
    await references.resolution('a', 'proposed', '1', '0')
    expect(await list()).toEqual(['a closed done'])
    world.setClock(minuteAt(3))
    await references.resolution('a', 'final', '1', '0')
    await references.resolution('b', 'final', '0.3', '0.3')
    const report = await listMarkets(ports)
    expect(shortOf(report)).toEqual(['a propose_resolution done'])
    expect(report.notes.map(({ note }) => note)).toEqual([expect.stringContaining('is not whole')])
    expect(await statusOf('a')).toBe('resolving')
    const { rows } = await world.pool.query(
      'select verdict, payouts, evidence, resolver_kind, resolver_id, actor from trading.resolution',
    )
    expect(rows).toEqual([
      {
        verdict: 'resolved',
        payouts: [
          { outcome_id: listedOutcomeId(referenceOutcome('a', 'YES')), payout: '1' },
          { outcome_id: listedOutcomeId(referenceOutcome('a', 'NO')), payout: '0' },
        ],
        evidence: [
          expect.objectContaining({ kind: 'market_resolution', observed_at: minuteAt(3) }),
          expect.objectContaining({ evidence_id: 'ev_a', kind: 'archive_row' }),
        ],
        resolver_kind: 'venue',
        resolver_id: 'kalshi',
        actor: 'workflow:listing',
      },
    ])
    expect(await list()).toEqual([])
    await world.close()
  })
})

describe('a reference that is corrected', { timeout: 180_000 }, () => {
  const YES = { outcome_id: listedOutcomeId(referenceOutcome('a', 'YES')), payout: '1' }
  const market_id = listedMarketId(referenceId('a'))

  async function resolvedWorld(name: string, dispute_window: string) {
    const world = await listingWorld(name)
    const ports = { ...world.ports, policy: { ...POLICY, dispute_window } }
    await world.references.market('a', 'open')
    await world.references.quote('a')
    world.setClock(minuteAt(1))
    await listMarkets(ports)
    world.setClock(minuteAt(2))
    await world.references.resolution('a', 'final', '0', '1')
    expect(shortOf(await listMarkets(ports))).toEqual(['a propose_resolution done'])
    const newest = async () => {
      const sql = 'select * from trading.resolution order by revision desc limit 1'
      return (await world.pool.query(sql)).rows[0]
    }
    return { ...world, ports, newest }
  }

  test('before the end is final: it is disputed, and once that is upheld the new end is proposed', async () => {
    const { references, ports, newest, operate, setClock, close } = await resolvedWorld('corrected-early', 'PT5M')
    setClock(minuteAt(3))
    await references.resolution('a', 'final', '1', '0')
    expect(shortOf(await listMarkets(ports))).toEqual(['a dispute_resolution done'])
    const { resolution_id, finality, dispute } = await newest()
    expect([finality, dispute.filer, dispute.state]).toEqual(['disputed', 'workflow:listing', 'open'])
    // Nobody has decided yet.
    expect(shortOf(await listMarkets(ports))).toEqual([])
    const { dispute_id } = dispute
    await operate({ kind: 'decide_dispute', resolution_id, dispute_id, upheld: true, decision: 'as the venue says' })
    expect(shortOf(await listMarkets(ports))).toEqual(['a propose_resolution done'])
    const proposed = await newest()
    expect(proposed).toMatchObject({ revision: 2, finality: 'proposed', payouts: [YES, expect.anything()] })
    await close()
  })

  test('after it: a person approves the correction, not before its window has ended', async () => {
    const { references, ports, newest, operate, setClock, close } = await resolvedWorld('corrected-late', 'PT1M')
    setClock(minuteAt(5))
    const { resolution_id } = await newest()
    await operate({ kind: 'finalize_resolution', resolution_id })
    // The same end, stated once more, corrects nothing.
    await references.resolution('a', 'final', '0', '1')
    expect(await listMarkets(ports)).toMatchObject({ acts: [], notes: [], corrections: [] })
    setClock(minuteAt(6))
    await references.resolution('a', 'final', '1', '0')
    const { acts, notes, corrections } = await listMarkets(ports)
    expect([acts, notes.length, corrections.length]).toEqual([[], 1, 1])
    const approval = { market_id, approved_by: 'desk-lead' }
    const sign = async <A>(act: A) => ({ ...act, actor: 'ann', reason: 'the venue was wrong' })
    const [{ approvable_at }] = corrections as [(typeof corrections)[number]]
    setClock(formatMicros(toMicros(approvable_at) - 1))
    await expect(approveCorrection(ports, approval, sign)).rejects.toThrow(/the dispute window/)
    expect((await newest()).revision).toBe(1)
    setClock(approvable_at)
    await approveCorrection(ports, approval, sign)
    expect(await newest()).toMatchObject({
      revision: 2,
      supersedes_id: resolution_id,
      finality: 'final',
      approved_by: 'desk-lead',
      actor: 'ann',
      resolver_kind: 'venue',
      payouts: [YES, expect.anything()],
      evidence: [
        expect.objectContaining({ kind: 'market_resolution' }),
        expect.objectContaining({ evidence_id: 'ev_a' }),
      ],
    })
    expect(await listMarkets(ports)).toMatchObject({ acts: [], notes: [], corrections: [] })
    await expect(approveCorrection(ports, approval, sign)).rejects.toThrow(/whose reference was corrected/)
    await close()
  })
})

describe('a listing file', () => {
  test('the one of the sandbox is whole', async () => {
    const policy = await readListingFile('datasets/listing/sandbox.yaml')
    expect(policy).toMatchObject({ policy_id: 'lst_sandbox', stale_after: 'PT15M' })
    expect(policy.sources[0]).toMatchObject({ categories: null })
  })

  test('what is not known or missing is named', () => {
    const text = 'listing: { policy_id: lst_x, policy_version: "1", sources: [], extra: 1 }'
    expect(() => parseListing(text, 'x.yaml')).toThrow(/x\.yaml: listing/)
    expect(() => parseListing('listing: 5', 'x.yaml')).toThrow(/allowed/)
  })
})
