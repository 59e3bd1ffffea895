import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Instant, toMicros } from '../../primitives/instants.ts'
import { SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { computeIndexes } from '../index/compute-indexes.ts'
import { listIndexes } from '../index/list-indexes.ts'
import { publishMarks } from '../marks/publish-marks.ts'
import { openPauses, requireUnpaused } from './pauses.ts'
import { type ActBy, recordMadeUp } from './record-schedule-act.ts'
import { type Span, spansToMakeUp } from './schedule-acts.ts'

export type MakeUpRequest = ActBy & {
  readonly warehouse: Warehouse
  /** Whether an index is published live. */
  readonly follows: (index_id: string) => boolean
  /** Ticks [from, to); null: those of every pause that is over and was not made up for. */
  readonly range: { readonly from: Instant; readonly to: Instant } | null
  readonly signal?: AbortSignal | undefined
}

/** Range that was made up for. `refused`: indexes whose levels cannot be computed, and why. */
export type MadeUp = {
  readonly from: Instant
  readonly to: Instant
  readonly levels: number
  readonly marks: number
  readonly refused: readonly { readonly index_id: string; readonly error: string }[]
}

/**
 * Publishes the levels and marks that a pause of publication withheld, under the wall clock, and records who asked for it. This is
 * the only way in which they are published for every index at once. Repeating it publishes nothing.
 * @throws {ServiceError} SCHEDULE_PAUSED: publication is still paused; VALIDATION_USAGE_INVALID: there is nothing to make up for
 */
export async function makeUpLevels(request: MakeUpRequest): Promise<readonly MadeUp[]> {
  const { warehouse, range, actor, reason } = request
  const pauses = openPauses(warehouse)
  await requireUnpaused(pauses, [SCHEDULE_IDS.publish])
  const spans = range === null ? spansToMakeUp(await pauses.acts(), SCHEDULE_IDS.publish) : [spanOf(range)]
  if (spans.length === 0) {
    const text = 'range is missing, and no pause of publication is to be made up for; allowed: --from and --to'
    throw new ServiceError('VALIDATION_USAGE_INVALID', text, { field: 'from' })
  }
  const made: MadeUp[] = []
  for (const span of spans) {
    made.push(await makeUpSpan(span, request))
    await recordMadeUp(warehouse, span, { actor, reason })
  }
  return made
}

function spanOf({ from, to }: { readonly from: Instant; readonly to: Instant }): Span {
  return { from: toMicros(from, 'from'), to: toMicros(to, 'to') }
}

async function makeUpSpan(span: Span, { warehouse, follows, signal }: MakeUpRequest): Promise<MadeUp> {
  const range = { from: formatMicros(span.from), to: formatMicros(span.to) }
  const shared = { ...range, clock: 'wall', warehouse, signal } as const
  const { published: marks } = await publishMarks({ ...shared, interval: 'PT1M' })
  const refused: MadeUp['refused'][number][] = []
  let levels = 0
  for (const { index_id } of await listIndexes({ as_of: null, warehouse })) {
    if (!follows(index_id)) continue
    try {
      const { indexes } = await computeIndexes({ ...shared, index_ids: [index_id] })
      levels += indexes[0]?.published ?? 0
    } catch (error) {
      if (!isServiceError(error, 'INDEX_LINK_UNSTABLE') && !isServiceError(error, 'INDEX_GEARING_LIMIT')) throw error
      refused.push({ index_id, error: error.message })
    }
  }
  return { ...range, levels, marks, refused }
}
