import type { RedactionRule } from '../../../pipelines/venues/outcomes.ts'
import type { QuarantineItem } from '../../../pipelines/venues/quarantine.ts'
import type { VenuePayload } from '../../../pipelines/venues/record.ts'
import type { PayloadItem } from './payload-item.ts'

/** Size limit of one batch of an import. */
export type PayloadBatch = {
  readonly payloads: readonly VenuePayload[]
  readonly quarantine: readonly QuarantineItem[]
  /** Redactions of these payloads, one per rule and file. */
  readonly redactions: readonly Redaction[]
}

type Redaction = { readonly file: string; readonly rule: RedactionRule; readonly count: number }

export type BatchLimits = {
  /** Characters of payload text. */
  readonly text_max: number
  readonly payloads_max: number
}

export const BATCH_LIMITS: BatchLimits = { text_max: 8 * 1024 * 1024, payloads_max: 50_000 }

/**
 * Groups payloads in batches of bounded size. Payloads of one instant stay together, so that the last state of that instant is
 * known, unless they are twice as many as a batch may hold. Batches depend on the archive alone.
 */
export async function* batchPayloads(
  merged: AsyncIterable<readonly PayloadItem[]>,
  limits: BatchLimits = BATCH_LIMITS,
): AsyncGenerator<PayloadBatch> {
  let batch = emptyBatch()
  for await (const items of merged) {
    for (const item of items) {
      if ('quarantined' in item) {
        batch.quarantine.push(item.quarantined)
        continue
      }
      if (isFull(batch, item.payload, limits)) {
        yield batch
        batch = emptyBatch()
      }
      batch.payloads.push(item.payload)
      for (const rule of item.redactions ?? []) batch.redactions.push({ file: item.payload.file, rule, count: 1 })
      batch.text += item.payload.text.length
    }
  }
  if (batch.payloads.length > 0 || batch.quarantine.length > 0) yield batch
}

function emptyBatch() {
  const redactions: Redaction[] = []
  return { payloads: [] as VenuePayload[], quarantine: [] as QuarantineItem[], redactions, text: 0 }
}

function isFull(
  { payloads, text }: { readonly payloads: readonly VenuePayload[]; readonly text: number },
  next: VenuePayload,
  { text_max, payloads_max }: BatchLimits,
): boolean {
  const share = Math.max(text / text_max, payloads.length / payloads_max)
  if (share < 1) return false
  return share >= 2 || payloads.at(-1)?.received_at !== next.received_at
}
