import type { LoggedRecord } from '../../pipelines/transparency/log-entry.ts'
import type { Receipt } from '../../pipelines/transparency/receipt.ts'
import type { EntryProof } from '../../pipelines/transparency/record-proof.ts'
import { type Seal, sealedThrough } from '../../pipelines/transparency/seal.ts'
import { formatMicros } from '../../primitives/instants.ts'
import type { LogReader, SealedCheckpoint } from '../../warehouse/transparency/log-reader.ts'
import type { LoggedAnswer, RouteAnswer, RouteRequest } from '../server/handler.ts'
import { findEntry, proofPending } from './find-entry.ts'

/**
 * Returns the JSON text of the receipt of an answer as of an instant.
 * @throws {ServiceError} PROOF_PENDING: no seal reaches the instant yet; LOG_CORRUPT
 */
export async function receiptOf({ log, as_of }: RouteRequest, logged: RouteAnswer['logged']): Promise<string> {
  const answer = logged!
  const kinds = 'kind' in answer ? [answer.kind] : answer.kinds
  const sealed = (await log?.sealing(kinds, as_of!)) ?? null
  if (sealed === null) {
    const what = kinds.length === 0 ? 'the answer' : kinds.join(', ')
    throw proofPending(`${what} as of ${formatMicros(as_of!)}`, 'a seal that reaches the instant')
  }
  const receipt: Receipt = {
    ...('kind' in answer ? { kind: answer.kind } : { kinds }),
    sealed_through: throughOf(sealed.seal, kinds),
    seal: placed(await log!.prove(sealed.size - 1, sealed)),
    ...(await provenRecords(log!, answer, sealed)),
    checkpoint: sealed.text,
  }
  return asciiJson(receipt)
}

function throughOf(seal: Seal, kinds: readonly string[]): string {
  if (kinds.length === 0) return seal.sealed_through
  return formatMicros(Math.min(...kinds.map((kind) => sealedThrough(seal, kind)!)))
}

/** Returns JSON in ASCII: an envelope counts the bytes of its data alone. */
function asciiJson(value: unknown): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, escaped)
}

async function provenRecords(
  log: LogReader,
  answer: LoggedAnswer,
  sealed: SealedCheckpoint,
): Promise<Pick<Receipt, 'record' | 'records'>> {
  const prove = (record: LoggedRecord) => provenRecord(log, record, sealed)
  if ('record' in answer) return { record: answer.record === null ? null : await prove(answer.record()) }
  if (answer.records === null) return { record: null }
  return { record: null, records: await Promise.all((await answer.records()).map(prove)) }
}

async function provenRecord(log: LogReader, record: LoggedRecord, sealed: SealedCheckpoint) {
  const { index } = await findEntry(log, record)
  return { record_text: record.record_text, ...placed(await log.prove(index, sealed)) }
}

function placed({ entry, index, hashes }: EntryProof) {
  return { entry, index, hashes }
}
