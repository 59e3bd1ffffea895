import { isObject } from '../../primitives/canonical-json.ts'
import { isDecimalString } from '../../primitives/decimal.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { formatMicros, INSTANT_ALLOWED, type Instant, type Micros, microsOf } from '../../primitives/instants.ts'
import { RESTATED_TICKS_MAX } from '../../vocabulary/governance.ts'
import { CORRECTION_REASONS, type CorrectionReason, QUALITY_STATES } from '../../vocabulary/index-level.ts'
import { isCorrectionReason } from '../index/correction.ts'
import type { Change } from './proposal.ts'

/** Level of one tick before and after a restatement. */
export type RestatedTick = {
  readonly tick_at: Instant
  /** Level that is replaced; null: the tick has none yet, and shows a level that is restated. */
  readonly supersedes_id: string | null
  readonly old_level: string | null
  readonly new_level: string | null
  readonly quality_state: string
}

/** Content of a proposal that restates levels late. */
export type Restatement = {
  readonly index_id: string
  /** Ticks in [from, to) were recomputed. */
  readonly from: Instant
  readonly to: Instant
  readonly cause: CorrectionReason
  /** Knowledge of the recomputation. */
  readonly as_of: Instant
  readonly ticks: readonly RestatedTick[]
}

const FIELDS = ['index_id', 'from', 'to', 'cause', 'as_of', 'ticks'] as const
const TICK_FIELDS = ['tick_at', 'supersedes_id', 'old_level', 'new_level', 'quality_state'] as const

/** Reads the content of a restatement. @throws {ServiceError} VALIDATION_DEFINITION_INVALID: it is not complete */
export function readRestatement(content: Change['content']): Restatement {
  checkFields('content', content, FIELDS)
  const { cause, ticks } = content
  if (!isCorrectionReason(cause)) throw invalid('cause', cause, CORRECTION_REASONS.join(', '))
  const [from, to] = [instantOf('from', content.from), instantOf('to', content.to)]
  instantOf('as_of', content.as_of)
  if (from >= to) throw invalid('to', content.to, `an instant after from (${formatMicros(from)})`)
  if (!Array.isArray(ticks) || ticks.length === 0 || ticks.length > RESTATED_TICKS_MAX)
    throw invalid('ticks', Array.isArray(ticks) ? ticks.length : ticks, `1 to ${RESTATED_TICKS_MAX} ticks`)
  const all: readonly unknown[] = ticks
  all.reduce((last: Micros, tick) => checkTick(tick, last, to), from - 1)
  return content as unknown as Restatement
}

/** @param last tick before it @returns its instant */
function checkTick(tick: unknown, last: Micros, to: Micros): Micros {
  if (!isObject(tick)) throw invalid('ticks', tick, 'objects')
  checkFields('tick', tick, TICK_FIELDS)
  const { supersedes_id, old_level, new_level, quality_state } = tick
  const at = instantOf('tick_at', tick.tick_at)
  if (at <= last || at >= to) throw invalid('tick_at', tick.tick_at, 'instants of the range, each once, in their order')
  if (supersedes_id !== null && (typeof supersedes_id !== 'string' || supersedes_id.length > 128))
    throw invalid('supersedes_id', supersedes_id, 'the id of the level that is replaced, or null')
  for (const [field, level] of Object.entries({ old_level, new_level }))
    if (level !== null && !isDecimalString(level)) throw invalid(field, level, 'a decimal string, or null')
  if (!QUALITY_STATES.some((state) => state === quality_state))
    throw invalid('quality_state', quality_state, QUALITY_STATES.join(', '))
  return at
}

function checkFields(name: string, value: object, fields: readonly string[]): void {
  const seen = Object.keys(value).sort().join(', ')
  const wanted = [...fields].sort().join(', ')
  if (seen !== wanted) throw invalid(`fields of ${name}`, seen, wanted)
}

function instantOf(field: string, value: unknown): Micros {
  const at = microsOf(value)
  if (at !== null && formatMicros(at) === value) return at
  throw invalid(field, value, INSTANT_ALLOWED)
}

function invalid(field: string, value: unknown, allowed: string) {
  const seen = (JSON.stringify(value) ?? 'missing').slice(0, 80)
  return notAllowed('VALIDATION_DEFINITION_INVALID', field, seen, allowed)
}
