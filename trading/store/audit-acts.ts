import { formatMicros } from '../../primitives/instants.ts'
import { SERVICE_STEPS, verifyStoredAct } from '../engine/authorize-act.ts'
import type { OperatorCommand } from '../engine/submission.ts'
import type { ActRow, OperatorKeyRow } from '../projections/rows.ts'
import type { PoolClient } from './create-pool.ts'
import { readSql } from './read-sql.ts'

/** An act that is not signed as it must be. */
type UnsignedAct = { readonly subject: string; readonly found: string; readonly expected: string }

/** Acts per read. */
const STEP = 500

type StoredAct = Omit<ActRow, 'batch_sequence' | 'command'> & { readonly command: OperatorCommand }

/** Verifies the signatures of operators' acts. @returns acts that the registered keys of their people did not sign */
export async function findUnsignedActs(client: PoolClient, limit: number): Promise<UnsignedAct[]> {
  const { rows } = await client.query<OperatorKeyRow>(readSql('find_operator_keys'))
  const keys = new Map(rows.map((key) => [key.operator_key_id, key]))
  const found: UnsignedAct[] = []
  for (let last = ''; found.length < limit; ) {
    const acts = (await client.query<StoredAct>(readSql('signed_acts'), [SERVICE_STEPS, last, STEP])).rows
    if (acts.length === 0) break
    for (const act of acts) {
      const fault = faultOf(keys, act)
      if (fault !== null) found.push({ subject: act.act_id, found: fault, expected: 'a valid signature of its actor' })
    }
    last = acts.at(-1)!.act_id
  }
  return found.slice(0, limit)
}

/** Returns what is wrong with the signatures of an act; null: nothing. */
function faultOf(keys: ReadonlyMap<string, OperatorKeyRow>, act: StoredAct): string | null {
  const { signatures, actor, at, issued_at, command_hash } = act
  // The listing service acts by its policy; the first key registers itself.
  if (signatures.length === 0) return actor.startsWith('workflow:') ? null : 'no signature'
  const known = signatures.map(({ operator_key_id }) => keys.get(operator_key_id))
  const lasting = known.every((key) => key !== undefined && key.registered_at <= at && (key.revoked_at ?? at) >= at)
  if (!lasting) return 'a key that was not registered then'
  if (!actor.startsWith('workflow:') && !known.some((key) => key!.operator_id === actor))
    return 'no signature of its actor'
  const text = { ...act, issued_at: formatMicros(issued_at!), command_hash: command_hash! }
  return verifyStoredAct(keys, text, signatures) ? null : 'a signature of another act'
}
