import { expect, test } from 'vitest'
import { availableOf } from '../../trading/ledger/balance.ts'
import { TradingWorld } from './support/world.ts'

/** Dollars with six fraction digits, as whole numbers. */
const usd = (text: string) => Math.round(Number(text) * 1_000_000)
/** Contracts with two. */
const contracts = (count: number) => count * 100

test('T1: a BUY reserves limit and fee buffer; a better fill takes its cost and returns the rest', () => {
  const world = new TradingWorld()
  world.place('acct_b', 'SELL', '40', '0.60')
  const before = world.balance('acct_a').total
  const { order_id } = world.place('acct_a', 'BUY', '100', '0.62')
  const [fill] = world.fills('acct_a')
  expect(fill).toMatchObject({ price: 60, quantity: contracts(40), fee: usd('0.320000'), liquidity_role: 'taker' })
  expect(world.balance('acct_a')).toMatchObject({
    total: before,
    pending_settlement_debit: usd('24.320000'),
    reserved: usd('37.800000'),
  })
  expect(world.order(order_id)).toMatchObject({ status: 'partially_filled', remaining_quantity: contracts(60) })
  // 63.000000 were reserved: 24.320000 pending and 37.800000 reserved leave 0.880000 returned.
  expect(availableOf(world.balance('acct_a'))).toBe(before - usd('63.000000') + usd('0.880000'))
})

test('T1 before its fill: 63.000000 are reserved', () => {
  const world = new TradingWorld()
  world.place('acct_a', 'BUY', '100', '0.62')
  expect(world.balance('acct_a').reserved).toBe(usd('63.000000'))
})

test('T2 and T3: a short sale keeps its collateral, its proceeds join when confirmed, and a purchase covers it', () => {
  const world = new TradingWorld({ accounts: ['acct_a', 'acct_b', 'acct_c'] })
  const before = world.balance('acct_a').total
  world.place('acct_b', 'BUY', '50', '0.34')
  world.place('acct_a', 'SELL', '50', '0.30')
  const [short] = world.fills('acct_a')
  expect(short).toMatchObject({ price: 34, fee: usd('0.340000'), uncovered_quantity: contracts(50) })
  expect(world.balance('acct_a')).toMatchObject({
    total: before,
    reserved: usd('33.340000'),
    pending_settlement_credit: usd('16.660000'),
  })
  expect(availableOf(world.balance('acct_a'))).toBe(before - usd('35.500000') + usd('2.160000'))
  world.confirm(short!)
  expect(world.balance('acct_a')).toMatchObject({
    total: before + usd('16.660000'),
    reserved: usd('50.000000'),
    pending_settlement_credit: 0,
  })
  world.place('acct_c', 'SELL', '20', '0.25')
  world.place('acct_a', 'BUY', '20', '0.25')
  expect(world.balance('acct_a')).toMatchObject({
    reserved: usd('30.000000'),
    pending_settlement_debit: usd('5.100000'),
  })
  expect(world.position('acct_a')).toMatchObject({
    net_quantity: -contracts(30),
    realized_pnl: usd('1.800000'),
    average_entry_price: 3_400_000_000,
  })
})

test('T2 before its fill: 35.500000 are reserved', () => {
  const world = new TradingWorld()
  world.place('acct_a', 'SELL', '50', '0.30')
  expect(world.balance('acct_a').reserved).toBe(usd('35.500000'))
})

test('T4: fees of many small fills are those of their exact sum, rounded half even each time', () => {
  const world = new TradingWorld({ taker_rate: '0.0175' })
  for (let n = 0; n < 3; n += 1) world.place('acct_b', 'SELL', '0.01', '0.01')
  world.place('acct_a', 'BUY', '0.03', '0.01')
  expect(world.fills('acct_a').map(({ fee }) => fee)).toEqual([2, 2, 1])
})
