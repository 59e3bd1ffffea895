import { eventStatusOf, rulesTimezoneOf, rulesVersionOf } from '../../pipelines/market/reference-facts.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import { once } from '../../primitives/once.ts'
import type { Row } from '../schema.ts'
import { knownAt, stateAsOf } from './catalog-state.ts'
import { currentVersions, type VersionsAsOf } from './current-versions.ts'
import { eligibilityReads } from './eligibility-reads.ts'
import type { ReferenceTableName } from './followed-tables.ts'
import { governanceReads } from './governance-reads.ts'
import { compareOrder, type KnownRow } from './placed-row.ts'
import type { Catalog, CatalogState } from './reader.ts'
import { resolutionHistory, resolvedFields, statedBy, withFinality } from './resolution-history.ts'
import { severityIndexes } from './severity-indexes.ts'
import { type Memories, referenceOf } from './table-memory.ts'

/** Sizes of a market as known at the catalogue's instant. */
export type MetricsOf = (market_id: string) => Row | null

/**
 * Creates the reads of the reference records in one state, from memory. Derived rows are computed once, on first use, so the
 * object must be discarded when memory changes.
 * @param state  null: everything in memory; `at` judges effective intervals
 */
export function createCatalog(memories: Memories, state: CatalogState, metricsOf: MetricsOf): Catalog {
  const { at } = state
  const tables = tablesIn(memories, state)
  const versions = once(() => currentVersions(tables.versions.allCurrent(), at))
  const newest_resolutions = once(() => newestResolutions(tables.resolutions.allCurrent()))
  const by_market = once(() => groupedBy(tables.resolutions.all(), 'market_id'))
  const resolutionsOf = (market_id: string) => by_market().get(market_id) ?? []
  const history = remembered((market_id: string) => resolutionHistory(resolutionsOf(market_id)))
  /** Every row of a market; one that makes a statement as the history shows it. */
  const resolutions = (market_id: string) => {
    const stated = new Map(history(market_id).map((row) => [row.resolution_id, row]))
    return withFinality(resolutionsOf(market_id)).map((row) => stated.get(row.resolution_id!) ?? row)
  }
  const resolution = remembered((market_id: string) => {
    const current = newest_resolutions().get(market_id)?.row ?? null
    return current === null ? null : statedBy(history(market_id), current)
  })
  const index = (row: Row) => indexRow(row, versions())
  const version = (row: Row): Row => ({
    ...row,
    link: tables.links.current({ index_version_id: row.index_version_id }),
  })
  const market = (row: Row): Row => ({
    ...row,
    ...resolvedFields(row, resolution(String(row.market_id))),
    rules: completedRules(row),
    category: tables.events.current({ event_id: row.event_id })?.category ?? null,
    eligibility: tables.eligibility.current({ market_id: row.market_id }),
    metrics: metricsOf(String(row.market_id)),
  })
  const known_indexes = new Map<string, Row>()
  const known_markets = new Map<string, Row>()
  const marketById = (market_id: string): Row | null => {
    const known = known_markets.get(market_id) ?? mapped(tables.markets.current({ market_id }), market)
    if (known !== null) known_markets.set(market_id, known)
    return known
  }
  const event = (row: Row): Row => {
    const market_ids = [...((row.market_ids ?? []) as readonly string[])].sort()
    const statuses = market_ids.map((id) => textOrNull(marketById(id)?.status))
    return { ...row, status: eventStatusOf(textOrNull(row.status), statuses), regions: row.regions ?? [], market_ids }
  }
  const all_indexes = once(() => rowsOf(tables.definitions.allCurrent(), 'index_id').map(index))
  const all_events = once(() => rowsOf(tables.events.allCurrent(), 'event_id').map(event))
  const severity = once(() =>
    severityIndexes(tables.severity_indexes.allCurrent(), tables.severity_versions.allCurrent(), at),
  )
  const all_resolutions = once(() => [...by_market().keys()].flatMap(resolutions))
  const all_markets = once(() => rowsOf(tables.markets.allCurrent(), 'market_id').map(market))
  return {
    state,
    indexes: all_indexes,
    index: (index_id) => {
      const known = known_indexes.get(index_id) ?? mapped(tables.definitions.current({ index_id }), index)
      if (known !== null) known_indexes.set(index_id, known)
      return known
    },
    versions: (index_id) => (versions().of_index.get(index_id) ?? []).map(version),
    version: (index_version_id) => mapped(versions().by_id.get(index_version_id) ?? null, version),
    methodology: (methodology_id, version) => tables.methodologies.current({ methodology_id, version }),
    methodologies: () => tables.methodologies.allCurrent().map(({ row }) => row),
    events: all_events,
    event: (event_id) => mapped(tables.events.current({ event_id }), event),
    markets: all_markets,
    market: marketById,
    resolution,
    allResolutions: all_resolutions,
    resolutions,
    resolutionHistory: history,
    assessmentMethodologies: (subject) =>
      tables.assessment_methodologies.allCurrent().flatMap(({ row }) => (row.subject === subject ? [row] : [])),
    assessmentMethodology(subject, methodology_id, version) {
      const row = tables.assessment_methodologies.current({ methodology_id, version })
      return row?.subject === subject ? row : null
    },
    severityIndexes: () => severity().indexes,
    severityIndex: (severity_index_id) =>
      severity().indexes.find((row) => row.severity_index_id === severity_index_id) ?? null,
    severityIndexVersion: (severity_index_id, version) =>
      severity().versions.find(
        (row) =>
          row.severity_index_id === severity_index_id &&
          (row.version === version || row.severity_index_version_id === version),
      ) ?? null,
    ...governanceReads(memories, state),
    ...eligibilityReads(memories, state),
  }
}

/** Returns one index as known at an instant, as a catalogue of that instant has it, from memory alone. */
export function indexAsOf(memories: Memories, index_id: string, as_of: Micros): Row | null {
  const { definitions, versions } = tablesIn(memories, stateAsOf(as_of))
  const own = versions.allCurrent().filter(({ row }) => row.index_id === index_id)
  return mapped(definitions.current({ index_id }), (row) => indexRow(row, currentVersions(own, as_of)))
}

/** Returns the reads of the reference tables in one state. */
function tablesIn(memories: Memories, state: CatalogState) {
  const known = (table: ReferenceTableName) => referenceOf(memories, table).knownAt(knownAt(state, table))
  return {
    definitions: known('index_definition'),
    versions: known('index_version'),
    links: known('index_link'),
    methodologies: known('methodology'),
    events: known('event'),
    markets: known('market'),
    eligibility: known('market_eligibility'),
    resolutions: known('market_resolution'),
    assessment_methodologies: known('assessment_methodology'),
    severity_indexes: known('severity_index_definition'),
    severity_versions: known('severity_index_version'),
  }
}

/** The view index_definition: `scheduled` while an active index has no effective version (warehouse/read/sql/index_definition.sql). */
function indexRow(row: Row, { active }: VersionsAsOf): Row {
  const active_version_id = active.get(String(row.index_id)) ?? null
  const status = row.status === 'active' && active_version_id === null ? 'scheduled' : (row.status ?? null)
  return { ...row, status, active_version_id }
}

function mapped(row: Row | null, change: (row: Row) => Row): Row | null {
  return row === null ? null : change(row)
}

/** Completes the rules of a market where its record states no version or time zone. */
export function completedRules({ rules, venue_mapping }: Row): Row | null {
  if (rules === null || rules === undefined) return null
  const stated = rules as Row
  const venue_id = textOrNull((venue_mapping as Row | null)?.venue_id)
  return {
    ...stated,
    rules_version: stated.rules_version ?? rulesVersionOf(venue_id, stated),
    timezone: rulesTimezoneOf(venue_id, textOrNull(stated.timezone)),
  }
}

function textOrNull(value: Row[string] | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

/** Rows sorted by id. */
function rowsOf(known: readonly KnownRow[], id: string): Row[] {
  const key = (row: Row) => String(row[id])
  return known.map(({ row }) => row).sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

function groupedBy(rows: readonly Row[], column: string): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(String(row[column]))
    if (group === undefined) groups.set(String(row[column]), [row])
    else group.push(row)
  }
  return groups
}

/** Computes each value once. */
function remembered<T>(make: (key: string) => T): (key: string) => T {
  const known = new Map<string, { readonly value: T }>()
  return (key) => {
    const found = known.get(key) ?? { value: make(key) }
    known.set(key, found)
    return found.value
  }
}

/**
 * Returns the current resolution of each market: the current row with the greatest (source_at, received_at, revision) among its
 * chains that are not withdrawn, then the last published; a withdrawn one only where there is no other.
 */
function newestResolutions(rows: readonly KnownRow[]): Map<string, KnownRow> {
  const newest = new Map<string, KnownRow>()
  for (const row of rows) {
    const market_id = String(row.row.market_id)
    const before = newest.get(market_id)
    if (before === undefined || compareResolutions(row, before) > 0) newest.set(market_id, row)
  }
  return newest
}

function compareResolutions(a: KnownRow, b: KnownRow): number {
  const stands = ({ row }: KnownRow) => (row.finality === 'withdrawn' ? 0 : 1)
  return stands(a) - stands(b) || toMicros(a.row.source_at) - toMicros(b.row.source_at) || compareOrder(a, b)
}
