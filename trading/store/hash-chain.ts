import { createHash } from 'node:crypto'
import type { BatchRow, EventRow } from '../projections/rows.ts'

/** What the first batch follows. */
export const GENESIS_HASH = '0'.repeat(64)

/** An event with its body as the text that is stored. */
export type HashedEvent = Omit<EventRow, 'body' | 'batch_sequence'> & { readonly body: string }

/**
 * Link of one batch in the chain over all events: SHA-256 over lines of text, each ended by a newline. The first is
 *   previous_hash batch_sequence epoch at last_engine_sequence last_ledger_sequence
 * joined by single spaces, `at` in microseconds; then one line an event: engine_sequence, kind, account_id (`-` where there is
 * none) and the text of the body. Changing, leaving out or adding anything changes every later hash.
 * @returns 64 hex digits
 */
export function batchHash(batch: Omit<BatchRow, 'hash'>, events: readonly HashedEvent[]): string {
  const { previous_hash, batch_sequence, epoch, at, last_engine_sequence, last_ledger_sequence } = batch
  const hash = createHash('sha256')
  hash.update(`${previous_hash} ${batch_sequence} ${epoch} ${at} ${last_engine_sequence} ${last_ledger_sequence}\n`)
  let lines = ''
  for (const { engine_sequence, kind, account_id, body } of events) {
    lines += `${engine_sequence} ${kind} ${account_id ?? '-'} ${body}\n`
  }
  return hash.update(lines).digest('hex')
}
