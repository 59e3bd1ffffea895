import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homeFactsFile, loadScoring } from '../../operations/rating/load-scoring.ts'
import { parseVenueFacts, type SourceFact, type VenueFacts } from '../../pipelines/rating/venue-facts.ts'
import { SIMULATED_BUREAU, SIMULATED_GAZETTE } from '../../simulator/world/rules.ts'
import type { LiveWorld } from './live-world.ts'

const FACTS_ID = 'fct_simulated'

/**
 * Writes the facts that simulated markets are rated by: the published facts and the invented sources of their rules. Written again for
 * every world, because facts expire; a file that somebody else put there is kept.
 */
export async function haveLiveFacts(home: string, world: Pick<LiveWorld, 'generation' | 'start'>): Promise<void> {
  const file = homeFactsFile(home)
  const version = `1.simulated-${world.generation}`
  if (existsSync(file)) {
    const known = parseVenueFacts(await readFile(file, 'utf8'), file)
    if (known.facts.facts_id !== FACTS_ID || known.facts.version === version) return
  }
  const { facts: published } = await loadScoring()
  const facts: VenueFacts = {
    facts: { facts_id: FACTS_ID, version },
    venues: published.venues,
    sources: [...published.sources, ...simulatedSources(world.start)],
  }
  await mkdir(home, { recursive: true })
  await writeFile(`${file}.new`, `${HEAD}${JSON.stringify(facts, null, 2)}\n`)
  await rename(`${file}.new`, file)
}

const HEAD = `# Facts of the simulated world of npm start: the published ones and invented sources. You may replace this file by your own facts.\n`
const NOTE = 'invented: a source of the simulated world; the shares are those that it was made with'

function simulatedSources(stated_at: string): SourceFact[] {
  const source = (source_id: string, name: string, given: Known): SourceFact =>
    ({
      source_id,
      name,
      patterns: [name.toLowerCase()],
      ...given,
      source_uri: `https://${source_id.replace('simulated_', '')}.simulated.example/`,
      stated_at,
      tier: 'B',
      note: NOTE,
    }) as SourceFact
  return [
    source('simulated_bureau', SIMULATED_BUREAU, {
      authority: 'official_statistic',
      availability_90d: '0.995',
      revision_rate: '0.02',
    }),
    source('simulated_gazette', SIMULATED_GAZETTE, {
      authority: 'single_outlet',
      availability_90d: '0.98',
      revision_rate: '0.05',
    }),
  ]
}

type Known = { readonly authority: string; readonly availability_90d: string; readonly revision_rate: string }
