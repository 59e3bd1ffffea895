import { type Decimal, parseDecimal } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { MarkRule } from '../../vocabulary/index-level.ts'
import { C_RULE, COMPLEMENT_RULE, type Mark } from '../market/mark.ts'
import type { LastLevel } from './calculate.ts'
import type { LegState } from './evaluate-leg.ts'
import { historyOf, marksOf } from './leg-history.ts'
import type { ReferenceMemory } from './series.ts'

/** A mark as JSON; value and c_rule are decimal strings. */
type MarkRecord = readonly [
  rule: MarkRule,
  origin_rule: MarkRule,
  value: string,
  c_rule: string,
  source_at: Micros,
  confirmed_at: Micros,
  cutoff_at: Micros,
  derived: 0 | 1,
  ...source_ids: readonly string[],
]
/** Indexes into the marks: history newest first, accepted and pending oldest first. */
type LegRecord = readonly [history: readonly number[], accepted: readonly number[], pending: readonly number[]]

/** States of many legs as JSON. A mark shared by several is written once, and is one object again when read. */
export type LegRecords = { readonly marks: MarkRecord[]; readonly legs: LegRecord[] }

/** Memory of a reference series as JSON; legs are indexes into the leg records. */
export type MemoryRecord = {
  readonly tick_at: Micros
  readonly index_version_id: string
  readonly k: string | null
  readonly k_first: string | null
  readonly last_level: LastLevel | null
  readonly legs: readonly (readonly [key: string, leg: number])[]
  readonly pools: readonly (readonly [constituent_id: string, keys: readonly string[]])[]
}

/** Collects leg states. */
export class LegWriter {
  readonly records: LegRecords = { marks: [], legs: [] }
  readonly #marks = new Map<Mark, number>()
  readonly #legs = new Map<LegState, number>()

  /** Adds a leg's state and returns its index. */
  leg(state: LegState): number {
    const known = this.#legs.get(state)
    if (known !== undefined) return known
    const { history, outlier } = state
    const ordinals = (marks: readonly Mark[]) => marks.map((mark) => this.#mark(mark))
    this.records.legs.push([ordinals(marksOf(history)), ordinals(outlier.accepted), ordinals(outlier.pending)])
    this.#legs.set(state, this.records.legs.length - 1)
    return this.records.legs.length - 1
  }

  /** Adds a memory and its legs. */
  memory({ tick_at, index_version_id, k, k_first, state }: ReferenceMemory): MemoryRecord {
    return {
      tick_at,
      index_version_id,
      k: k?.toFixed() ?? null,
      k_first: k_first?.toFixed() ?? null,
      last_level: state.last_level,
      legs: [...state.legs].map(([key, leg]) => [key, this.leg(leg)] as const),
      pools: [...state.pool_excluded].map(([id, keys]) => [id, [...keys]] as const),
    }
  }

  #mark(mark: Mark): number {
    const known = this.#marks.get(mark)
    if (known !== undefined) return known
    const { rule, origin_rule, value, c_rule, source_at, confirmed_at, cutoff_at, derivation_rule, source_ids } = mark
    const derived = derivation_rule === null ? 0 : 1
    const times = [source_at, confirmed_at, cutoff_at] as const
    this.records.marks.push([rule, origin_rule, value.toFixed(), c_rule.toFixed(), ...times, derived, ...source_ids])
    this.#marks.set(mark, this.records.marks.length - 1)
    return this.records.marks.length - 1
  }
}

/** Reads the records of a LegWriter. */
export class LegReader {
  readonly #legs: readonly LegState[]

  constructor({ marks, legs }: LegRecords) {
    const read = marks.map(markOf)
    const pick = (ordinals: readonly number[]) => ordinals.map((ordinal) => read[ordinal]!)
    this.#legs = legs.map(([history, accepted, pending]) => ({
      history: historyOf(pick(history)),
      outlier: { accepted: pick(accepted), pending: pick(pending) },
    }))
  }

  leg(ordinal: number): LegState {
    return this.#legs[ordinal]!
  }

  memory({ tick_at, index_version_id, k, k_first, last_level, legs, pools }: MemoryRecord): ReferenceMemory {
    const state = {
      legs: new Map(legs.map(([key, ordinal]) => [key, this.leg(ordinal)])),
      pool_excluded: new Map(pools.map(([id, keys]) => [id, new Set(keys)])),
      last_level,
    }
    return { tick_at, index_version_id, k: decimalOf(k), k_first: decimalOf(k_first), state }
  }
}

function markOf([
  rule,
  origin_rule,
  value,
  c_rule,
  source_at,
  confirmed_at,
  cutoff_at,
  derived,
  ...ids
]: MarkRecord): Mark {
  return {
    rule,
    origin_rule,
    value: parseDecimal(value, 'value'),
    c_rule: sameDecimal(C_RULE[rule], c_rule),
    source_at,
    confirmed_at,
    cutoff_at,
    source_ids: ids,
    derivation_rule: derived === 1 ? COMPLEMENT_RULE : null,
  }
}

function decimalOf(text: string | null): Decimal | null {
  return text === null ? null : parseDecimal(text, 'link_factor')
}

function sameDecimal(usual: Decimal, text: string): Decimal {
  return usual.toFixed() === text ? usual : parseDecimal(text, 'c_rule')
}
