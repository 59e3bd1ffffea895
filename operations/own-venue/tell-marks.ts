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
/** Most marks in one command. */
const MARKS_MAX = 500

/**
 * Sends the published marks of the engine's markets to it, if they differ from the last ones it has: positions show them, and price bands
 * are around them.
 * @returns how many were sent
 * @throws {ServiceError} SERVICE_UNAVAILABLE, OUTCOME_UNKNOWN: the next call sends them
 */
export async function tellMarks({ source, reads, client }: MarkPorts): Promise<{ readonly told: number }> {
  const current = await reads.marks()
  const published = await source.marksOf([...new Set(current.map(({ market_id }) => market_id))])
  const changed = changedMarks(current, published)
  for (let from = 0; from < changed.length; from += MARKS_MAX) {
    const marks = changed.slice(from, from + MARKS_MAX)
    const act_id = `act_marks_${contentHash(marks).slice(7, 39)}`
    const act = { act_id, actor: ACTOR, reason: 'published marks', command: { kind: 'set_marks', marks } } as const
    await performAct(client, act)
  }
  return { told: changed.length }
}

/** Marks whose value changed or is new. Pure. */
function changedMarks(current: readonly EngineMark[], published: SetMarks['marks']): SetMarks['marks'] {
  const known = new Map(current.map((mark) => [mark.outcome_id, mark]))
  return published.filter(({ outcome_id, mark }) => {
    const before = known.get(outcome_id)
    return before !== undefined && before.mark !== scaled(mark)
  })
}

function scaled(mark: string | null): number | null {
  return mark === null ? null : toSafe(toScaled(mark, MARK_SCALE, 'mark'))
}
