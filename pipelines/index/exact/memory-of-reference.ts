import { SCALE } from '../../../primitives/decimal.ts'
import { invariant } from '../../../primitives/errors.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { toScaled } from '../../../primitives/scaled.ts'
import { MARK_RULES } from '../../../vocabulary/index-level.ts'
import type { Mark } from '../../market/mark.ts'
import type { LegState } from '../evaluate-leg.ts'
import { marksOf } from '../leg-history.ts'
import type { ReferenceMemory } from '../series.ts'
import type { ExactMemory } from './chain.ts'
import type { AcceptedMark, LegMemory, MarkSource, RememberedMark } from './leg-memory.ts'
import { SOURCE_FIELDS } from './quote-mark.ts'

/**
 * Converts the reference's memory to the exact engine's: the same marks in whole numbers. A stored series is
 * kept in one form only; from here on both engines run independently.
 * @param instants every instant known to freeze a leg when the memory was made, by leg
 */
export function exactMemoryOf(memory: ReferenceMemory, instants: ReadonlyMap<string, readonly Micros[]>): ExactMemory {
  const { tick_at, index_version_id, k, k_first, state } = memory
  const legs = new Map([...state.legs].map(([key, leg]) => [key, legMemoryOf(leg, instants.get(key) ?? [])]))
  return { tick_at, index_version_id, k, k_first, last_level: state.last_level, legs, pools: state.pool_excluded }
}

function legMemoryOf({ history, outlier }: LegState, instants: readonly Micros[]): LegMemory {
  const marks = marksOf(history)
  const asides = instants.flatMap((instant) => {
    const mark = marks.find(({ source_at }) => source_at < instant)
    return mark === undefined || mark === marks[0] ? [] : [{ instant, mark: remembered(mark) }]
  })
  return {
    newest: marks[0] === undefined ? null : remembered(marks[0]),
    asides,
    accepted: outlier.accepted.map(accepted),
    pending: outlier.pending.map(accepted),
  }
}

function remembered(mark: Mark): RememberedMark {
  return {
    rule: MARK_RULES.indexOf(mark.rule),
    value: units(mark),
    c: Number(mark.c_rule.times(100).toFixed()),
    confirmed_at: mark.confirmed_at,
    source_at: mark.source_at,
    ...sourceOf(mark),
  }
}

function accepted(mark: Mark): AcceptedMark {
  return { value: units(mark), confirmed_at: mark.confirmed_at, ...sourceOf(mark) }
}

function units({ value }: Mark): number {
  return Number(toScaled(value.toFixed(), SCALE.mark))
}

/** Returns the record and fields of a mark; its ids are `<record_id>.<field>` of one record. */
function sourceOf({ source_ids, derivation_rule }: Mark): MarkSource {
  const names = source_ids.map((id) => id.slice(id.lastIndexOf('.') + 1)).join()
  const fields = SOURCE_FIELDS.findIndex((known) => known.join() === names)
  invariant(fields >= 0, `no rule reads the fields ${names}`)
  const [first] = source_ids
  return { record_id: first!.slice(0, first!.lastIndexOf('.')), fields, other: derivation_rule !== null }
}
