import type { PayloadItem } from '../../connectors/archives/payloads/payload-item.ts'
import { batchArrivals } from '../../connectors/venues/batch-arrivals.ts'
import { importSource, type SourceImportOptions } from './import-payloads.ts'
import type { ImportReport } from './import-report.ts'

export type LiveImportOptions = SourceImportOptions & {
  /** What connectors give, in the order of receipt. The import ends when it ends. */
  readonly items: AsyncIterable<PayloadItem>
  /** The longest that something waits in memory for more to come; null = until a batch is full. */
  readonly linger_ms?: number | null
}

const LINGER_MS = 1_000

/**
 * Loads what connectors read and receive, as an archive of the same payloads would be loaded: stored before it is read,
 * batch by batch, with the same records. A reader learns what a token or an event is from the catalogue, so a source
 * begins with that. What failed to be stored is stored by an import of the same payloads, for nothing is doubled.
 * @throws {ServiceError} VENUE_UNAVAILABLE and VENUE_ANSWER_REFUSED of the connectors, VALIDATION_CLOCK_REFUSED, and what
 *   Warehouse.append throws
 */
export async function importLive(options: LiveImportOptions): Promise<ImportReport> {
  const { items, linger_ms = LINGER_MS, ...importing } = options
  const source = {
    files: [],
    quarantine: [],
    bytes: 0,
    batches: (limits = options.limits) => batchArrivals(items, { linger_ms, ...(limits && { limits }) }),
  }
  // Our own clock says when something was received, so nothing is of the future.
  return importSource(importing, source, Number.MAX_SAFE_INTEGER)
}
