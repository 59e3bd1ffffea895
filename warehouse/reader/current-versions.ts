import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { Row } from '../schema.ts'
import { compareOrder, type KnownRow } from './placed-row.ts'

/** Index versions as known at an instant. */
export type VersionsAsOf = {
  readonly by_id: ReadonlyMap<string, Row>
  /** Sorted by (effective_from, index_version_id). */
  readonly of_index: ReadonlyMap<string, readonly Row[]>
  /** Id of the version in effect at the instant, by index. */
  readonly active: ReadonlyMap<string, string>
  /** Next instant at which another version takes effect; Infinity if none is known. */
  readonly changes_at: Micros
}

/**
 * Computes the view index_version and the active version of each index in memory, equal to
 * warehouse/read/sql/{index_version,index_definition}.sql.
 * @param rows  current rows of index_version
 */
export function currentVersions(rows: readonly KnownRow[], at: Micros): VersionsAsOf {
  const by_index = new Map<string, Version[]>()
  for (const version of rows.map(versionOf).sort(byEffectiveFrom)) {
    const others = by_index.get(version.index_id)
    if (others === undefined) by_index.set(version.index_id, [version])
    else others.push(version)
  }
  const by_id = new Map<string, Row>()
  const of_index = new Map<string, readonly Row[]>()
  const active = new Map<string, string>()
  for (const [index_id, versions] of by_index) {
    const views = versions.map((version, n) => ({ ...version.known.row, effective_to: effectiveTo(versions, n) }))
    of_index.set(index_id, views)
    for (const [n, version] of versions.entries()) by_id.set(version.id, views[n]!)
    const effective = versions.filter(({ from }) => from <= at)
    if (effective.length > 0) active.set(index_id, effective.reduce(later).id)
  }
  const changes = [...by_index.values()].flat().flatMap(({ from }) => (from > at ? [from] : []))
  return { by_id, of_index, active, changes_at: Math.min(...changes) }
}

type Version = { readonly known: KnownRow; readonly id: string; readonly index_id: string; readonly from: Micros }

function versionOf(known: KnownRow): Version {
  const { index_version_id, index_id, effective_from } = known.row
  const from = toMicros(effective_from, 'effective_from')
  return { known, id: String(index_version_id), index_id: String(index_id), from }
}

function byEffectiveFrom(a: Version, b: Version): number {
  return a.from - b.from || (a.id < b.id ? -1 : 1)
}

/** The next greater effective_from of the same index. */
function effectiveTo(versions: readonly Version[], n: number): string | null {
  const successor = versions.find(({ from }, other) => other > n && from > versions[n]!.from)
  return successor === undefined ? null : String(successor.known.row.effective_from)
}

/** Returns the version with the greater (effective_from, published_at, row_ordinal). */
function later(a: Version, b: Version): Version {
  return a.from > b.from || (a.from === b.from && compareOrder(a.known, b.known) > 0) ? a : b
}
