import { type SimulatedKind, simulateHistory } from '../../test/trading/support/simulation.ts'
import { lane, oneOf, whole } from './lane.ts'
import { writeReport } from './write-report.ts'

/**
 * `npm run rel:sim -- [--orders N] [--seeds K] [--seed S] [--market both|books|ladder]`: random histories through the trading core and through a slow, plain second
 * one, of a market with two books and of a complementary one in turns, N orders in K histories at least (more of them where one would be so long that the slow core stands still). Prints one JSON
 * line, which reports/reliability/rel-sim.json keeps; ends with 1 at the first difference, whose seed repeats it.
 */
const HISTORY_ORDERS_MAX = 120
const KINDS = { both: ['two books', 'one ladder'], books: ['two books'], ladder: ['one ladder'] } as const

const {
  orders: wanted,
  seeds,
  seed: first,
  market,
} = lane('rel:sim')
  .option('--orders <n>', 'orders at least', whole(1), 100_000)
  .option('--seeds <n>', 'histories at least', whole(1), 1_000)
  .option('--seed <n>', 'of the first history', whole(0), 1)
  .option('--market <kind>', 'of the histories', oneOf(Object.keys(KINDS)), 'both')
  .parse()
  .opts<{ orders: number; seeds: number; seed: number; market: keyof typeof KINDS }>()
const length = Math.min(Math.ceil(wanted / seeds), HISTORY_ORDERS_MAX)

const kinds: readonly SimulatedKind[] = KINDS[market]
let [orders, fills, histories] = [0, 0, 0]
let failed: { seed: number; kind: SimulatedKind; difference: string } | null = null
while (failed === null && (orders < wanted || histories < seeds)) {
  const seed = first + histories
  const kind = kinds[seed % kinds.length]!
  const history = simulateHistory(seed, length, kind)
  histories += 1
  orders += history.orders
  fills += history.fills
  if (history.difference !== null) failed = { seed, kind, difference: history.difference }
}
const report = { lane: 'rel:sim', market, first_seed: first, histories, history_orders: length, orders, fills }
writeReport('rel-sim', { ...report, violations: failed === null ? [] : [failed] })
