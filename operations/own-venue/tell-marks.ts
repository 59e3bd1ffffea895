import { contentHash } from '../../primitives/canonical-json.ts'
import { toSafe } from '../../primitives/safe-integers.ts'
import { toScaled } from '../../primitives/scaled.ts'
import type { SetMarks } from '../../trading/engine/settlement-commands.ts'
import { MARK_SCALE } from '../../trading/engine/state.ts'
import type { EngineClient } from '../../trading/service/engine-client.ts'
import type { MarkSource } from '../../trading/service/mark-source.ts'
import { performAct } from '../../trading/service/perform-act.ts'
import type { EngineMark, VenueReads } from '../../trading/store/venue/venue-reads.ts'

export type MarkPorts = {
  readonly source: MarkSource
  readonly reads: VenueReads
  readonly client: EngineClient
}

const ACTOR = 'workflow:marks'
/** Marks of one command. */
const MARKS_MAX = 500

/**
 * Tells the engine the marks that are published of its markets, where they differ from what it was told last: positions show them, and
 * price bands are around them.
 * @returns how many were told
 * @throws {ServiceError} SERVICE_UNAVAILABLE, OUTCOME_UNKNOWN: the next call tells them
 */
export async function tellMarks({ source, reads, client }: MarkPorts): Promise<{ readonly told: number }> {
  const told = await reads.marks()
  const published = await source.marksOf([...new Set(told.map(({ market_id }) => market_id))])
  const changed = changedMarks(told, published)
  for (let from = 0; from < changed.length; from += MARKS_MAX) {
    const marks = changed.slice(from, from + MARKS_MAX)
    const act_id = `act_marks_${contentHash(marks).slice(7, 39)}`
    const act = { act_id, actor: ACTOR, reason: 'published marks', command: { kind: 'set_marks', marks } } as const
    await performAct(client, act)
  }
  return { told: changed.length }
}

/** Marks whose value is another one, or that are there for the first time. Pure. */
function changedMarks(told: readonly EngineMark[], published: SetMarks['marks']): SetMarks['marks'] {
  const known = new Map(told.map((mark) => [mark.outcome_id, mark]))
  return published.filter(({ outcome_id, mark }) => {
    const before = known.get(outcome_id)
    return before !== undefined && before.mark !== scaled(mark)
  })
}

function scaled(mark: string | null): number | null {
  return mark === null ? null : toSafe(toScaled(mark, MARK_SCALE, 'mark'))
}
