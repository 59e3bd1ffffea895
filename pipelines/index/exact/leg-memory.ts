import type { Micros } from '../../../primitives/instants.ts'
import { ExactLeg, newestOrdinal } from './exact-leg.ts'
import { GHOST_ROW, recordIdOf } from './ghosts.ts'
import type { LegSource } from './leg-source.ts'
import { type Kept, OutlierFilter } from './outlier-filter.ts'
import { type QuoteFeed, rowAt } from './quote-feed.ts'
import { type IntegerMark, sourceKey } from './quote-mark.ts'

/** Source fields of a mark, by record id, so that they outlive the columns. */
export type MarkSource = { readonly record_id: string; readonly fields: number; readonly other: boolean }
export type RememberedMark = Omit<IntegerMark, 'key'> & MarkSource
export type AcceptedMark = Omit<Kept, 'key'> & MarkSource

/** Memory of one leg of the exact engine, in whole numbers. Immutable. */
export type LegMemory = {
  /** The newest M1..M6 mark. */
  readonly newest: RememberedMark | null
  /** Last marks before instants that can freeze the leg, where a later mark replaced them. */
  readonly asides: readonly { readonly instant: Micros; readonly mark: RememberedMark }[]
  readonly accepted: readonly AcceptedMark[]
  readonly pending: readonly AcceptedMark[]
}

/** Returns the memory of a leg after a tick. */
export function rememberLeg(leg: ExactLeg): LegMemory {
  const { history, filter } = leg
  const { accepted, pending } = filter.memory()
  return {
    newest: history.is_empty ? null : remembered(leg, history.newest),
    asides: history.asides().map(({ instant, mark }) => ({ instant, mark: remembered(leg, mark) })),
    accepted: accepted.map((kept) => acceptedMark(leg, kept)),
    pending: pending.map((kept) => acceptedMark(leg, kept)),
  }
}

/**
 * Restores a leg from a memory, over a source that begins where the memory was made: of the remembered records it may
 * contain only those that were the newest admitted then.
 * @param at the tick of the memory
 */
export function restoreLeg(source: LegSource, filtering: boolean, memory: LegMemory, at: Micros): ExactLeg {
  const ghosts = new Map<string, number>()
  const own = newestRow(source.own, at)
  const other = source.other === null ? null : newestRow(source.other, at)
  const keyOf = (mark: MarkSource): number => {
    const known = mark.other ? other : own
    if (known?.record_id === mark.record_id) return sourceKey(known.row, mark.fields, mark.other)
    const ghost = ghosts.get(mark.record_id) ?? ghosts.size
    ghosts.set(mark.record_id, ghost)
    return sourceKey(GHOST_ROW + ghost, mark.fields, mark.other)
  }
  const filter = new OutlierFilter(Math.max(MEMORY_CAPACITY, 2 * memory.accepted.length))
  for (const mark of memory.accepted) filter.restore(mark.value, mark.confirmed_at, keyOf(mark))
  filter.restorePending(memory.pending.map((mark) => keptMark(mark, keyOf(mark))))
  const leg = new ExactLeg(source, filtering, filter)
  const newest = memory.newest === null ? null : integerMark(memory.newest, keyOf(memory.newest))
  const asides = memory.asides.map(({ instant, mark }) => ({ instant, mark: integerMark(mark, keyOf(mark)) }))
  leg.history.restore(newest, asides)
  leg.ghosts = [...ghosts.keys()]
  return leg
}

/** Initial filter capacity after a restore, which mostly serves few ticks. */
const MEMORY_CAPACITY = 24

function remembered(leg: ExactLeg, mark: IntegerMark): RememberedMark {
  const { rule, value, c, confirmed_at, source_at, key } = mark
  const record_id = recordIdOf(leg, key)
  return { rule, value, c, confirmed_at, source_at, record_id, fields: (key % 8) >> 1, other: key % 2 === 1 }
}

function integerMark({ rule, value, c, confirmed_at, source_at }: RememberedMark, key: number): IntegerMark {
  return { rule, value, c, confirmed_at, source_at, key }
}

function acceptedMark(leg: ExactLeg, { value, confirmed_at, key }: Kept): AcceptedMark {
  return { value, confirmed_at, record_id: recordIdOf(leg, key), fields: (key % 8) >> 1, other: key % 2 === 1 }
}

function keptMark({ value, confirmed_at }: AcceptedMark, key: number): Kept {
  return { value, confirmed_at, key }
}

function newestRow(feed: QuoteFeed, at: Micros): { readonly row: number; readonly record_id: string } | null {
  const ordinal = newestOrdinal(feed, -1, at)
  if (ordinal < 0) return null
  const row = rowAt(feed, ordinal)
  return { row, record_id: feed.columns.recordId(row) }
}
