import { canonicalJson } from '../../primitives/canonical-json.ts'
import { InvariantError } from '../../primitives/errors.ts'
import type { LastLevel, TickResult } from './calculate.ts'
import type { ExactStep } from './exact/exact-series.ts'
import type { TickFacts } from './exact/exact-tick-facts.ts'
import type { SeriesStep } from './series.ts'

/** Facts of a tick that both engines compute, in the order of the calculation. */
const FACTS = [
  'tick_at',
  'link_factor',
  'missing_constituent_ids',
  'coverage_ratio',
  'confidence',
  'level',
  'source_cutoff_at',
  'quality_state',
  'excluded_inputs',
  'input_observation_ids',
  'reason_codes',
] as const satisfies readonly (keyof TickFacts)[]

const MISMATCH_REASON = 'ENGINE_MISMATCH'

/** Returns the first fact on which the engines differ, or null. */
function firstDifference(reference: TickFacts, exact: TickFacts): (typeof FACTS)[number] | null {
  const text = (facts: TickFacts, name: (typeof FACTS)[number]) =>
    name === 'link_factor' ? String(facts.link_factor?.toFixed() ?? null) : canonicalJson(facts[name] ?? null)
  return FACTS.find((name) => text(reference, name) !== text(exact, name)) ?? null
}

/**
 * Compares both engines tick by tick, step 8 of a calculation run (methodology index-1 §16). A tick on which they differ is
 * suspended and names the fact; a level that was never published is not carried into a later stale tick.
 * @param last_published the last level of a continued series
 */
export function* comparedSeries(
  reference: Iterable<SeriesStep>,
  exact: Iterator<ExactStep>,
  last_published: LastLevel | null = null,
): Generator<SeriesStep> {
  let published = last_published
  for (const step of reference) {
    const other = exact.next()
    if (other.done === true)
      throw new InvariantError('comparedSeries: the exact engine has fewer ticks than the reference')
    const difference = firstDifference(step.result, other.value.result)
    const result: TickResult =
      difference === null ? withPublished(step.result, published) : suspended(step.result, difference)
    if (isPriced(result)) published = { level: result.level!, source_cutoff_at: result.tick_at }
    yield { ...step, result }
  }
}

/** Returns whether a tick has a level of its own. */
export function isPriced(result: TickResult): boolean {
  return result.quality_state !== 'stale' && result.quality_state !== 'suspended'
}

function withPublished(result: TickResult, published: LastLevel | null): TickResult {
  if (result.quality_state !== 'stale') return result
  return { ...result, level: published?.level ?? null, source_cutoff_at: published?.source_cutoff_at ?? null }
}

function suspended(result: TickResult, difference: string): TickResult {
  const reason_codes = [...result.reason_codes, `${MISMATCH_REASON}:${difference}`].sort()
  return { ...result, quality_state: 'suspended', level: null, source_cutoff_at: result.tick_at, reason_codes }
}
