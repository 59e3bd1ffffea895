import type { IndexGate } from '../calculate.ts'
import type { Figures } from './figures.ts'
import type { IntegerParameters } from './integer-parameters.ts'
import { STATE } from './units.ts'

/** Figures that decide a state. */
export type StateFigures = Pick<
  Figures,
  'used' | 'covered' | 'fallback' | 'missing' | 'live' | 'dispersed' | 'indicative'
>

/** Decides the state, Q1..Q5 of methodology index-1 §12, by code: the first row that is true. */
export function decideState(
  figures: StateFigures,
  p: IntegerParameters,
  gate: IndexGate,
  confidence_is_low: boolean,
): number {
  if (gate.halted || figures.used < p.usable_min) return STATE.suspended
  if (figures.live === 0) return STATE.stale
  const degraded = figures.covered < p.coverage_min || figures.missing > 0 || figures.dispersed > 0
  if (degraded || figures.fallback > p.fallback_max) return STATE.degraded
  if (gate.scheduled || figures.indicative > 0 || confidence_is_low) return STATE.indicative
  return STATE.valid
}

/** Returns whether a tick would have a level: enough usable weight, and something fresh or settled. */
export function isPriced(figures: StateFigures, p: IntegerParameters): boolean {
  return figures.used > 0 && figures.used >= p.usable_min && figures.live > 0
}
