import { createLevelSequence, type LevelSequence } from '../../pipelines/index/level-sequence.ts'
import type { BuiltObservation } from '../../pipelines/index/observation.ts'
import type { Mismatch } from '../../pipelines/index/rebuild-leg.ts'
import { type VerifyFailure, type VerifyReport, verifyObservation, verifyReport } from '../../pipelines/index/verify.ts'
import type { IndexVersion } from '../../pipelines/index/version.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { toMicros } from '../../primitives/instants.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { Index } from '../../protocol/resources/index-resource.ts'
import { createPublicApi, type OnWait, type PublicApi } from '../http/public-api.ts'
import { type FetchedVersion, fetchIndex } from './fetch-index.ts'
import { httpRecords, type LevelSources } from './http-records.ts'
import { createKnownLevels } from './known-levels.ts'
import { createOutcomeCache } from './outcome-cache.ts'
import { createQuoteCache } from './quote-cache.ts'
import { createResolutionCache } from './resolution-cache.ts'
import { createTradeCache } from './trade-cache.ts'
import { differing, placeMismatch } from './version-facts.ts'

/** Selects these observations, every revision of one index or, if neither is given, of all. */
export type VerifyOverHttpRequest = {
  /** http or https address of a service, without /v1. */
  readonly base_url: string
  readonly observation_ids?: readonly string[] | undefined
  readonly index_id?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Called after every few observations; `total` counts those on the pages read so far. */
  readonly on_progress?: (progress: { readonly done: number; readonly total: number }) => void
  readonly on_wait?: OnWait
}

/** Ids of an observation, and what a list showed of it. */
type Place = { readonly index_id: string; readonly observation_id: string; readonly listed?: IndexObservation }

/** Observations verified at once. */
const AT_ONCE = 8

/**
 * Recomputes published observations to the last digit from the public API of a service alone.
 * @throws {ServiceError} OBSERVATION_NOT_FOUND: one that is named, or there is no level at all; INDEX_NOT_FOUND; SERVICE_UNAVAILABLE: the address does not answer like this API
 */
export async function verifyOverHttp(request: VerifyOverHttpRequest): Promise<VerifyReport> {
  const api = createPublicApi(request.base_url, request.signal, request.on_wait)
  const verifier = createLevelVerifier(api)
  const verify = placeVerifier(api, verifier)
  const failures: VerifyFailure[] = []
  const sequences = new Map<string, LevelSequence>()
  let checked = 0
  let found = 0
  for await (const places of targets(api, request)) {
    found += places.length
    for (let from = 0; from < places.length; from += AT_ONCE) {
      request.signal?.throwIfAborted()
      const some = places.slice(from, from + AT_ONCE)
      const mismatches = await Promise.all(some.map(verify))
      const faults = some.map((place, i) => mismatches[i] ?? sequenceMismatch(sequences, place))
      failures.push(...some.flatMap(({ observation_id }, i) => mismatchOf(observation_id, faults[i]!)))
      checked += some.length
      request.on_progress?.({ done: checked, total: found })
    }
  }
  const gaps = await Promise.all(
    [...sequences].map(async ([index_id, sequence]) => sequence.gaps(index_id, await verifier.versions(index_id))),
  )
  return verifyReport({ checked, failures, gaps: gaps.filter((one) => one !== null) }, request.index_id)
}

/** Compares a level of a list with those listed before it. */
function sequenceMismatch(sequences: Map<string, LevelSequence>, { index_id, listed }: Place): Mismatch | null {
  if (listed === undefined) return null
  const sequence = sequences.get(index_id) ?? createLevelSequence()
  sequences.set(index_id, sequence)
  return sequence.add(listed)
}

/** Returns a function that recomputes one observation and answers the first step that differs, or null; it caches what neighbors share. */
export function createHttpVerifier(api: PublicApi): (place: Place) => Promise<Mismatch | null> {
  return placeVerifier(api, createLevelVerifier(api))
}

function placeVerifier(api: PublicApi, { verify }: LevelVerifier) {
  return async ({ index_id, observation_id, listed }: Place): Promise<Mismatch | null> => {
    const record = await api.read<IndexObservation>(`/indexes/${index_id}/prices/${observation_id}`, {
      expand: 'inputs',
    })
    const asked = differing('level', record, { observation_id })
    return asked ?? (listed === undefined ? null : listMismatch(listed, record)) ?? verify(record, index_id)
  }
}

/** Returns the first field of a listed level that is not the record's. */
function listMismatch(listed: IndexObservation, record: IndexObservation): Mismatch | null {
  for (const field of Object.keys(listed) as (keyof IndexObservation)[]) {
    const [expected, actual] = [canonicalJson(listed[field] ?? null), canonicalJson(record[field] ?? null)]
    if (expected !== actual) return { step: `list: ${field}`, expected, actual }
  }
  return null
}

/** Recomputes observations with their inputs that were read before. */
export type LevelVerifier = {
  /** Adds a page of levels, and the quotes that came with it, so that they need no request. */
  add(levels: readonly IndexObservation[]): void
  /** Returns the first step at which a level differs that was asked for of an index; null: none does. */
  verify(observation: IndexObservation, index_id: string): Promise<Mismatch | null>
  /** Returns the versions of an index by effective_from. */
  versions(index_id: string): Promise<readonly IndexVersion[]>
}

/** Creates a verifier of levels of any index. */
export function createLevelVerifier(api: PublicApi): LevelVerifier {
  const sources = {
    api,
    quotes: createQuoteCache(api),
    outcomes: createOutcomeCache(api),
    resolutions: createResolutionCache(api),
    trades: createTradeCache(api),
    levels: createKnownLevels(),
  }
  const versions = new Map<string, Promise<readonly FetchedVersion[]>>()
  const versionsOf = (index_id: string) => {
    const fetched = versions.get(index_id) ?? fetchIndex(api, index_id)
    versions.set(index_id, fetched)
    return fetched
  }
  return {
    add(levels) {
      sources.levels.add(levels)
      for (const { quotes = [] } of levels) sources.quotes.add(quotes)
    },
    async verify(observation, index_id) {
      return verifyLevel(sources, observation, index_id, await versionsOf(index_id))
    },
    versions: async (index_id) => (await versionsOf(index_id)).map(({ version }) => version),
  }
}

function mismatchOf(observation_id: string, mismatch: Mismatch | null): VerifyFailure[] {
  return mismatch === null ? [] : [{ observation_id, ...mismatch }]
}

async function verifyLevel(
  sources: LevelSources,
  observation: IndexObservation,
  index_id: string,
  versions: readonly FetchedVersion[],
): Promise<Mismatch | null> {
  const own = versions.find(({ resource }) => resource.index_version_id === observation.index_version_id)
  if (own === undefined)
    return { step: 'index_version_id', expected: observation.index_version_id, actual: 'no such version' }
  const { mismatch, resource, version } = own
  const misplaced = mismatch ?? placeMismatch(observation, index_id, resource, version.frequency)
  if (misplaced !== null) return misplaced
  // The resource has every compared field; index_version, the version's name, is not compared.
  const record = { ...observation, index_version: version.version } as unknown as BuiltObservation
  const published_at = toMicros(observation.published_at)
  return verifyObservation(record, version, await httpRecords(sources, { record, published_at, own, versions }))
}

async function* targets(
  api: PublicApi,
  { observation_ids, index_id }: VerifyOverHttpRequest,
): AsyncGenerator<readonly Place[]> {
  if (observation_ids !== undefined) {
    for (const observation_id of observation_ids) yield [await findPlace(api, observation_id)]
    return
  }
  const indexes = index_id === undefined ? await indexIds(api) : [index_id]
  for (const id of indexes) {
    const revisions = api.pages<IndexObservation>(`/indexes/${id}/prices`, { include_corrections: true })
    for await (const page of revisions)
      yield page.map((listed) => ({ index_id: id, observation_id: listed.observation_id, listed }))
  }
}

/** Finds the index of an observation, which its address needs and its id does not contain. */
async function findPlace(api: PublicApi, observation_id: string): Promise<Place> {
  for (const index_id of await indexIds(api)) {
    const found = await api.find(`/indexes/${index_id}/prices/${encodeURIComponent(observation_id)}`)
    if (found !== null) return { index_id, observation_id }
  }
  throw new ServiceError('OBSERVATION_NOT_FOUND', `observation ${observation_id} does not exist`, { observation_id })
}

async function indexIds(api: PublicApi): Promise<readonly string[]> {
  return (await api.list<Index>('/indexes')).map(({ index_id }) => index_id)
}
