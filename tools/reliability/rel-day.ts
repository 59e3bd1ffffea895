import { runDays } from './day/run-day.ts'
import { lane, whole } from './lane.ts'
import { writeReport } from './write-report.ts'

/**
 * `npm run rel:day -- [--kills N] [--orders N] [--seed S]`: one day of trading (orders, a pause, settlements that fail and that the rail
 * takes back, a resolution that is disputed, proposed again and corrected, a market that is void) through the engine, Postgres, a rail
 * with faults and whoever settles: once undisturbed, and once with N kills by signal 9 of these, at random and at named steps. Both must
 * end in the same balances, positions, settlements, orders and resolutions, and every promise of the books must hold. Prints one JSON
 * line, which reports/reliability/rel-day.json keeps; ends with 1 at the first difference.
 */
const { kills, orders, seed } = lane('rel:day')
  .option('--kills <n>', 'kills of the disturbed day', whole(0), 50)
  .option('--orders <n>', 'orders of a day', whole(1), 240)
  .option('--seed <n>', 'of the day and of the kills', whole(0), 1)
  .parse()
  .opts<{ kills: number; orders: number; seed: number }>()
const onPhase = (text: string) => void process.stderr.write(`${text}\n`)
writeReport('rel-day', await runDays({ kills, orders, seed, onPhase }))
