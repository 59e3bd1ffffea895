import { parseArgs } from 'node:util'
import { runKills } from './kill/run-kills.ts'
import { REPORTS, writeReport } from './write-report.ts'

/**
 * `npm run rel:kill -- [--kills N] [--seed S] [--clients C] [--acknowledged A]`: ends API, engines and Postgres by signal 9, at random
 * and at named places, or stops the leader for a while, N times, while C clients trade over HTTP, with A acknowledged writes between
 * two kills on average. After each kill every invariant of the books is checked; at the end what clients wrote down is compared with
 * what the database holds. Prints one JSON line, which reports/reliability/rel-kill.json keeps; ends with 1 at the first violation,
 * beside which lie the journals.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    clients: { type: 'string', default: '16' },
    acknowledged: { type: 'string', default: '200' },
  },
})
const CHAPTER_KILLS = 25

const started = performance.now()
const [kills, seed, clients, acknowledged] = [values.kills, values.seed, values.clients, values.acknowledged].map(
  Number,
) as [number, number, number, number]
const onChapter = (text: string) => process.stderr.write(`${text}\n`)
const limits = { chapter_kills: CHAPTER_KILLS, evidence: REPORTS }
const report = await runKills({ kills, seed, clients, acknowledged, ...limits, onChapter })
writeReport('rel-kill', { ...report, seconds: Math.round((performance.now() - started) / 1000) })
