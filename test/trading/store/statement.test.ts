import { beforeAll, describe, expect, test } from 'vitest'
import type { StatementEntryRead } from '../../../trading/projections/statement.ts'
import { createTradingReads } from '../../../trading/store/read/create-trading-reads.ts'
import type { StatementFilters, TradingReads } from '../../../trading/store/read/trading-reads.ts'
import { seededRandom } from '../../support/random.ts'
import { sized } from '../../support/sized.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { writeRandomHistory } from '../../support/trading/random-history.ts'
import { ACCOUNTS } from '../../support/trading/random-submissions.ts'
import { type BatchWriter, openWriter, START } from '../support/batch-writer.ts'

const INSTANTS = sized(200, 10_000)
const EVERYTHING: StatementFilters = {
  asset_id: null,
  market_id: null,
  kind: null,
  booked_after: null,
  booked_before: null,
  engine_sequence_after: null,
  engine_sequence_before: null,
}
const ALL_POSITIONS = { market_id: null, outcome_id: null, nonzero_only: false, settlement_state: null }
const ALL = { after: null, limit: 1000 }

const database = withDatabase()
let writer: BatchWriter
let reads: TradingReads
const whole = new Map<string, readonly StatementEntryRead[]>()

beforeAll(async () => {
  writer = await openWriter((await database()).pool)
  await writeRandomHistory(writer, 7, sized(250, 1_500))
  reads = createTradingReads(writer.pool)
  for (const account_id of ACCOUNTS) whole.set(account_id, await statementOf(account_id, {}, () => 100))
  return () => writer.connection.close()
}, 240_000)

/** Reads all pages of a statement. */
async function statementOf(
  account_id: string,
  filters: Partial<StatementFilters>,
  limitOf: () => number,
): Promise<StatementEntryRead[]> {
  const found: StatementEntryRead[] = []
  for (let after: readonly number[] | null = null; ; ) {
    const limit = limitOf()
    const page = await reads.statement(account_id, { ...EVERYTHING, ...filters }, null, { after, limit })
    expect(page.rows.length).toBeLessThanOrEqual(limit)
    found.push(...page.rows)
    if (page.next === null) return found
    after = page.next
  }
}

/** Sums entries from nothing, by asset and bucket. */
function foldOf(entries: readonly StatementEntryRead[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { asset_id, bucket, amount } of entries) {
    sums.set(`${asset_id} ${bucket}`, (sums.get(`${asset_id} ${bucket}`) ?? 0) + amount)
  }
  return sums
}

const accounts = (): [string, readonly StatementEntryRead[]][] => [...whole]

describe('the whole statement', () => {
  test('has every line of the ledger in the account, in order, of every kind', async () => {
    const kinds = new Set<string>()
    for (const [account_id, entries] of accounts()) {
      const { rows } = await writer.pool.query(
        'SELECT ledger_sequence, line, bucket, amount FROM trading.ledger_entry WHERE account_id = $1 ORDER BY ledger_sequence, line',
        [account_id],
      )
      expect(
        entries.map(({ ledger_sequence, line, bucket, amount }) => ({ ledger_sequence, line, bucket, amount })),
      ).toEqual(rows)
      for (const { kind } of entries) kinds.add(kind)
    }
    expect([...kinds].sort()).toEqual(
      ['adjustment', 'deposit', 'fill', 'reservation', 'resolution', 'reversal', 'settlement', 'withdrawal'].sort(),
    )
  })

  test('says after each entry what the entries up to it sum to', () => {
    for (const [, entries] of accounts()) {
      const sums = new Map<string, number>()
      const totals = new Map<string, number>()
      for (const { asset_id, bucket, amount, bucket_after, total_after, entry } of entries.map((e) => ({
        ...e,
        entry: `${e.ledger_sequence}.${e.line}`,
      }))) {
        const sum = (sums.get(`${asset_id} ${bucket}`) ?? 0) + amount
        const total = (totals.get(asset_id) ?? 0) + (bucket === 'pending_credit' ? 0 : amount)
        sums.set(`${asset_id} ${bucket}`, sum)
        totals.set(asset_id, total)
        expect([entry, bucket_after, total_after]).toEqual([entry, sum, total])
      }
    }
  })

  test('sums to the balances and positions of every instant', async () => {
    const random = seededRandom(11)
    const [first, last] = [START, writer.now]
    for (let n = 0; n < INSTANTS; n += 1) {
      const as_of = n === 0 ? last : Math.floor(first + random() * (last - first))
      const [account_id, entries] = accounts()[n % ACCOUNTS.length]!
      const sums = foldOf(entries.filter(({ at }) => at <= as_of))
      const sum = (asset_id: string, bucket: string) => sums.get(`${asset_id} ${bucket}`) ?? 0
      for (const balance of (await reads.balances(account_id, null, as_of)).rows) {
        const { asset_id, total, reserved, withdrawal_hold, pending_settlement_debit, pending_settlement_credit } =
          balance
        const held = sum(asset_id, 'reserved') + sum(asset_id, 'withdrawal_hold') + sum(asset_id, 'pending_debit')
        expect([as_of, sum(asset_id, 'available') + held]).toEqual([as_of, total])
        expect([as_of, sum(asset_id, 'reserved'), sum(asset_id, 'withdrawal_hold')]).toEqual([
          ...[as_of, reserved, withdrawal_hold],
        ])
        expect([as_of, sum(asset_id, 'pending_debit'), sum(asset_id, 'pending_credit')]).toEqual([
          ...[as_of, pending_settlement_debit, pending_settlement_credit],
        ])
      }
      for (const { outcome_id, net_quantity, settled_quantity } of (
        await reads.positions(account_id, ALL_POSITIONS, as_of, ALL)
      ).rows) {
        const settled = sum(outcome_id, 'settled')
        expect([as_of, outcome_id, settled + sum(outcome_id, 'unsettled'), settled]).toEqual([
          ...[as_of, outcome_id, net_quantity, settled_quantity],
        ])
      }
    }
  }, 600_000)
})

describe('pages', () => {
  test('of any length put together are the statement, running sums included', async () => {
    const random = seededRandom(5)
    for (const [account_id, entries] of accounts()) {
      expect(await statementOf(account_id, {}, () => 1 + Math.floor(random() * 9))).toEqual(entries)
    }
  })

  test('of a filter are the entries that it leaves in the whole, running sums included', async () => {
    const [, first] = accounts()[0]!
    const middle = first[Math.floor(first.length / 2)]!
    const cases: [Partial<StatementFilters>, (entry: StatementEntryRead) => boolean][] = [
      [{ asset_id: 'out_yes' }, (entry) => entry.asset_id === 'out_yes'],
      [{ asset_id: 'asset_eur' }, (entry) => entry.asset_id === 'asset_eur'],
      [{ market_id: 'mkt_1' }, (entry) => entry.market_id === 'mkt_1'],
      [{ kind: 'fill' }, (entry) => entry.kind === 'fill'],
      [{ kind: 'payout' }, (entry) => entry.kind === 'resolution'],
      [{ kind: 'fee' }, (entry) => (entry.fee ?? 0) !== 0],
      [{ booked_after: middle.at }, (entry) => entry.at >= middle.at],
      [{ booked_before: middle.at }, (entry) => entry.at < middle.at],
      [{ engine_sequence_after: middle.engine_sequence }, (entry) => entry.engine_sequence > middle.engine_sequence],
      [{ engine_sequence_before: middle.engine_sequence }, (entry) => entry.engine_sequence < middle.engine_sequence],
      [
        { kind: 'order', asset_id: 'asset_usd', booked_after: middle.at },
        (entry) => entry.kind === 'reservation' && entry.asset_id === 'asset_usd' && entry.at >= middle.at,
      ],
    ]
    for (const [filters, passes] of cases) {
      let found = 0
      for (const [account_id, entries] of accounts()) {
        const expected = entries.filter(passes)
        found += expected.length
        expect(await statementOf(account_id, filters, () => 7), JSON.stringify(filters)).toEqual(expected)
      }
      expect(found, JSON.stringify(filters)).toBeGreaterThan(0)
    }
  }, 120_000)
})

describe('causes', () => {
  test('the fees of all entries are those of the fills and their adjustments, with the schedule of each', async () => {
    for (const [account_id, entries] of accounts()) {
      const shown = entries.filter(({ fee }) => fee !== null)
      const { rows } = await writer.pool.query(
        `SELECT (SELECT coalesce(sum(fee), 0) FROM trading.fill WHERE account_id = $1)::bigint
              + (SELECT coalesce(sum(fee_delta), 0) FROM trading.adjustment WHERE account_id = $1)::bigint AS fees`,
        [account_id],
      )
      expect(shown.reduce((sum, { fee }) => sum + fee!, 0)).toBe(rows[0].fees)
      expect(new Set(shown.map(({ schedule_id, schedule_version }) => `${schedule_id} ${schedule_version}`))).toEqual(
        new Set(['fee_1 1']),
      )
    }
  })

  test('every entry names its record, and the records are the account’s', async () => {
    const named = {
      reservation: ['order_id', 'market_id', 'outcome_id'],
      fill: ['order_id', 'fill_id', 'trade_id', 'settlement_id', 'market_id', 'outcome_id'],
      settlement: ['settlement_id', 'market_id', 'outcome_id'],
      reversal: ['settlement_id', 'fill_id', 'order_id'],
      resolution: ['settlement_id', 'resolution_id', 'market_id'],
      adjustment: ['adjustment_id', 'fill_id', 'order_id', 'settlement_id'],
      deposit: ['transfer_id'],
      withdrawal: ['transfer_id'],
    } as const
    for (const [account_id, entries] of accounts()) {
      for (const entry of entries) {
        for (const field of named[entry.kind]) expect([entry.kind, field, entry[field]]).not.toContain(null)
      }
      const order_ids = [...new Set(entries.flatMap(({ order_id }) => order_id ?? []))]
      const { rows } = await writer.pool.query(
        'SELECT DISTINCT account_id FROM trading.orders WHERE order_id = ANY ($1)',
        [order_ids],
      )
      expect(rows).toEqual([{ account_id }])
    }
  })
})
