import { canonicalJson } from '../../primitives/canonical-json.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { commandHash } from '../auth/operator-act-text.ts'
import { isInTime, signersNeeded, verifyStoredAct } from '../engine/authorize-act.ts'
import type { OperatorCommand } from '../engine/submission.ts'
import type { ActRow, OperatorKeyRow } from '../projections/rows.ts'
import type { PoolClient } from './create-pool.ts'
import { readSql } from './read-sql.ts'

/** An act that is not signed as it must be, or an operator key that acts do not make. */
type ActFault = { readonly subject: string; readonly found: string; readonly expected: string }

/** Acts per read. */
const STEP = 500

type StoredAct = Omit<ActRow, 'command'> & {
  readonly command: OperatorCommand
  /** Instant of the act's batch; null: it has none. */
  readonly batch_at: Micros | null
}

type Keys = Map<string, OperatorKeyRow>

/**
 * Verifies operators' acts from the first one on with the keys that they themselves register and revoke: their commands, signatures,
 * instants and people; then compares those keys with the stored ones.
 * @param limit most faults that are returned
 */
export async function findActFaults(client: PoolClient, limit: number): Promise<ActFault[]> {
  const keys: Keys = new Map()
  const found: ActFault[] = []
  // One sort for all of them, in the audit's transaction.
  await client.query(`DECLARE acts CURSOR FOR ${readSql('acts_in_order')}`)
  for (;;) {
    const acts = (await client.query<StoredAct>(`FETCH ${STEP} FROM acts`)).rows
    for (const act of acts) {
      const fault = faultOf(keys, act)
      if (fault !== null) found.push({ subject: act.act_id, ...fault })
      takeKey(keys, act)
    }
    if (acts.length === 0 || found.length >= limit) break
  }
  await client.query('CLOSE acts')
  const stored = (await client.query<OperatorKeyRow>(readSql('find_operator_keys'))).rows
  return [...found, ...keyFaults(keys, stored)].slice(0, limit)
}

type Fault = Omit<ActFault, 'subject'>

/** Returns what is wrong with an act, given the keys before it; null: nothing. */
function faultOf(keys: Keys, act: StoredAct): Fault | null {
  const { signatures, at, batch_at, issued_at, command_hash, command } = act
  if (at !== batch_at)
    return { found: formatMicros(at), expected: `the instant of its batch, ${batch_at && formatMicros(batch_at)}` }
  if (command_hash !== null && command_hash !== commandHash(command))
    return { found: `a command with hash ${commandHash(command)}`, expected: `${command_hash}, which is signed` }
  const root = [...keys.values()][0]
  if (command.kind === 'register_operator_key' && root !== undefined && root.environment !== command.environment)
    return { found: `environment ${command.environment}`, expected: `${root.environment}, that of the first key` }
  const needed = peopleNeeded(keys, act)
  if (typeof needed === 'string') return { found: needed, expected: 'an approval by another person' }
  if (signatures.length === 0) {
    return needed.length === 0 ? null : { found: 'no signature', expected: `signatures of ${needed.join(' and ')}` }
  }
  if (command_hash === null || issued_at === null || !isInTime(issued_at, at))
    return { found: 'a signature of another time', expected: 'one of the day before the act' }
  const known = signatures.map(({ operator_key_id }) => keys.get(operator_key_id))
  if (!known.every((key) => key !== undefined && (key.revoked_at ?? at) >= at))
    return { found: 'a signature by a key that was not registered then', expected: 'registered keys' }
  const missing = needed.filter((operator_id) => !known.some((key) => key!.operator_id === operator_id))
  if (missing.length > 0) return { found: 'no signature', expected: `one of ${missing.join(' and ')}` }
  const text = { ...act, issued_at: formatMicros(issued_at), command_hash }
  return verifyStoredAct(keys, text, signatures)
    ? null
    : { found: 'a signature of another act', expected: 'one of this act' }
}

/** Returns the people who must have signed an act, or in a sentence why nobody could have. */
function peopleNeeded(keys: Keys, act: StoredAct): string[] | string {
  try {
    return signersNeeded(act, keys)
  } catch (error) {
    if (isServiceError(error)) return error.message
    throw error
  }
}

/** Registers or revokes the key of an act that does. */
function takeKey(keys: Keys, { command, at }: StoredAct): void {
  if (command.kind === 'register_operator_key') {
    const { operator_key_id, operator_id, public_key, environment } = command
    const row = { operator_key_id, operator_id, public_key, environment, registered_at: at, revoked_at: null }
    if (!keys.has(operator_key_id)) keys.set(operator_key_id, row)
  } else if (command.kind === 'revoke_operator_key') {
    const key = keys.get(command.operator_key_id)
    if (key !== undefined) keys.set(key.operator_key_id, { ...key, revoked_at: key.revoked_at ?? at })
  }
}

/** Compares the keys that acts make with the stored ones. */
function keyFaults(made: Keys, stored: readonly OperatorKeyRow[]): ActFault[] {
  const rows = new Map(stored.map((row) => [row.operator_key_id, row]))
  const text = (row: OperatorKeyRow | undefined) => (row === undefined ? 'no such key' : canonicalJson(row))
  return [...new Set([...made.keys(), ...rows.keys()])].flatMap((subject) => {
    const [found, expected] = [text(rows.get(subject)), text(made.get(subject))]
    return found === expected ? [] : [{ subject, found, expected }]
  })
}
