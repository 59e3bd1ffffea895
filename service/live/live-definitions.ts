import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { invariant } from '../../primitives/errors.ts'
import { createSimulatedVenue } from '../../simulator/simulated-venue.ts'
import { emptyTally } from '../../simulator/truth/trade-tally.ts'
import type { MarketTruth } from '../../simulator/truth/truth.ts'
import { VENUES, type VenueId } from '../../simulator/world/options.ts'
import { type EventPlan, planWorld, type WorldPlan } from '../../simulator/world/plan.ts'
import { type LiveWorld, liveFolder, worldOptions } from './live-world.ts'

export const LIVE_INDEX_IDS = ['idx_live_current', 'idx_live_election', 'idx_live_gauge'] as const

/** Weight of each venue in a pool of the same question. */
const POOL = { kalshi: '0.4', polymarket: '0.4', manifold: '0.2' } as const
/** Target weights of the three constituents. */
const SHARES = ['0.5', '0.3', '0.2'] as const
/** Freshness limits for markets whose traders act every 20 seconds. */
const PARAMETERS = {
  'admission.grace': 'PT5S',
  'fresh.stale_after': 'PT10M',
  'fresh.max_carry': 'PT6H',
  'mark.book_max_age': 'PT2M',
  'mark.t_recent': 'PT10M',
  'mark.t_last': 'PT1H',
  'quality.min_confidence': '0.40',
} as const

/** Settlement from finality on, and pools that one venue cannot settle: written by every world since the first methodology. */
const FINALITY = { settle_from: 'final_at', 'pool.finality': 'majority' } as const

type DatedWorld = LiveWorld & { readonly base_date: string; readonly effective_from: string }

/**
 * Writes definition files of the live indexes over a world's markets, as `tidemark index apply` takes them. The same world gives the same
 * files. Each world is one version, named by its generation.
 * @returns the files' paths
 */
export async function writeLiveDefinitions(home: string, world: DatedWorld): Promise<string[]> {
  const dir = join(liveFolder(home), 'definitions')
  await mkdir(dir, { recursive: true })
  const files = liveDefinitions(world).map((definition) => {
    const name = `${definition.index.slug}.${world.generation}.json`
    return { path: join(dir, name), text: `${JSON.stringify(definition, null, 2)}\n` }
  })
  for (const { path, text } of files) await writeFile(path, text)
  return files.map(({ path }) => path)
}

/** Returns the definitions as documents. */
function liveDefinitions(world: DatedWorld) {
  const plan = planWorld(worldOptions(world))
  const lasting = plan.events
    .filter(
      ({ kind, fate, schedule }) => kind === 'binary' && fate === 'open' && schedule.opens_at <= plan.options.start,
    )
    .slice(0, SHARES.length)
  const election = plan.events.find(({ kind }) => kind === 'multi')
  invariant(
    lasting.length === SHARES.length && election !== undefined,
    'a live world has three lasting questions and an election',
  )
  const names = marketNames(plan)
  const pool = (event: EventPlan, place: number, target_weight: string) => ({
    constituent_id: `con_live_${event.code.toLowerCase()}_${place}`,
    target_weight,
    normalization: 'logodds_pool',
    legs: VENUES.map((venue_id) => ({ ...names(venue_id, event, place), pool_weight: POOL[venue_id] })),
  })
  const single = (event: EventPlan) =>
    VENUES.map((venue_id) => ({
      constituent_id: `con_live_${event.code.toLowerCase()}_${venue_id}`,
      ...names(venue_id, event, 0),
      normalization: 'probability_0_1',
      group_event: event.code.toLowerCase(),
    }))
  return [
    definition(
      world,
      'current',
      'Live current',
      'Lasting questions of a simulated world, each pooled over three venues.',
      {
        mode: 'chain_linked',
        constituents: lasting.map((event, n) => pool(event, 0, SHARES[n]!)),
      },
    ),
    definition(
      world,
      'election',
      'Live election',
      `${election.title} Three candidates, each pooled over three venues.`,
      {
        mode: 'chain_linked',
        constituents: SHARES.map((weight, place) => pool(election, place, weight)),
      },
    ),
    definition(world, 'gauge', 'Live gauge', 'Single quotes of three venues, equal weights, from 0 to 100.', {
      mode: 'gauge',
      weighting: { rule: 'equal', rating_multiplier: false },
      constituents: [...lasting.slice(0, 2), election].flatMap(single),
    }),
  ]
}

type Composition = {
  readonly mode: 'chain_linked' | 'gauge'
  readonly weighting?: { readonly rule: string; readonly rating_multiplier: boolean }
  readonly constituents: readonly object[]
}

function definition(
  { generation, base_date, effective_from, methodology }: DatedWorld,
  slug: string,
  name: string,
  description: string,
  { mode, ...composition }: Composition,
) {
  return {
    index: {
      index_id: `idx_live_${slug}`,
      slug: `live-${slug}`,
      symbol: `LIVE-${slug.toUpperCase()}`,
      name,
      description,
      family: 'live',
      unit: 'index_points',
      base_value: mode === 'gauge' ? '100' : '1000',
      base_date,
      tags: ['live', 'simulated'],
    },
    methodology: {
      methodology_id: mode === 'gauge' ? 'mth_live_gauge' : 'mth_live_chain',
      version: methodology ?? '1.0.0',
      ...(methodology === undefined ? {} : { supersedes_version: '1.0.0' }),
      name: mode === 'gauge' ? 'Gauge of live books' : 'Chain-linked index of live books',
      parameters: { mode, ...PARAMETERS, ...(methodology === undefined ? {} : FINALITY) },
    },
    versions: [
      {
        version: String(generation),
        effective_from,
        calculation_frequency: 'PT1M',
        minimum_coverage_ratio: '0.60',
        change_summary: [generation === 1 ? 'first composition' : `goes on with simulated world ${generation}`],
        ...composition,
      },
    ],
  }
}

/** Returns each venue's names of a market and its YES outcome. */
function marketNames(plan: WorldPlan) {
  const markets = new Map<VenueId, readonly MarketTruth[]>(
    VENUES.map((venue_id) => [venue_id, createSimulatedVenue(plan, venue_id).truth(emptyTally()).markets]),
  )
  return (venue_id: VenueId, event: EventPlan, place: number) => {
    const { source_market_id, outcome } = markets.get(venue_id)![event.markets[place]!.ordinal]!
    return { venue_id, source_market_id, outcome }
  }
}
