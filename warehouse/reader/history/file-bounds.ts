import { type Micros, microsOf } from '../../../primitives/instants.ts'
import type { LiveFile } from '../../warehouse.ts'

/** Range of a column's instants in one file, and whether some are null. An empty range is [Infinity, -Infinity]. */
export type InstantBounds = { readonly from: Micros; readonly to: Micros; readonly has_nulls: boolean }

type Statistics = {
  readonly numRecords: number
  readonly minValues: Readonly<Record<string, string | number>>
  readonly maxValues: Readonly<Record<string, string | number>>
  readonly nullCount: Readonly<Record<string, number>>
}

const STATISTICS = new WeakMap<LiveFile, Statistics>()

function statisticsOf(file: LiveFile): Statistics {
  const known = STATISTICS.get(file) ?? (JSON.parse(file.stats) as Statistics)
  STATISTICS.set(file, known)
  return known
}

const UNKNOWN: InstantBounds = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, has_nulls: true }

const BOUNDS = new WeakMap<LiveFile, Map<string, InstantBounds>>()

/** Returns the bounds of an instant column of a file, from the log's statistics; parsed once. */
export function instantBounds(file: LiveFile, column: string): InstantBounds {
  if (column === 'published_at') return { from: file.stamp_min, to: file.stamp_max, has_nulls: false }
  const of_file = BOUNDS.get(file) ?? new Map<string, InstantBounds>()
  BOUNDS.set(file, of_file)
  const known = of_file.get(column) ?? readBounds(statisticsOf(file), column)
  of_file.set(column, known)
  return known
}

function readBounds({ numRecords, minValues, maxValues, nullCount }: Statistics, column: string): InstantBounds {
  const nulls = nullCount[column]
  if (nulls === undefined) return UNKNOWN
  if (nulls === numRecords) return { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY, has_nulls: true }
  const [from, to] = [microsOf(minValues[column]), microsOf(maxValues[column])]
  return from === null || to === null ? UNKNOWN : { from, to, has_nulls: nulls > 0 }
}

/** Returns false if no row of the file has this value. */
export function mayHold(file: LiveFile, column: string, value: string): boolean {
  const { minValues, maxValues } = statisticsOf(file)
  const [least, greatest] = [minValues[column], maxValues[column]]
  return least === undefined || greatest === undefined || (least <= value && value <= greatest)
}

/** Returns false if no chain has a second row in the file (revisions count from 1 in the order of publication). */
export function hasRevisions(file: LiveFile): boolean {
  const greatest = statisticsOf(file).maxValues.revision
  return typeof greatest !== 'number' || greatest > 1
}
