import { spread } from '../../bench/support/rounds.ts'
import { renderTable } from '../../service/output.ts'
import { lane, whole } from '../reliability/lane.ts'
import { CASH_POLICIES, type CashPolicy, type Outcome, ShardModel } from './model.ts'
import { assignGroups, sharesOf } from './workload.ts'

/**
 * `npm run shards -- [--orders N] [--seed S]`: what several engines, each with a share of the markets, would give and cost. A model,
 * not the engine; docs/decisions/0017-one-engine-until-its-limit.md reads its tables.
 */
const { orders, seed } = lane('shards')
  .option('--orders <n>', 'orders of each simulation', whole(1), 100_000)
  .option('--seed <n>', 'of the orders', whole(0), 1)
  .parse()
  .opts<{ orders: number; seed: number }>()

/** Costs of an engine today, and of one that commits a journal record: bench `engine`, docs/decisions/0017. */
const ENGINES = {
  'rows in tables': { commit_us: 3_000, record_us: 170, batch_max: 256, offered_per_s: 2_000 },
  'one journal record': { commit_us: 1_000, record_us: 10, batch_max: 1_000, offered_per_s: 30_000 },
} as const
type Costs = (typeof ENGINES)[keyof typeof ENGINES]
const SHARDS = [1, 2, 4, 8]
const SKEWS = [0, 60, 100, 140]
const COVERS = [1.2, 1.5, 2, 4, 10]

const WORKLOAD = {
  ...{ seed, orders, groups: 400, group_skew: 100, accounts: 1_000, account_skew: 80 },
  ...{ cost_max: 200, cover: 4 },
}
/** Length of a simulation in times for which an order binds its cash. */
const HOLDS = 8

const HEAD = ['asked/s', 'accepted/s', 'p50 ms', 'p99 ms', 'busiest', 'moves/order', 'stranded']
const by_shards = Object.entries(ENGINES).flatMap(([engine, costs]) =>
  SHARDS.flatMap((shards) =>
    CASH_POLICIES.filter((policy) => shards > 1 || policy === 'fixed').map((policy) => [
      ...[engine, `${shards}`, policy],
      ...line(costs, shards, policy, WORKLOAD.cover),
    ]),
  ),
)
console.log(renderTable(['engine', 'shards', 'cash', ...HEAD], by_shards, 200))

const by_cover = COVERS.flatMap((cover) =>
  CASH_POLICIES.map((policy) => [`${cover}`, policy, ...line(ENGINES['one journal record'], 4, policy, cover)]),
)
console.log(`\n${renderTable(['cover', 'cash', ...HEAD], by_cover, 200)}`)

const bounds = SKEWS.map((skew) => [`${skew / 100}`, ...SHARDS.map((shards) => speedBound(skew, shards).toFixed(2))])
console.log(`\n${renderTable(['skew', ...SHARDS.map((shards) => `${shards} shards at most`)], bounds, 200)}`)

function line(costs: Costs, shards: number, policy: CashPolicy, cover: number): string[] {
  const { offered_per_s, ...engine } = costs
  const asked_per_s = offered_per_s * shards
  const hold_us = (1e6 * orders) / asked_per_s / HOLDS
  const workload = { ...WORKLOAD, cover, hold_us, offered_per_s: asked_per_s }
  const outcome = new ShardModel(workload, { shards, policy, ...engine, crashes: 0, restart_us: 1_000_000 }).run()
  const { p50, p99 } = spread(outcome.latencies_us)
  return [
    `${workload.offered_per_s}`,
    `${Math.round(outcome.accepted / (outcome.span_us / 1e6))}`,
    (p50 / 1_000).toFixed(1),
    (p99 / 1_000).toFixed(1),
    Math.max(...outcome.busy).toFixed(2),
    (outcome.moves / orders).toFixed(3),
    strandedShare(outcome),
  ]
}

/** Share of the orders that were refused although their account had the cash. */
function strandedShare({ refused_affordable }: Outcome): string {
  return `${((100 * refused_affordable) / orders).toFixed(2)} %`
}

/** Speed-up that the popularity of markets allows: all orders over those of the shard with the most. */
function speedBound(skew: number, shards: number): number {
  const shares = sharesOf(WORKLOAD.groups, skew)
  const load = new Array<number>(shards).fill(0)
  assignGroups(shares, shards).forEach((shard, group) => {
    load[shard]! += shares[group]!
  })
  return 1 / Math.max(...load)
}
