import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIVE_INDEX_IDS } from '../../../service/live/live-definitions.ts'
import { VENUES } from '../../../simulator/world/options.ts'
import { createRandom } from '../../../simulator/world/random.ts'
import { endedWith } from '../ended-with.ts'
import { run } from './commands.ts'
import { auditFaults, contentOf, differences } from './content.ts'
import { applyIndexes, DisturbedPast, levelRequests, type PastAct, venueRequest } from './disturbed-past.ts'
import { type Levels, readLevels } from './levels.ts'
import { type DrillFault, FAULTS, type PastWorld, servePastWorld } from './past-world.ts'

export type PastOptions = {
  readonly seed: number
  /** Minutes of levels. */
  readonly minutes: number
  /** Kills, cancellations and pauses while each fault lasts. */
  readonly acts: number
  readonly onPhase: (text: string) => void
}

export type PastReport = {
  readonly acts: Readonly<Record<PastAct, number>>
  /** Answers that each fault spoiled. */
  readonly faults_hit: Readonly<Record<DrillFault, number>>
  /** Backfill commands that were given. */
  readonly commands: number
  readonly rows: Readonly<Record<string, number>>
  readonly ticks: Levels['ticks']
  readonly seconds: number
  readonly violations: readonly string[]
}

/**
 * Fills in a day of three venues and minutes of levels twice: undisturbed, and through workers while each fault in turn hits 30 % of the
 * answers, workers and the Temporal server are killed, commands are cancelled and given twice, and ingest is paused. Both must come to
 * the same rows.
 */
export async function runPastDrill({ seed, minutes, acts, onPhase }: PastOptions): Promise<PastReport> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-flows-'))
  const began = performance.now()
  const world = await servePastWorld(seed, minutes)
  const close = async () => {
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return await endedWith(close, async () => {
    const [plain, beset] = [join(folder, 'plain'), join(folder, 'beset')]
    onPhase('the past, undisturbed')
    await world.importRecording(plain)
    cpSync(plain, beset, { recursive: true })
    await fillPlain(world, plain)
    const drill = new DisturbedPast(world, beset, { random: createRandom(seed, 'flows'), acts, onPhase })
    await drill.run(join(folder, 'temporal'))
    onPhase('comparing')
    const [expected, found] = [await contentOf(plain), await contentOf(beset)]
    const levels = await readLevels(beset)
    const hits = world.hits()
    const violations = [
      ...drill.violations,
      ...(acts === 0 ? [] : drill.acts.missing()),
      ...FAULTS.filter((fault) => hits[fault] === 0).map((fault) => `${fault} spoiled no answer`),
      ...differences(expected, found),
      ...levels.faults,
      ...LIVE_INDEX_IDS.filter((id) => levels.ticks[id] !== minutes).map((id) => `${id}: not ${minutes} levels`),
      ...(await auditFaults(beset)),
    ]
    const rows = Object.fromEntries(Object.entries(found).map(([table, lines]) => [table, lines.length]))
    const seconds = Math.round((performance.now() - began) / 1_000)
    const { commands } = drill
    return { acts: drill.acts.counts(), faults_hit: hits, commands, rows, ticks: levels.ticks, seconds, violations }
  })
}

async function fillPlain(world: PastWorld, home: string): Promise<void> {
  const here = (argv: readonly string[]) => run([...argv, '--in-process'], { ...world.variables, TIDEMARK_HOME: home })
  for (const venue_id of VENUES) {
    const markets = FAULTS.flatMap((fault) => world.markets(venue_id, fault))
    await here(venueRequest(world, venue_id, markets))
  }
  await applyIndexes(world, home)
  for (const request of levelRequests(world)) await here(request)
}
