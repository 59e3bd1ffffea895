import type { EvidenceItem } from '../../pipelines/evidence/evidence-item.ts'
import { modelRating } from '../../pipelines/rating/rating-record.ts'
import { componentsAgain } from '../../pipelines/rating/rerate.ts'
import { firstDifference } from '../../pipelines/review/same-value.ts'
import type { ReviewRow, Value } from '../../pipelines/review/subject.ts'
import { toMicros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { loadPast, NO_PAST } from './run-ratings.ts'

/**
 * Computes a rating by the model again: components from the figures of its evidence, score, band, outlook and watch from these
 * and from what was published before.
 * @param session as of the last instant before the rating was published
 * @returns the first field that differs; null: none does
 */
export async function verifyModelRating(session: ReadSession, row: ReviewRow): Promise<string | null> {
  const evidence = row.evidence as unknown as readonly EvidenceItem[]
  const market_id = String(row.market_id)
  const cutoff = toMicros(row.observation_cutoff_at)
  const past = (await loadPast(session, cutoff)).get(market_id) ?? NO_PAST
  const again = modelRating({ market_id, components: componentsAgain(evidence), evidence, past, cutoff })
  return firstDifference(row, again as unknown as Record<string, Value>)
}
