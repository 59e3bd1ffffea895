import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { createCatalog } from './catalog.ts'
import { holdsState, isFinal, knownAt, stateAsOf, stateKey, stateOfMemory } from './catalog-state.ts'
import { currentVersions } from './current-versions.ts'
import { fromNewest, type HistorySource } from './history/history-source.ts'
import { newestAsOf } from './history/newest-as-of.ts'
import type { Catalog, CatalogState } from './reader.ts'
import { nextEffective } from './severity-indexes.ts'
import { type Memories, newestOf, referenceOf } from './table-memory.ts'

/** Cache of catalogues. */
export type Catalogs = {
  /** Drops the current catalogue after memory changed. */
  changed(): void
  /** Returns the current catalogue. */
  now(): Catalog
  /** Builds the catalogue of an instant, with the metrics that memory does not hold. */
  asOf(as_of: Micros, source: HistorySource): Promise<Catalog>
  /** Builds the catalogue of an earlier state again. */
  ofState(state: CatalogState, source: HistorySource): Promise<Catalog>
}

/** Catalogues of past states kept at most, least recently used first; those of states that are final never change. */
const PAST_MAX = 64

/** Creates a cache that holds the current catalogue until it changes, and those of the last past states. */
export function createCatalogs(memories: Memories): Catalogs {
  let current: { readonly catalog: Catalog; readonly until: Micros } | null = null
  const past = new Map<string, Catalog>()
  /** Keys of kept catalogues whose state may still receive rows. */
  const open = new Set<string>()
  let changes = 0

  const catalogNow = (): Catalog => {
    if (current?.until === Number.POSITIVE_INFINITY) return current.catalog
    const now = Math.max(wallClock(), referenceHorizon(memories))
    if (current !== null && now < current.until) return current.catalog
    const metrics = newestOf(memories, 'market_metric')
    const metricsOf = (market_id: string) => metrics.get({ market_id })?.row ?? null
    current = {
      catalog: createCatalog(memories, stateOfMemory(memories, now), metricsOf),
      until: changesAfter(memories, now),
    }
    return current.catalog
  }

  const known = (key: string): Catalog | undefined => {
    const catalog = past.get(key)
    if (catalog === undefined) return undefined
    past.delete(key)
    past.set(key, catalog)
    return catalog
  }

  const ofState = async (state: CatalogState, source: HistorySource): Promise<Catalog> => {
    const key = stateKey(state)
    const before = known(key)
    if (before !== undefined) return before
    const is_final = isFinal(memories, state)
    const changes_before = changes
    const newest = [...newestOf(memories, 'market_metric').all()]
    const asked = { table: 'market_metric', key: {}, newest, as_of: knownAt(state, 'market_metric') } as const
    const rows = await fromNewest(() => newestAsOf(source, asked))
    const metrics = new Map(rows.map((row) => [String(row.market_id), row]))
    const catalog = createCatalog(memories, state, (market_id) => metrics.get(market_id) ?? null)
    if (!is_final && changes !== changes_before) return catalog
    past.set(key, catalog)
    if (!is_final) open.add(key)
    if (past.size > PAST_MAX) past.delete(past.keys().next().value!)
    return catalog
  }

  return {
    changed() {
      current = null
      changes += 1
      for (const key of open) past.delete(key)
      open.clear()
    },
    now: catalogNow,
    asOf: (as_of, source) => ofState(stateAsOf(as_of), source),
    async ofState(state, source) {
      await untilHeld(memories, state)
      return ofState(state, source)
    },
  }
}

/** Returns the next instant at which another version takes effect. */
function changesAfter(memories: Memories, now: Micros): Micros {
  const versions = referenceOf(memories, 'index_version').knownAt(null).allCurrent()
  const of_severity = referenceOf(memories, 'severity_index_version').knownAt(null).allCurrent()
  return Math.min(currentVersions(versions, now).changes_at, nextEffective(of_severity, now))
}

/** Longest wait for rows that another process has read already, in milliseconds. */
const HELD_WAIT_MS = 2000
const CHECK_EVERY_MS = 20

/** @throws {ServiceError} SERVICE_UNAVAILABLE */
async function untilHeld(memories: Memories, state: CatalogState): Promise<void> {
  for (let waited = 0; !holdsState(memories, state); waited += CHECK_EVERY_MS) {
    if (waited >= HELD_WAIT_MS)
      throw new ServiceError(
        'SERVICE_UNAVAILABLE',
        'this process has not read the records of the cursor yet; try again',
      )
    await sleep(CHECK_EVERY_MS)
  }
}

/** Commit stamps may be ahead of the clock by milliseconds, but a committed row is visible. */
function referenceHorizon(memories: Memories): Micros {
  return Math.max(...[...memories.values()].map(({ horizon }) => horizon))
}
