import { createHash } from 'node:crypto'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import type { ActRow, BatchRow, EventRow } from '../projections/rows.ts'

/** previous_hash of the first batch. */
export const GENESIS_HASH = '0'.repeat(64)

/** An event whose body is the stored text. */
export type HashedEvent = Omit<EventRow, 'body' | 'batch_sequence'> & { readonly body: string }

/** A recorded act. Its hash covers everything that is signed; its instant is the batch's. */
export type HashedAct = Pick<ActRow, 'act_id' | 'actor' | 'reason' | 'issued_at' | 'command_hash' | 'signatures'>

/**
 * Returns the hash of one batch in the chain over all events: SHA-256 over lines of text, each ended by a newline. The first is
 *   previous_hash batch_sequence epoch at last_engine_sequence last_ledger_sequence
 * joined by single spaces, `at` in microseconds; then one line per event: engine_sequence, kind, account_id (`-` for
 * none) and the text of the body; then one line per act with a command_hash, in the order of their ids: RFC 8785 of its act_id, actor, reason,
 * issued_at (microseconds), command_hash and signatures. Changing, omitting or adding anything changes every later hash.
 * @returns 64 hex digits
 */
export function batchHash(
  batch: Omit<BatchRow, 'hash'>,
  events: readonly HashedEvent[],
  acts: readonly HashedAct[],
): string {
  const { previous_hash, batch_sequence, epoch, at, last_engine_sequence, last_ledger_sequence } = batch
  const hash = createHash('sha256')
  hash.update(`${previous_hash} ${batch_sequence} ${epoch} ${at} ${last_engine_sequence} ${last_ledger_sequence}\n`)
  let lines = ''
  for (const { engine_sequence, kind, account_id, body } of events) {
    lines += `${engine_sequence} ${kind} ${account_id ?? '-'} ${body}\n`
  }
  const signed = acts.filter(({ command_hash }) => command_hash !== null)
  for (const act of signed.toSorted((a, b) => (a.act_id < b.act_id ? -1 : 1))) lines += actLine(act)
  return hash.update(lines).digest('hex')
}

function actLine({ act_id, actor, reason, issued_at, command_hash, signatures }: HashedAct): string {
  return `${canonicalJson({ act_id, actor, reason, issued_at, command_hash, signatures })}\n`
}
