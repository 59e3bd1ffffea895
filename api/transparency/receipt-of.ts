import type { Receipt } from '../../pipelines/transparency/receipt.ts'
import type { EntryProof } from '../../pipelines/transparency/record-proof.ts'
import { sealedThrough } from '../../pipelines/transparency/seal.ts'
import { formatMicros } from '../../primitives/instants.ts'
import type { LogReader, SealedCheckpoint } from '../../warehouse/transparency/log-reader.ts'
import type { RouteAnswer, RouteRequest } from '../server/handler.ts'
import { findEntry, proofPending } from './find-entry.ts'

/**
 * Returns the JSON text of the receipt of an answer as of an instant.
 * @throws {ServiceError} PROOF_PENDING: no seal reaches the instant yet; LOG_CORRUPT
 */
export async function receiptOf({ log, as_of }: RouteRequest, logged: RouteAnswer['logged']): Promise<string> {
  const { kind, record } = logged!
  const sealed = (await log?.sealing(kind, as_of!)) ?? null
  if (sealed === null) throw proofPending(`${kind} as of ${formatMicros(as_of!)}`, 'a seal that reaches the instant')
  const receipt: Receipt = {
    kind,
    sealed_through: formatMicros(sealedThrough(sealed.seal, kind)!),
    seal: placed(await log!.prove(sealed.size - 1, sealed)),
    record: record === null ? null : await provenRecord(log!, record(), sealed),
    checkpoint: sealed.text,
  }
  return asciiJson(receipt)
}

/** Returns JSON in ASCII: an envelope counts the bytes of its data alone. */
function asciiJson(value: unknown): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, escaped)
}

async function provenRecord(log: LogReader, record: Parameters<typeof findEntry>[1], sealed: SealedCheckpoint) {
  const { index } = await findEntry(log, record)
  return { record_text: record.record_text, ...placed(await log.prove(index, sealed)) }
}

function placed({ entry, index, hashes }: EntryProof) {
  return { entry, index, hashes }
}
