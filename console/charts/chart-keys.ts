import { type Columns, hasValue } from './series.ts'
import { PAN_STEP, panned, type TimeWindow, type WindowLimits, ZOOM_STEP, zoomed } from './window.ts'

/** Columns that Page Up and Page Down pass. */
const PAGE = 10

/** Change that a key makes: the crosshair moves to a column, or another window is shown. */
export type KeyChange = { readonly at: number } | { readonly window: TimeWindow } | null

type Shown = {
  readonly columns: Columns
  /** Column of the crosshair. */
  readonly at: number
  readonly window: TimeWindow
  readonly limits: WindowLimits
  /** Window that `0` returns to. */
  readonly whole: TimeWindow
}

/** Returns the change of a key; null: the key does nothing here. */
export function changeOfKey(key: string, with_shift: boolean, shown: Shown): KeyChange {
  const { columns, at, window, limits, whole } = shown
  const center = columns.xs[at] ?? (window.from + window.to) / 2
  const anchor = center < window.from || center > window.to ? (window.from + window.to) / 2 : center
  if (key === '+' || key === '=') return { window: zoomed(window, anchor, ZOOM_STEP, limits) }
  if (key === '-' || key === '_') return { window: zoomed(window, anchor, 1 / ZOOM_STEP, limits) }
  if (key === '0') return { window: whole }
  if (with_shift && key === 'ArrowLeft') return { window: panned(window, -PAN_STEP, limits) }
  if (with_shift && key === 'ArrowRight') return { window: panned(window, PAN_STEP, limits) }
  const next = nextColumn(key, shown)
  return next === null ? null : { at: next }
}

/** Returns the visible column with a value that a key moves the crosshair to. */
function nextColumn(key: string, { columns, at, window }: Shown): number | null {
  const known = columns.xs.flatMap((x, ordinal) =>
    x >= window.from && x <= window.to && hasValue(columns, ordinal) ? [ordinal] : [],
  )
  const here = known.findLastIndex((ordinal) => ordinal <= at)
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: here - 1,
    ArrowRight: here + 1,
    PageUp: here + PAGE,
    PageDown: here - PAGE,
    Home: 0,
    End: known.length - 1,
  }
  const wanted = moves[key]
  return wanted === undefined ? null : (known[Math.min(Math.max(wanted, 0), known.length - 1)] ?? null)
}
