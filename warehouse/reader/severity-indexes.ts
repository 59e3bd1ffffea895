import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { Row } from '../schema.ts'
import type { KnownRow } from './placed-row.ts'

/** Severity indexes with the version in effect at an instant, and versions with their ends. */
export type SeverityIndexes = { readonly indexes: readonly Row[]; readonly versions: readonly Row[] }

/** Derives active versions and ends. @param definitions, versions current rows of their tables @param at instant of "in effect" */
export function severityIndexes(
  definitions: readonly KnownRow[],
  versions: readonly KnownRow[],
  at: Micros,
): SeverityIndexes {
  const sorted = versions.map(({ row }) => row).sort((a, b) => toMicros(a.effective_from) - toMicros(b.effective_from))
  const of_index = (id: Row[string]) => sorted.filter(({ severity_index_id }) => severity_index_id === id)
  const with_ends = sorted.map((row): Row => {
    const next = of_index(row.severity_index_id).find((other) => {
      return toMicros(other.effective_from) > toMicros(row.effective_from)
    })
    return { ...row, effective_to: next?.effective_from ?? null }
  })
  const indexes = definitions.map(({ row }): Row => {
    const active = of_index(row.severity_index_id).findLast(({ effective_from }) => toMicros(effective_from) <= at)
    return {
      ...row,
      active_version_id: active?.severity_index_version_id ?? null,
      active_version: active?.version ?? null,
    }
  })
  const id = (row: Row) => String(row.severity_index_id)
  return { indexes: indexes.sort((a, b) => (id(a) < id(b) ? -1 : 1)), versions: with_ends }
}

/** Returns the next instant at which another version takes effect; Infinity if none is known. */
export function nextEffective(versions: readonly KnownRow[], at: Micros): Micros {
  return Math.min(...versions.map(({ row }) => toMicros(row.effective_from)).filter((from) => from > at))
}
