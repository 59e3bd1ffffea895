import type { IngestOverview } from '../../protocol/operator/ingest.ts'
import { errorOfAnswer, unreachable } from './api-error.ts'

/** Reads the state of ingest and backfills; null where the page was not opened at the admin address. @throws {ApiError} */
export async function readIngest(as_of: string | null, signal: AbortSignal): Promise<IngestOverview | null> {
  const query = as_of === null ? '' : `?${new URLSearchParams({ as_of })}`
  const response = await fetch(`/internal/ingest${query}`, { signal }).catch((cause: unknown) => {
    throw signal.aborted ? cause : unreachable()
  })
  const body: unknown = await response.json().catch(() => null)
  if (response.status === 404) return null
  if (!response.ok) throw errorOfAnswer(response.status, body)
  if (body === null) throw unreachable()
  return body as IngestOverview
}
