import { contributions, type TickResult } from '../calculate.ts'
import type { TwinTick } from './exact-tick.ts'
import type { TickFacts } from './exact-tick-facts.ts'

/** Fields that a twin may state; what it does not state is not compared. */
const FIELDS = [
  'tick_at',
  'source_cutoff_at',
  'level',
  'quality_state',
  'coverage_ratio',
  'confidence',
  'link_factor',
  'missing_constituent_ids',
  'contributions',
  'excluded_inputs',
  'input_observation_ids',
  'reason_codes',
] as const

/**
 * Compares a tick of the reference with its twin, from `exactTick` or from `exactSeries`.
 * @returns the first field that differs with both values, such as `level: 38.9250, twin 38.9251`; null where all agree
 */
export function compareTwin(reference: TickResult, twin: TwinTick | TickFacts): string | null {
  const published = { ...reference, contributions: contributions(reference) }
  for (const field of FIELDS) {
    if (!(field in twin)) continue
    const ours = textOf(published[field])
    const theirs = textOf((twin as Partial<Record<typeof field, unknown>>)[field])
    if (ours !== theirs) return `${field}: ${ours}, twin ${theirs}`
  }
  return null
}

/** JSON; a Decimal prints as its digits. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
}
