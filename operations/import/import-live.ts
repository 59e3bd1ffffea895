import type { PayloadItem } from '../../connectors/archives/payloads/payload-item.ts'
import { batchArrivals } from '../../connectors/venues/batch-arrivals.ts'
import { importSource, type SourceImportOptions } from './import-payloads.ts'
import type { ImportReport } from './import-report.ts'

export type LiveImportOptions = SourceImportOptions & {
  /** Payloads from connectors, in the order of receipt; the import ends with them. */
  readonly items: AsyncIterable<PayloadItem>
  /** Longest wait of a payload in memory for more to join its batch; null = until the batch is full. */
  readonly linger_ms?: number | null
  /** Ends the batches of several imports together, in place of `linger_ms`: the end of the batch of a payload that arrives now. */
  readonly tick?: () => Promise<void>
}

const LINGER_MS = 1_000

/**
 * Imports payloads from connectors like an archive of the same payloads: batch by batch, stored before they are parsed, with the same
 * records. A source begins with the catalogue, from which a reader learns its tokens and events. After a failure an import of the same
 * payloads stores the rest; nothing is stored twice.
 * @throws {ServiceError} VENUE_UNAVAILABLE and VENUE_ANSWER_REFUSED of the connectors, VALIDATION_CLOCK_REFUSED, and the errors of
 *   Warehouse.append
 */
export async function importLive(options: LiveImportOptions): Promise<ImportReport> {
  const { items, linger_ms = LINGER_MS, tick, ...importing } = options
  const source = {
    files: [],
    forms: new Map<string, string>(),
    quarantine: [],
    ignored: [],
    bytes: 0,
    batches: (limits = options.limits) => batchArrivals(items, { linger_ms, tick, ...(limits && { limits }) }),
  }
  // Our own clock stamps receipts, so none is in the future.
  return importSource(importing, source, Number.MAX_SAFE_INTEGER)
}
