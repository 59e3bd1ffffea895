import { parseArgs } from 'node:util'
import { runDays } from './day/run-day.ts'
import { writeReport } from './write-report.ts'

/**
 * `npm run rel:day -- [--kills N] [--orders N] [--seed S]`: one day of trading (orders, a pause, settlements that fail and that the rail
 * takes back, a resolution that is disputed, proposed again and corrected, a market that is void) through the engine, Postgres, a rail
 * with faults and whoever settles: once undisturbed, and once with N kills by signal 9 of these, at random and at named steps. Both must
 * end in the same balances, positions, settlements, orders and resolutions, and every promise of the books must hold. Prints one JSON
 * line, which reports/reliability/rel-day.json keeps; ends with 1 at the first difference.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    orders: { type: 'string', default: '240' },
    seed: { type: 'string', default: '1' },
  },
})
const [kills, orders, seed] = [values.kills, values.orders, values.seed].map(Number) as [number, number, number]
const onPhase = (text: string) => void process.stderr.write(`${text}\n`)
writeReport('rel-day', await runDays({ kills, orders, seed, onPhase }))
