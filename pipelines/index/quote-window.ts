import type { Micros } from '../../primitives/instants.ts'
import { isLaterRow, OPTIONAL_QUOTE_NUMBERS, type QuoteColumns, REQUIRED_QUOTE_NUMBERS } from './admission.ts'

/** Needs of later cutoffs for an outcome's quotes. */
export type WindowNeeds = {
  /** Graces of their admission. */
  readonly graces: readonly Micros[]
  /** Lookback of fixings; 0 without fixings. */
  readonly fixing_span: Micros
}

/**
 * Returns a copy of the rows that any cutoff at or after `at` can still need: the newest admitted one of each grace, all that
 * are admitted later and newer, and the lookback of fixings. The rest is never needed again, because the newest admitted
 * row only moves forward (methodology index-1 §3). The given columns may then be released.
 */
export function retainQuotes(columns: QuoteColumns, at: Micros, needs: WindowNeeds): QuoteColumns {
  const kept = new Uint8Array(columns.length)
  const known_at = columns.known_at ?? columns.received_at
  const { source_at } = columns
  for (const grace of needs.graces) {
    keepNewest(columns, kept, (row) => Math.max(source_at[row]!, known_at[row]! - grace) <= at)
    if (needs.fixing_span === 0) continue
    const from = at - needs.fixing_span
    keepNewest(columns, kept, (row) => source_at[row]! > from || known_at[row]! - grace <= at, from)
  }
  return selectRows(
    columns,
    Uint32Array.from(kept.keys()).filter((row) => kept[row] === 1),
  )
}

/**
 * Marks the newest admitted row, and the later ones that are newer.
 * @param from rows with a later source time are all kept; the newest is chosen among the others
 */
function keepNewest(
  columns: QuoteColumns,
  kept: Uint8Array,
  isAdmitted: (row: number) => boolean,
  from: Micros = Number.POSITIVE_INFINITY,
): void {
  let best = -1
  for (let row = 0; row < columns.length; row++) {
    if (columns.source_at[row]! > from) kept[row] = 1
    else if (isAdmitted(row) && (best < 0 || isLaterRow(columns, row, best))) best = row
  }
  if (best >= 0) kept[best] = 1
  for (let row = 0; row < columns.length; row++) {
    if (kept[row] === 0 && !isAdmitted(row) && (best < 0 || isLaterRow(columns, row, best))) kept[row] = 1
  }
}

/** Columns without rows. */
export const NO_QUOTES: QuoteColumns = {
  length: 0,
  recordId: () => '',
  source_at: new Float64Array(0),
  received_at: new Float64Array(0),
  revision: new Int32Array(0),
}

/** Copies some rows of columns, in their order. */
export function selectRows(columns: QuoteColumns, rows: Uint32Array): QuoteColumns {
  if (rows.length === 0) return NO_QUOTES
  const ids = Array.from(rows, (row) => columns.recordId(row))
  const pick = (column: Float64Array) => Float64Array.from(rows, (row) => column[row]!)
  return {
    length: rows.length,
    recordId: (row) => ids[row]!,
    revision: Int32Array.from(rows, (row) => columns.revision[row]!),
    ...mapped(REQUIRED_QUOTE_NUMBERS, (name) => pick(columns[name])),
    ...mapped(
      OPTIONAL_QUOTE_NUMBERS.filter((name) => columns[name] !== undefined),
      (name) => pick(columns[name]!),
    ),
  }
}

/** Concatenates the rows of both; both have known_at, or neither does. */
export function joinQuotes(first: QuoteColumns, second: QuoteColumns): QuoteColumns {
  if (first.length === 0) return second
  if (second.length === 0) return first
  const length = first.length + second.length
  const joined = (a: Float64Array | undefined, b: Float64Array | undefined) => {
    const values = new Float64Array(length).fill(Number.NaN)
    if (a !== undefined) values.set(a)
    if (b !== undefined) values.set(b, first.length)
    return values
  }
  const revision = new Int32Array(length)
  revision.set(first.revision)
  revision.set(second.revision, first.length)
  const given = OPTIONAL_QUOTE_NUMBERS.filter((name) => first[name] !== undefined || second[name] !== undefined)
  return {
    length,
    recordId: (row) => (row < first.length ? first.recordId(row) : second.recordId(row - first.length)),
    revision,
    ...mapped(REQUIRED_QUOTE_NUMBERS, (name) => joined(first[name], second[name])),
    ...mapped(given, (name) => joined(first[name], second[name])),
  }
}

function mapped<K extends string>(names: readonly K[], make: (name: K) => Float64Array): Record<K, Float64Array> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, Float64Array>
}
