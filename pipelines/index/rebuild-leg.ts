import { type Decimal, parseDecimal, roundDecimal, SCALE } from '../../primitives/decimal.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import { classifyFreshness } from '../market/freshness.ts'
import { C_RULE, complementOf, formatMark, isKept, type Mark, markOfQuote } from '../market/mark.ts'
import type { Quote, Resolution } from '../market/quote.ts'
import { recordIdOf } from '../market/quote.ts'
import { settlesFrom } from './admission.ts'
import { type LegEvaluation, NO_LEG_STATE } from './evaluate-leg.ts'
import type { InputRecord } from './observation.ts'
import type { Parameters } from './parameters.ts'
import type { IndexVersion } from './version.ts'

export type LegRecord = InputRecord['legs'][number]

/** Public records behind a rebuilt mark; null = no such record, or not known yet. */
export type PublicRecords = {
  /** Returns the version in force at a cutoff: a carried or frozen mark may come from an earlier one. */
  readonly versionAt: (cutoff: Micros) => IndexVersion
  /** Returns a quote of a leg's outcome; by M6, of the other outcome of its market. */
  readonly quote: (record_id: string, leg: LegRecord) => Quote | null
  readonly resolution: (outcome_id: string, evidence_id: string) => Resolution | null
  /** Returns the fixing of the leg at its cutoff, from the public trades and quotes. */
  readonly fixing: (leg: LegRecord) => Mark | null
}

/** Difference between a recorded value and its recomputation. */
export type Mismatch = { readonly step: string; readonly expected: string; readonly actual: string }

/**
 * Recomputes one leg's mark from the public records that an observation names: its value and rule at the cutoff at which it was
 * formed, then its class at the tick (carried, frozen, stale).
 * @param expected the leg as the observation states it
 */
export function rebuildLeg(
  expected: LegRecord,
  tick: Micros,
  held_back: boolean,
  p: Parameters,
  records: PublicRecords,
): LegEvaluation | Mismatch {
  const step = `mark of ${expected.outcome_id}`
  const misplaced = misplacedCutoff(expected, tick, records)
  if (misplaced !== null) return { ...misplaced, step: `${step}: mark_cutoff_at` }
  const origin = originMark(expected, records)
  if (origin === null)
    return {
      step: `${step}: source`,
      expected: expected.source_observation_ids.join(' '),
      actual: 'no such public record',
    }
  const mark = atTick(origin, expected)
  // With several legs the record does not name the held-back one: a held-back leg is recorded as stale, others with their own class.
  const stale = held_back && expected.freshness_class === 'stale'
  const freshness = stale ? 'stale' : classifyFreshness(mark, tick, p)
  const facts: readonly (readonly [string, string, string])[] = [
    ['rule', expected.origin_rule, origin.rule],
    ['value', expected.value, roundDecimal(mark.value, SCALE.mark).toFixed(SCALE.mark)],
    ['source_at', expected.source_at, instantLike(expected.source_at, mark.source_at)],
    ['confirmed_at', expected.confirmed_at, instantLike(expected.confirmed_at, mark.confirmed_at)],
    ['freshness_class', expected.freshness_class, freshness],
  ]
  const wrong = facts.find(([, stated, found]) => stated !== found)
  if (wrong !== undefined) return { step: `${step}: ${wrong[0]}`, expected: wrong[1], actual: wrong[2] }
  return {
    mark,
    freshness,
    provisional: mark.rule === 'frozen',
    pending: null,
    window_ids: expected.window_observation_ids,
    reason: null,
    state: NO_LEG_STATE,
  }
}

/** A carried or frozen mark was formed at an earlier tick, every other one at the tick itself. */
function misplacedCutoff({ mark_rule, mark_cutoff_at }: LegRecord, tick: Micros, records: PublicRecords) {
  const cutoff = toMicros(mark_cutoff_at, 'mark_cutoff_at')
  const is_kept = isKept(mark_rule)
  const is_right = is_kept ? cutoff < tick && cutoff % records.versionAt(cutoff).frequency === 0 : cutoff === tick
  return is_right
    ? null
    : { expected: mark_cutoff_at, actual: `${is_kept ? 'a tick before ' : ''}${formatMicros(tick)}` }
}

/** Recomputes the mark at the cutoff at which it was formed. */
function originMark(expected: LegRecord, records: PublicRecords): Mark | null {
  const cutoff = toMicros(expected.mark_cutoff_at, 'mark_cutoff_at')
  const p = records.versionAt(cutoff).methodology.parameters
  if (expected.origin_rule === 'fixing') return records.fixing(expected)
  if (expected.origin_rule === 'M0')
    return settledMark(records.resolution(expected.outcome_id, expected.source_observation_ids[0]!), cutoff, p)
  const quote = records.quote(recordIdOf(expected.source_observation_ids[0]!), expected)
  if (quote === null) return null
  if (expected.origin_rule === 'M6') {
    const other = markOfQuote(quote, cutoff, p)
    return other === null ? null : complementOf(other)
  }
  const open = markOfQuote(quote, cutoff, p)
  const same = open?.rule === expected.origin_rule && formatMark(open) === expected.value
  // The last trade of a paused market is unclamped, whatever its book shows.
  return !same && expected.origin_rule === 'M5' ? markOfQuote(quote, cutoff, p, false) : open
}

function settledMark(resolution: Resolution | null, cutoff: Micros, p: Parameters): Mark | null {
  const payout: Decimal | null = resolution?.finality === 'final' ? resolution.payout : null
  if (resolution === null || payout === null || settlesFrom(resolution, p.settle_from) > cutoff) return null
  const { source_at, evidence_id } = resolution
  return {
    rule: 'M0',
    origin_rule: 'M0',
    value: roundDecimal(payout, SCALE.payout),
    c_rule: C_RULE.M0,
    source_at,
    confirmed_at: source_at,
    cutoff_at: cutoff,
    source_ids: [evidence_id],
    derivation_rule: null,
  }
}

/** Applies the tick's rule: carried and frozen marks keep value and times and take the rule's own confidence. */
function atTick(origin: Mark, expected: LegRecord): Mark {
  if (expected.mark_rule === 'M7') return { ...origin, rule: 'M7', c_rule: C_RULE.M7 }
  if (expected.mark_rule === 'frozen') return { ...origin, rule: 'frozen', c_rule: C_RULE.frozen }
  return origin
}

/** Returns the recorded text if it names the same instant, so that equal instants compare equal. */
function instantLike(stated: string, micros: Micros): string {
  return toMicros(stated, 'instant') === micros ? stated : String(micros)
}

/** Rebuilds the raw mark that the outlier filter rejected, from the record. */
export function rebuildPending(excluded: {
  readonly observation_id: string
  readonly raw_value: string
  readonly reference_value: string
  readonly threshold: string
}): LegEvaluation['pending'] {
  const value = parseDecimal(excluded.raw_value, 'raw_value')
  const median = parseDecimal(excluded.reference_value, 'reference_value')
  const mark: Mark = {
    rule: 'M1',
    origin_rule: 'M1',
    value,
    c_rule: C_RULE.M1,
    source_at: 0,
    confirmed_at: 0,
    cutoff_at: 0,
    source_ids: [excluded.observation_id],
    derivation_rule: null,
  }
  const window = { median, mad: median, sigma: median, source_ids: [] }
  return {
    mark,
    decision: {
      accepted: false,
      window,
      limit: parseDecimal(excluded.threshold, 'threshold'),
      state: NO_LEG_STATE.outlier,
    },
  }
}
