import type { Micros } from '../../primitives/instants.ts'
import type { Row } from '../schema.ts'
import { createCatalog } from './catalog.ts'
import { currentVersions } from './current-versions.ts'
import { fromNewest, type HistorySource } from './history/history-source.ts'
import { newestAsOf } from './history/newest-as-of.ts'
import type { Catalog } from './reader.ts'
import { nextEffective } from './severity-indexes.ts'
import { type Memories, newestOf, referenceOf } from './table-memory.ts'

/** Cache of catalogues. */
export type Catalogs = {
  /** Drops the current catalogue after memory changed. */
  changed(): void
  /** Reads the metrics that a catalogue as of an instant needs from files. */
  prepare(as_of: Micros, source: HistorySource): Promise<void>
  catalog(as_of: Micros | null): Catalog
}

type Pinned = { readonly metrics: ReadonlyMap<string, Row>; catalog: Catalog | null }

/** Catalogues of past instants kept at most; they never change. */
const PINNED_MAX = 32

/** Creates a cache that holds the current catalogue until it changes, and those of the last pinned instants. */
export function createCatalogs(memories: Memories): Catalogs {
  let current: { readonly catalog: Catalog; readonly until: Micros } | null = null
  const pinned = new Map<Micros, Pinned>()

  const catalogNow = (): Catalog => {
    if (current?.until === Number.POSITIVE_INFINITY) return current.catalog
    const now = Math.max(Date.now() * 1000, referenceHorizon(memories))
    if (current !== null && now < current.until) return current.catalog
    const metrics = newestOf(memories, 'market_metric')
    const metricsOf = (market_id: string) => metrics.get({ market_id })?.row ?? null
    const { changes_at } = currentVersions(referenceOf(memories, 'index_version').allCurrent(null), now)
    const until = Math.min(
      changes_at,
      nextEffective(referenceOf(memories, 'severity_index_version').allCurrent(null), now),
    )
    current = { catalog: createCatalog(memories, null, now, metricsOf), until }
    return current.catalog
  }

  const catalogAt = (as_of: Micros): Catalog => {
    const known = pinned.get(as_of)
    if (known?.catalog != null) return known.catalog
    const metrics = known?.metrics ?? new Map<string, Row>()
    const catalog = createCatalog(memories, as_of, as_of, (market_id) => metrics.get(market_id) ?? null)
    if (known !== undefined) known.catalog = catalog
    return catalog
  }

  return {
    changed() {
      current = null
    },
    async prepare(as_of, source) {
      if (pinned.has(as_of)) return
      const newest = [...newestOf(memories, 'market_metric').all()]
      const asked = { table: 'market_metric', key: {}, newest, as_of } as const
      const rows = await fromNewest(() => newestAsOf(source, asked))
      pinned.set(as_of, { metrics: new Map(rows.map((row) => [String(row.market_id), row])), catalog: null })
      if (pinned.size > PINNED_MAX) pinned.delete(pinned.keys().next().value!)
    },
    catalog: (as_of) => (as_of === null ? catalogNow() : catalogAt(as_of)),
  }
}

/** Commit stamps may be ahead of the clock by milliseconds, but a committed row is visible. */
function referenceHorizon(memories: Memories): Micros {
  return Math.max(...[...memories.values()].map(({ horizon }) => horizon))
}
