import { graceOf, legsOfVersion } from '../../pipelines/index/admit.ts'
import type { BuiltObservation } from '../../pipelines/index/observation.ts'
import type { LegRecord } from '../../pipelines/index/rebuild-leg.ts'
import type { VerificationRecords } from '../../pipelines/index/verify.ts'
import type { Leg } from '../../pipelines/index/version.ts'
import type { Mark } from '../../pipelines/market/mark.ts'
import type { Quote, Resolution } from '../../pipelines/market/quote.ts'
import { recordIdOf } from '../../pipelines/market/quote.ts'
import { parseDecimal } from '../../primitives/decimal.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { Market } from '../../protocol/resources/market.ts'
import type { Resolution as ResolutionResource } from '../../protocol/resources/resolution.ts'
import type { PublicApi } from '../http/public-api.ts'
import { fetchFixing } from './fetch-fixing.ts'
import type { FetchedVersion } from './fetch-index.ts'
import type { KnownLevels } from './known-levels.ts'
import { knownAt, quoteOf, resolutionOf } from './market-records.ts'
import type { OutcomeCache } from './outcome-cache.ts'
import type { QuoteCache, QuoteSource } from './quote-cache.ts'
import type { ResolutionCache } from './resolution-cache.ts'
import type { TradeCache } from './trade-cache.ts'

/** Observation with the versions of its index. */
export type Subject = {
  readonly record: BuiltObservation
  readonly published_at: Micros
  readonly own: FetchedVersion
  /** Versions of the index, by effective_from. */
  readonly versions: readonly FetchedVersion[]
}

/** Public records by request, and what was read of them before. */
export type LevelSources = {
  readonly api: PublicApi
  readonly quotes: QuoteCache
  readonly outcomes: OutcomeCache
  readonly resolutions: ResolutionCache
  readonly trades: TradeCache
  readonly levels: KnownLevels
}

/**
 * Fetches the public records that one observation names, by id and as known when it was published: quotes,
 * resolutions, fixings, schedules of rolled contracts and the level that a stale tick repeats.
 */
export async function httpRecords(sources: LevelSources, subject: Subject): Promise<VerificationRecords> {
  const { api } = sources
  const legs = subject.record.inputs.flatMap((input) => input.legs)
  const [by_quote, by_evidence, fixings, schedules, level] = await Promise.all([
    fetchQuotes(sources, legs, subject),
    fetchResolutions(sources, legs, subject),
    fetchFixings(sources, legs, subject),
    fetchSchedules(api, subject),
    fetchLastLevel(sources, subject),
  ])
  const { resource, version } = subject.own
  return {
    link_factor: resource.link_factor === null ? null : parseDecimal(resource.link_factor, 'link_factor'),
    versionAt: (cutoff) => versionAt(subject, cutoff),
    quote: (record_id, leg) => by_quote.get(`${leg.outcome_id} ${record_id}`) ?? null,
    resolution: (outcome_id, evidence_id) => by_evidence.get(`${outcome_id} ${evidence_id}`) ?? null,
    fixing: (leg) => fixings.get(leg.outcome_id) ?? null,
    expectedResolution: (leg) => (version.roll === null ? null : (schedules.get(leg.market_id) ?? null)),
    levelAt: () => level,
  }
}

function versionAt({ versions, own }: Subject, cutoff: Micros) {
  return (versions.findLast(({ version }) => version.effective_from <= cutoff) ?? own).version
}

/** Returns the quote named by the first source of a leg; the other sources are values of the same quote. */
async function fetchQuotes({ quotes, outcomes }: LevelSources, legs: readonly LegRecord[], subject: Subject) {
  const mapped = new Map(legsOfVersion(subject.own.version).map((leg) => [leg.outcome_id as string, leg]))
  const named = legs.filter((leg) => !['M0', 'fixing'].includes(leg.origin_rule))
  const entries = named.map(async (leg): Promise<readonly [string, Quote | null]> => {
    const observation_id = leg.source_observation_ids[0]!
    const found = await quotes.quote(leg.market_id, observation_id)
    const is_known =
      isKnown(found, subject.published_at) && recordIdOf(found.observation_id) === recordIdOf(observation_id)
    const is_behind = is_known && isOfSource(found, mapped.get(leg.outcome_id)) && (await isOfLeg(found, leg, outcomes))
    return [`${leg.outcome_id} ${recordIdOf(observation_id)}`, is_behind ? quoteOf(found) : null]
  })
  return new Map(await Promise.all(entries))
}

/** Tells whether a quote is of the venue and series of a leg, and states the value of its field as in its quote. */
function isOfSource(
  { venue_id, source_series_id, field, value, ...found }: QuoteSource,
  leg: Leg | undefined,
): boolean {
  // A quote that came with a level has none of these fields.
  if (venue_id === undefined || field === undefined) return true
  if (venue_id !== leg?.venue_id || (source_series_id ?? null) !== leg.source_series_id) return false
  const values: Readonly<Record<string, unknown>> = { ...found.quote }
  return found.observation_id.endsWith(`.${field}`) && values[field] === value
}

/** Tells whether a quote is of the market and outcome of a leg; by M6, of the other outcome. */
async function isOfLeg(
  { market_id, outcome_id }: QuoteSource,
  leg: LegRecord,
  outcomes: OutcomeCache,
): Promise<boolean> {
  if (market_id !== leg.market_id) return false
  if (leg.origin_rule !== 'M6') return outcome_id === leg.outcome_id
  const both = await outcomes.outcomes(market_id)
  return (
    both.length === 2 && outcome_id !== leg.outcome_id && both.includes(outcome_id) && both.includes(leg.outcome_id)
  )
}

async function fetchResolutions({ resolutions }: LevelSources, legs: readonly LegRecord[], { published_at }: Subject) {
  const settled = legs.filter((leg) => leg.origin_rule === 'M0')
  const entries = settled.map(async ({ market_id, outcome_id, source_observation_ids }) => {
    const evidence_id = source_observation_ids[0]!
    const found = await resolutions.resolution(market_id, evidence_id, published_at)
    const resolution =
      isKnown(found, published_at) && isByEvidence(found, market_id, evidence_id)
        ? resolutionOf(found, outcome_id, evidence_id)
        : null
    return [`${outcome_id} ${evidence_id}`, resolution] as const
  })
  return new Map<string, Resolution | null>(await Promise.all(entries))
}

/** Tells whether a resolution is of a market, and rests on the evidence that a leg names; one without evidence is named itself. */
function isByEvidence(found: ResolutionResource, market_id: string, evidence_id: string): boolean {
  return found.market_id === market_id && (found.evidence[0]?.evidence_id ?? found.resolution_id) === evidence_id
}

async function fetchFixings({ api, trades }: LevelSources, legs: readonly LegRecord[], subject: Subject) {
  const { version } = subject.own
  const by_outcome = new Map(legsOfVersion(version).map((leg) => [leg.outcome_id as string, leg]))
  const fixed = legs.filter((leg) => leg.origin_rule === 'fixing')
  const entries = fixed.map(async (stated): Promise<readonly [string, Mark | null]> => {
    const leg = by_outcome.get(stated.outcome_id)
    const asked = { stated, version, grace: graceOf(subject.record.revision, version), as_of: subject.published_at }
    return [stated.outcome_id, leg === undefined ? null : await fetchFixing(api, trades, { ...asked, leg })]
  })
  return new Map(await Promise.all(entries))
}

/** Reads the expected end of the contracts of a roll, by market, unless the definition has it. */
async function fetchSchedules(api: PublicApi, { own, record, published_at }: Subject) {
  const { version } = own
  const tick = toMicros(record.tick_at, 'tick_at')
  const known_to = Math.min(published_at, tick + graceOf(record.revision, version))
  const asked = version.roll === null ? [] : legsOfVersion(version).filter((leg) => leg.expected_resolution_at === null)
  const entries = asked.map(
    async (leg) => [leg.market_id as string, await scheduleOf(api, leg, tick, known_to)] as const,
  )
  return new Map<string, Micros | null>(await Promise.all(entries))
}

/** Reads the newest state of a market about a tick; older states are read while the newest one is about a later instant. */
async function scheduleOf(api: PublicApi, leg: Leg, tick: Micros, known_to: Micros): Promise<Micros | null> {
  for (let as_of = known_to; ; ) {
    const market = await api.find<Market>(`/markets/${leg.market_id}`, { as_of: formatMicros(as_of) })
    if (market?.market_id !== leg.market_id) return null
    const expected = market.schedule?.expected_resolution_at ?? null
    if (toMicros(market.source_at) <= tick) return expected === null ? null : toMicros(expected)
    as_of = toMicros(market.published_at) - 1
  }
}

/** Reads the level that a stale tick repeats, as known when the tick was published. */
async function fetchLastLevel(
  { api, levels }: LevelSources,
  { record, published_at }: Subject,
): Promise<string | null> {
  if (record.underlying_quality_state !== 'stale' || record.source_cutoff_at === null) return null
  const cutoff = toMicros(record.source_cutoff_at, 'source_cutoff_at')
  const known = levels.levelAt(record.index_id, cutoff, published_at)
  if (known !== undefined) return known
  const range = { start_time: formatMicros(cutoff), end_time: formatMicros(cutoff + 1) }
  const query = { time_domain: 'source', ...range, as_of: formatMicros(published_at) }
  for await (const page of api.pages<IndexObservation>(`/indexes/${record.index_id}/prices`, query)) {
    const found = page.find((item) => toMicros(item.tick_at) === cutoff)
    if (found !== undefined) return found.level
  }
  return null
}

function isKnown<T extends { readonly received_at: string | null; readonly published_at: string }>(
  record: T | null,
  at: Micros,
): record is T {
  return record !== null && knownAt(record) <= at
}
