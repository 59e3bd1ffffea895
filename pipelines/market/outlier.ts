import { Decimal as D, type Decimal, SCALE } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import { toScaled } from '../../primitives/scaled.ts'
import type { Mark } from './mark.ts'
import type { OutlierParameters } from './parameters.ts'

/** State of one outcome's filter between ticks; it depends on earlier ticks only. */
export type OutlierState = {
  /** Accepted marks, oldest first, one per source observation. */
  readonly accepted: readonly Mark[]
  /** Consecutive marks outside the limit, oldest first; cleared by a mark inside it. */
  readonly pending: readonly Mark[]
}

export const NO_OUTLIER_STATE: OutlierState = { accepted: [], pending: [] }

/** m, MAD and sigma of the window, published with every exclusion. */
export type OutlierWindow = {
  readonly median: Decimal
  readonly mad: Decimal
  readonly sigma: Decimal
  readonly source_ids: readonly string[]
}

export type OutlierDecision = {
  readonly accepted: boolean
  readonly window: OutlierWindow | null
  /** k x sigma, or half of it on re-entry; null if the filter has no window. */
  readonly limit: Decimal | null
  readonly state: OutlierState
}

const MAD_TO_SIGMA = new D('1.4826')

/**
 * Computes m, MAD and sigma of marks: sigma = max(1.4826 x MAD, floor) (methodology index-1 §6). Marks have 6 decimals, so a median
 * of two has 7, and a median of distances from it 8: both are whole numbers of units of 2.5e-7, and exact.
 */
export function outlierWindow(marks: readonly Mark[], p: OutlierParameters): OutlierWindow {
  const values = marks.map(({ value }) => unitsOf(value))
  const median = medianOf(values)
  const mad = medianOf(values.map((value) => Math.abs(value - median)))
  const sigma = D.max(MAD_TO_SIGMA.times(decimalOf(mad)), p.floor)
  return { median: decimalOf(median), mad: decimalOf(mad), sigma, source_ids: sourceIdsOf(marks) }
}

/** Units in the last digit of a mark: a quarter each, so that each of two medians halves it once. */
const UNITS_PER_DIGIT = 4
const UNIT = new D(1).div(UNITS_PER_DIGIT * 10 ** SCALE.mark)

/** Units of the marks that were seen before: the same ones return at every tick of a window. */
const UNITS = new WeakMap<Decimal, number>()

/** Returns a mark in whole units; a mark is rounded before it is filtered. */
function unitsOf(value: Decimal): number {
  const known = UNITS.get(value)
  if (known !== undefined) return known
  const units = Number(toScaled(value.toFixed(), SCALE.mark, 'mark')) * UNITS_PER_DIGIT
  UNITS.set(value, units)
  return units
}

function decimalOf(units: number): Decimal {
  return UNIT.times(units)
}

/** Returns the median of whole numbers, the mean of the two middle ones if the count is even. */
function medianOf(values: readonly number[]): number {
  const sorted: number[] = []
  // A window has a dozen values: each is moved down to its place among those before it.
  for (const value of values) {
    let at = sorted.length
    for (; at > 0 && sorted[at - 1]! > value; at -= 1) sorted[at] = sorted[at - 1]!
    sorted[at] = value
  }
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Returns the source ids of marks, in order. */
function sourceIdsOf(marks: readonly Mark[]): readonly string[] {
  const ids: string[] = []
  for (const mark of marks) ids.push(...mark.source_ids)
  return ids
}

/**
 * Decides whether a new M1..M6 mark is accepted (methodology index-1 §6).
 * @param peers accepted marks of the same question at other venues: rule (b)
 */
export function filterOutlier(
  mark: Mark,
  state: OutlierState,
  cutoff: Micros,
  p: OutlierParameters,
  peers: readonly Mark[],
): OutlierDecision {
  const repeated = isSameSource(state.accepted.at(-1), mark)
  const usable = state.accepted.slice(-p.window).filter((m) => cutoff - m.confirmed_at <= p.window_max_age)
  if (!p.enabled || repeated || usable.length < p.min_n) {
    return {
      accepted: true,
      window: null,
      limit: null,
      state: repeated ? refresh(state, mark) : accept(state, [mark], [], p),
    }
  }
  const window = outlierWindow(usable, p)
  const limit = window.sigma.times(state.pending.length > 0 ? p.k.div(2) : p.k)
  if (mark.value.minus(window.median).abs().lte(limit))
    return { accepted: true, window, limit, state: accept(state, [mark], [], p) }
  const pending = isSameSource(state.pending.at(-1), mark)
    ? state.pending
    : [...state.pending, mark].slice(-p.confirm_n)
  const confirmed =
    isConfirmed(pending, p) || peers.some((peer) => peer.value.minus(mark.value).abs().lte(p.venue_band))
  if (!confirmed) return { accepted: false, window, limit, state: { accepted: state.accepted, pending } }
  return { accepted: true, window, limit, state: accept(state, pending, pending, p) }
}

/** Returns whether the last confirm_n pending marks lie within `band` of each other (rule a). */
function isConfirmed(pending: readonly Mark[], p: OutlierParameters): boolean {
  if (pending.length < p.confirm_n) return false
  const values = pending.map((mark) => mark.value)
  return D.max(...values)
    .minus(D.min(...values))
    .lte(p.band)
}

function accept(
  state: OutlierState,
  marks: readonly Mark[],
  pending: readonly Mark[],
  p: OutlierParameters,
): OutlierState {
  const accepted = [...state.accepted]
  for (const mark of marks) if (!state.accepted.some((known) => isSameSource(known, mark))) accepted.push(mark)
  return { accepted: accepted.slice(-p.window), pending }
}

/** Replaces a repeated observation in its slot, with its newest confirmation. A carried mark brings none. */
function refresh(state: OutlierState, mark: Mark): OutlierState {
  if (mark.rule === 'M7') return state
  return { ...state, accepted: [...state.accepted.slice(0, -1), mark] }
}

/** Returns whether two marks come from the same source records and have the same value: one observation, seen twice. */
export function isSameSource(a: Mark | undefined, b: Mark): boolean {
  if (a === undefined || a.source_ids.length !== b.source_ids.length) return false
  return a.source_ids.every((id, i) => id === b.source_ids[i]) && a.value.eq(b.value)
}
