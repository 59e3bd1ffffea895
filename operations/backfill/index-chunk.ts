import { computeIndexes } from '../compute-indexes.ts'
import type { IndexChunk, IndexChunkPorts, IndexChunkReport } from './backfill-types.ts'

/**
 * Publishes the levels of one index that are missing in a range, under the wall clock. Doing it again publishes nothing.
 * Ranges of one index are done one after the other, first to last: a level goes on from those before it.
 * @throws {ServiceError} INDEX_NOT_FOUND, INDEX_LINK_UNSTABLE, INDEX_GEARING_LIMIT; the signal's reason
 */
export async function computeIndexChunk(
  { index_id, from, to }: IndexChunk,
  { warehouse, signal }: IndexChunkPorts,
): Promise<IndexChunkReport> {
  const { indexes } = await computeIndexes({ index_ids: [index_id], from, to, clock: 'wall', warehouse, signal })
  const { ticks, published, already_published } = indexes[0]!
  return { ticks, published, already_published }
}
