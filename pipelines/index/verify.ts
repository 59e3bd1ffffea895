import { canonicalJson } from '../../primitives/canonical-json.ts'
import type { Decimal } from '../../primitives/decimal.ts'
import { parseDecimal } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import { concludeTick, type LastLevel, OPEN_GATE } from './calculate.ts'
import type { Evaluation } from './evaluate.ts'
import { type EvaluatedConstituent, evaluateConstituent } from './evaluate-constituent.ts'
import { HAMPEL_RULE, type LegEvaluation, UNUSABLE_LEG } from './evaluate-leg.ts'
import { levelSums } from './level.ts'
import type { LevelGaps } from './level-sequence.ts'
import { type BuiltObservation, buildObservation, type InputRecord } from './observation.ts'
import { type Mismatch, type PublicRecords, rebuildLeg, rebuildPending } from './rebuild-leg.ts'
import { agreesOnReasons } from './state-reasons.ts'
import type { Constituent, IndexVersion, Leg } from './version.ts'

/** Public records from which an observation is recomputed. */
export type VerificationRecords = PublicRecords & {
  /** Published K of the version. */
  readonly link_factor: Decimal | null
  readonly expectedResolution: (leg: Leg, tick: Micros) => Micros | null
  /** Returns the level published for a cutoff, as known when the observation was published. */
  readonly levelAt: (source_cutoff_at: Micros) => string | null
}

export type VerifyFailure = Mismatch & { readonly observation_id: string }

/** Result of verifying several observations, whatever the source of their records. */
export type VerifyReport = {
  readonly checked: number
  readonly reproduced: number
  readonly failures: readonly VerifyFailure[]
  /** Indexes with ticks without a level, of those whose whole history was verified. It is no failure. */
  readonly gaps: readonly LevelGaps[]
}

/**
 * Returns the report of levels that were verified.
 * @throws {ServiceError} OBSERVATION_NOT_FOUND: there was none, which is no success
 */
export function verifyReport(
  { checked, failures, gaps }: Omit<VerifyReport, 'reproduced'>,
  index_id: string | undefined,
): VerifyReport {
  if (checked === 0) {
    const whose = index_id ?? 'any index'
    const message = `there is no level of ${whose}, so nothing was verified`
    throw new ServiceError('OBSERVATION_NOT_FOUND', message, index_id === undefined ? {} : { index_id })
  }
  return { checked, reproduced: checked - failures.length, failures, gaps }
}

/**
 * Recomputes one published observation from public records only: its version, link factor and the input records it names.
 * @returns null when everything is equal to the last digit, else the first step that differs
 */
export function verifyObservation(
  record: BuiltObservation,
  version: IndexVersion,
  records: VerificationRecords,
): Mismatch | null {
  const tick = toMicros(record.tick_at, 'tick_at')
  const names = differs(
    'inputs: constituents',
    version.constituents.map((c) => c.constituent_id),
    record.inputs.map((input) => input.constituent_id),
  )
  if (names !== null) return names
  const constituents: EvaluatedConstituent[] = []
  for (const [i, constituent] of version.constituents.entries()) {
    const rebuilt = rebuildConstituent(constituent, record.inputs[i]!, record, version, records, tick)
    if ('step' in rebuilt) return rebuilt
    constituents.push(rebuilt)
  }
  const last = lastLevel(record, records)
  if (last !== null && 'step' in last) return last
  const sums = levelSums(
    constituents.map((c) => ({ w: c.constituent.target_weight, x: c.x, c: c.confidence, freshness: c.freshness })),
  )
  const fixing_failed = record.reason_codes.includes('FIXING_UNAVAILABLE')
  const evaluation: Evaluation = {
    cutoff: tick,
    constituents,
    sums,
    fixing_failed,
    state: { legs: new Map(), pool_excluded: new Map() },
  }
  const k = hasFactor(record) ? records.link_factor : null
  const { result } = concludeTick(evaluation, version, k, last, OPEN_GATE)
  return compareRecords(
    record,
    buildObservation(result, {
      ...record,
      calculated_at: toMicros(record.calculated_at ?? record.tick_at, 'calculated_at'),
    }),
  )
}

/**
 * Returns whether K ruled at a tick (methodology §10): it does from the first level on. A level needs it; a tick without one has
 * it if a level came before, which its record says: late records may move the first level of a restated past.
 */
function hasFactor({ level, link_factor }: BuiltObservation): boolean {
  return level !== null || link_factor !== null
}

/** Fields in the order of the calculation, so that the first difference is the first wrong step. */
const STEPS = [
  'inputs',
  'link_factor',
  'coverage_ratio',
  'confidence',
  'level',
  'source_cutoff_at',
  'missing_constituent_ids',
  'excluded_inputs',
  'input_observation_ids',
  'reason_codes',
  'underlying_quality_state',
  'quality_state',
  'input_digest',
  'calculation_run_id',
  'observation_id',
  'record_hash',
] as const

function compareRecords(stated: BuiltObservation, found: BuiltObservation): Mismatch | null {
  for (const [i, input] of stated.inputs.entries()) {
    const other = found.inputs[i]!
    for (const field of Object.keys(other) as (keyof InputRecord)[]) {
      const wrong = differs(`inputs: ${input.constituent_id} ${field}`, input[field], other[field])
      if (wrong !== null) return wrong
    }
  }
  for (const field of STEPS.slice(1)) {
    const reasons = field === 'reason_codes' && agreesOnReasons(stated, found.reason_codes)
    const wrong = reasons ? null : differs(field, stated[field], found[field])
    if (wrong !== null) return wrong
  }
  return null
}

function differs(step: string, stated: unknown, found: unknown): Mismatch | null {
  // Most fields are texts: comparing their canonical forms would cost more than recomputing them.
  if (stated === found) return null
  const [expected, actual] = [canonicalJson(stated ?? null), canonicalJson(found ?? null)]
  return expected === actual ? null : { step, expected, actual }
}

/** Rebuilds one constituent from the legs that its input names; other legs were not usable. */
function rebuildConstituent(
  constituent: Constituent,
  input: InputRecord,
  record: BuiltObservation,
  version: IndexVersion,
  records: VerificationRecords,
  tick: Micros,
): EvaluatedConstituent | Mismatch {
  const p = version.methodology.parameters
  const evaluations = new Map<string, LegEvaluation>()
  for (const leg of constituent.legs) {
    const stated = input.legs.find((item) => item.outcome_id === leg.outcome_id)
    const rebuilt =
      stated === undefined
        ? UNUSABLE_LEG
        : rebuildLeg(stated, tick, input.pending && stated.mark_rule === 'M7', p, records)
    if ('step' in rebuilt) return rebuilt
    evaluations.set(leg.key, rebuilt)
  }
  const evaluated = evaluateConstituent(constituent, {
    cutoff: tick,
    // The input names only legs that counted, so none of them is excluded again.
    parameters: { ...p, pool: { ...p.pool, exclude: parseDecimal('1', 'exclude') } },
    roll: version.roll,
    evaluations,
    pool_excluded_before: new Set(),
    expectedResolution: (leg) => leg.expected_resolution_at ?? records.expectedResolution(leg, tick),
  })
  const excluded = record.excluded_inputs.filter((item) => item.constituent_id === constituent.constituent_id)
  return withExclusions(evaluated, input, excluded)
}

/** Adds the exclusions and reasons of the record: they concern legs that it does not carry. */
function withExclusions(
  evaluated: EvaluatedConstituent,
  input: InputRecord,
  excluded: BuiltObservation['excluded_inputs'],
): EvaluatedConstituent | Mismatch {
  const outlier = excluded.find((item) => item.rule === HAMPEL_RULE)
  if (outlier !== undefined) {
    const { mark, decision } = rebuildPending(outlier)!
    // Median and limit are published with 6 decimals, so the distance is known to one unit of them.
    const distance = mark.value.minus(decision.window!.median).abs()
    if (distance.plus(PUBLISHED_UNIT).lt(decision.limit!))
      return {
        step: `outlier of ${input.constituent_id}`,
        expected: `beyond ${outlier.threshold}`,
        actual: distance.toFixed(6),
      }
  }
  return { ...evaluated, pending: outlier !== undefined, excluded, reasons: input.reason_codes }
}

/** Returns the last level shown by a stale tick, which must be the one published for its source_cutoff_at. */
function lastLevel(record: BuiltObservation, records: VerificationRecords): LastLevel | Mismatch | null {
  if (record.underlying_quality_state !== 'stale' || record.level === null || record.source_cutoff_at === null)
    return null
  const source_cutoff_at = toMicros(record.source_cutoff_at, 'source_cutoff_at')
  const level = records.levelAt(source_cutoff_at)
  return level === record.level
    ? { level, source_cutoff_at }
    : { step: 'stale level', expected: record.level, actual: level ?? 'none published' }
}

const PUBLISHED_UNIT = parseDecimal('0.000001', 'unit')
