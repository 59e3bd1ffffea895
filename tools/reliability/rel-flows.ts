import { runLiveDrill } from './flows/live-drill.ts'
import { runPastDrill } from './flows/past-drill.ts'
import { anySeed, lane, noneOr, whole } from './lane.ts'
import { writeReport } from './write-report.ts'

/**
 * `npm run rel:flows -- [--levels M] [--acts N] [--live M] [--seed S]`: the workflows' drill. First the past: a day of three venues and M
 * minutes of levels are filled in undisturbed, and again through workers while each fault in turn hits 30 % of the answers and, N times a
 * fault, a worker or the Temporal server is killed by signal 9, commands are cancelled, or ingest is paused; every request is also given
 * twice. Both must come to the same rows and levels. Then the present: `tidemark up` for M minutes of real time, while worker, API,
 * engine, Temporal server, Postgres and the service itself are killed and publication is paused; no tick and no trade may be missing or
 * doubled. Each kind of act must have happened. Prints one JSON line, which reports/reliability/rel-flows.json keeps; ends with 1 at a
 * violation.
 */
const { levels, acts, live, seed } = lane('rel:flows')
  .option('--levels <minutes>', 'minutes of levels that are filled in; 0: only the service', whole(0), 100)
  .option('--acts <n>', 'kills, cancellations and pauses while each fault lasts', whole(0), 8)
  .option(
    '--live <minutes>',
    'minutes of the service in real time, in which every act has its time; 0: only the past',
    noneOr(6),
    17,
  )
  .option('--seed <n>', 'of the world, the faults and the acts', whole(0), anySeed())
  .parse()
  .opts<{ levels: number; acts: number; live: number; seed: number }>()
const began = performance.now()
const onPhase = (text: string) =>
  void process.stderr.write(`${Math.round((performance.now() - began) / 1_000)} s: ${text}\n`)
const past = levels === 0 ? null : await runPastDrill({ seed, minutes: levels, acts, onPhase })
const present = live === 0 ? null : await runLiveDrill({ seed, minutes: live, onPhase })
const violations = [...(past?.violations ?? []), ...(present?.violations ?? [])]
writeReport('rel-flows', { lane: 'rel:flows', seed, past, present, violations })
