import type { Leg } from '../../pipelines/index/version.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import { QuoteWindows } from '../index/quote-windows.ts'
import type { ArchiveMarksRequest } from './archive-request.ts'
import { LiveMarks, MARK_PARAMETERS, type MarksOfTick } from './live-marks.ts'
import { MarkComparison } from './mark-comparison.ts'
import { MARK_STEP } from './mark-ticks.ts'
import { openMarkWriter } from './mark-writer.ts'
import { type ArchivePlan, planArchiveMarks } from './plan-archive-marks.ts'

export type ArchiveMarks = { readonly marks_published: number; readonly commits: number }

/**
 * Publishes the marks and midpoints of markets whose records are stored, minute by minute, as the live feed would have: only
 * where something changed, from the first record to the first tick after the last one. Marks that are published and would be the same
 * stay; others are superseded under the wall clock. Under the recorded clock a mark is stamped at its tick + grace, and ticks before
 * the last published mark are left out. Repeating the call publishes nothing, and completes an interrupted one.
 * @throws {ServiceError} VALIDATION_CLOCK_REFUSED, and what Warehouse.append throws; the signal's reason
 */
export async function publishArchiveMarks(request: ArchiveMarksRequest): Promise<ArchiveMarks> {
  const { warehouse, clock } = request
  if (request.markets.length === 0) return { marks_published: 0, commits: 0 }
  const writer = await openMarkWriter(warehouse, clock)
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const facts = { now: await warehouse.now(), sealed_through: writer.sealed_through }
    const plan = await planArchiveMarks(session, request, facts)
    if (plan !== null) {
      for await (const planned of plannedMarks(session, plan, request.signal)) {
        await writer.write(session, planned)
        request.on_published?.(writer.written().marks_published)
      }
    }
    return writer.written()
  } finally {
    await session.close()
  }
}

/** The marks to publish, span after span of ticks: what is in memory does not grow with the archive. */
async function* plannedMarks(session: ReadSession, plan: ArchivePlan, signal: AbortSignal | undefined) {
  const { legs, spans, begin } = plan
  const marks = new LiveMarks(MARK_STEP, { taken_to: begin, markets: new Map() })
  const windows = new QuoteWindows()
  const comparison = await MarkComparison.open(session, plan)
  for (const span of spans) {
    signal?.throwIfAborted()
    windows.take(await plan.quotes.read(span))
    const changed: MarksOfTick[] = marks.take(legs, dataOf(plan, windows), span)
    windows.retain(() => span.to, { graces: [MARK_PARAMETERS.grace], fixing_span: 0 })
    yield await comparison.take(changed, span)
  }
}

function dataOf({ legs, facts }: ArchivePlan, windows: QuoteWindows) {
  return new Map(legs.map((leg: Leg) => [leg.key, { ...windows.of(leg), ...facts.get(leg.key)!, trades: [] }]))
}
