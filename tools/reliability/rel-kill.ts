import { runKills } from './kill/run-kills.ts'
import { anySeed, lane, whole } from './lane.ts'
import { REPORTS, writeReport } from './write-report.ts'

/**
 * `npm run rel:kill -- [--kills N] [--seed S] [--clients C] [--acknowledged A]`: ends API, engines and Postgres by signal 9, at random
 * and at named places, or stops the leader for a while, N times, while C clients trade over HTTP, with A acknowledged writes between
 * two kills on average. After each kill every invariant of the books is checked; at the end what clients wrote down is compared with
 * what the database holds. Prints one JSON line, which reports/reliability/rel-kill.json keeps; ends with 1 at the first violation,
 * beside which lie the journals.
 */
const { kills, seed, clients, acknowledged } = lane('rel:kill')
  .option('--kills <n>', 'kills in all', whole(1), 1_000)
  .option('--seed <n>', 'of what is killed, and when', whole(0), anySeed())
  .option('--clients <n>', 'that trade meanwhile', whole(1), 16)
  .option('--acknowledged <n>', 'writes between two kills on average', whole(1), 200)
  .parse()
  .opts<{ kills: number; seed: number; clients: number; acknowledged: number }>()
const CHAPTER_KILLS = 25

const onChapter = (text: string) => process.stderr.write(`${text}\n`)
const limits = { chapter_kills: CHAPTER_KILLS, evidence: REPORTS }
const report = await runKills({ kills, seed, clients, acknowledged, ...limits, onChapter })
writeReport('rel-kill', report)
