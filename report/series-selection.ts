import type { TickInput } from '../pipelines/index/exact/tick-inputs.ts'
import { Decimal, type DecimalString, formatDecimal, SCALE, sumDecimals } from '../primitives/decimal.ts'

/** Constituents that a stacked picture shows one by one; the others are added up. */
export type SeriesSelection = {
  /** Names of the series, the largest first; the last one may be the sum of the others. */
  readonly names: readonly string[]
  /** A tick's parts by series, from a field of its inputs; null: the series has none. */
  readonly parts: (inputs: readonly TickInput[], field: StackedField) => readonly (DecimalString | null)[]
}

export type StackedField = 'contribution' | 'weight_applied'
const FIELD_SCALE = { contribution: SCALE.contribution, weight_applied: SCALE.weight } as const

/** More areas than this cannot be told apart. */
const SERIES_MAX = 8

/** The constituents that contribute most over all given ticks. */
export function selectSeries(ticks: readonly (readonly TickInput[])[]): SeriesSelection {
  const totals = new Map<string, Decimal>()
  for (const { constituent_id, contribution } of ticks.flat())
    totals.set(constituent_id, (totals.get(constituent_id) ?? new Decimal(0)).plus(contribution ?? 0))
  const ordered = [...totals].sort(([a, x], [b, y]) => y.cmp(x) || (a < b ? -1 : 1)).map(([id]) => id)
  const shown = ordered.length <= SERIES_MAX ? ordered : ordered.slice(0, SERIES_MAX - 1)
  const others = new Set(ordered.slice(shown.length))
  const names = others.size === 0 ? shown : [...shown, `others (${others.size})`]
  return { names, parts: (inputs, field) => partsOf(inputs, field, shown, others) }
}

function partsOf(
  inputs: readonly TickInput[],
  field: StackedField,
  shown: readonly string[],
  others: ReadonlySet<string>,
): (DecimalString | null)[] {
  const values = new Map(inputs.map((input) => [input.constituent_id, input[field]]))
  const parts = shown.map((id) => values.get(id) ?? null)
  if (others.size === 0) return parts
  const rest = inputs.flatMap((input) => (others.has(input.constituent_id) ? (input[field] ?? []) : []))
  const sum = sumDecimals(rest.map((value) => new Decimal(value)))
  return [...parts, rest.length === 0 ? null : formatDecimal(sum, FIELD_SCALE[field])]
}
