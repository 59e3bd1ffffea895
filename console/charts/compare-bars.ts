import type { DifferenceRow } from '../governance/model/difference-rows.ts'
import type { Bar } from './series.ts'

const COMPARED = ['open', 'high', 'low', 'close', 'volume', 'observation_count'] as const
type ComparedField = (typeof COMPARED)[number]

/** A bucket that two instants of knowledge show differently. */
export type BarDifference = {
  /** Start and end of the bucket, in seconds since 1970. */
  readonly t: number
  readonly t_end: number
  /** added: known at the second instant only; removed: at the first only. */
  readonly kind: DifferenceRow['change']
  readonly before: Bar | null
  readonly after: Bar | null
  /** Fields that differ; empty unless the bucket changed. */
  readonly fields: readonly ComparedField[]
}

/** Compares the same buckets as known at two instants, by time. Digits count: "0.5" and "0.50" are published differently. */
export function compareBars(before: readonly Bar[], after: readonly Bar[]): readonly BarDifference[] {
  const earlier = new Map(before.map((bar) => [bar.t, bar]))
  const later = new Map(after.map((bar) => [bar.t, bar]))
  const starts = [...new Set([...earlier.keys(), ...later.keys()])].sort((a, b) => a - b)
  return starts.flatMap((t) => differenceOf(earlier.get(t) ?? null, later.get(t) ?? null) ?? [])
}

function differenceOf(before: Bar | null, after: Bar | null): BarDifference | null {
  const { t, t_end } = (after ?? before)!
  if (before === null) return { t, t_end, kind: 'added', before, after, fields: [] }
  if (after === null) return { t, t_end, kind: 'removed', before, after, fields: [] }
  const fields = COMPARED.filter((field) => before[field] !== after[field])
  return fields.length === 0 ? null : { t, t_end, kind: 'changed', before, after, fields }
}
