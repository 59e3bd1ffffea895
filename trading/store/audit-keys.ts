import { isServiceError } from '../../primitives/errors.ts'
import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { AuthorizationToSign } from '../../protocol/signing/authorization-message.ts'
import type { SignatureVerifier } from '../auth/signature-verifier.ts'
import { Verifiers } from '../auth/verifiers.ts'
import type { AuthorizationRow } from '../projections/rows.ts'
import type { PoolClient } from './create-pool.ts'
import { readSql } from './read-sql.ts'

/** A signer of orders whom the owner did not name. */
type KeyFault = { readonly subject: string; readonly found: string; readonly expected: string }

/** Authorizations per read. */
const STEP = 500

type Allowed = AuthorizationRow & {
  /** null: there is no such key. */
  readonly scopes: readonly string[] | null
  readonly key_account_id: string | null
  readonly owner_address: string | null
  readonly ordered: Readonly<Record<string, unknown>> | null
}

/**
 * Verifies who may sign orders: the account's owner signed each authorization, its key and scopes included, or an act has it.
 * Signatures of contracts need their chain and are not verified; their owner is compared all the same.
 * @param limit most faults that are returned
 */
export async function findKeyFaults(client: PoolClient, limit: number): Promise<KeyFault[]> {
  const verifiers = new Verifiers('viem')
  const found: KeyFault[] = []
  try {
    for (let last = ''; found.length < limit; ) {
      const { rows } = await client.query<Allowed>(readSql('find_authorizations'), [last, STEP])
      for (const row of rows) {
        const fault = await faultOf(row, await verifiers.of(row.environment))
        if (fault !== null) found.push({ subject: `signer ${row.signer} of ${row.account_id}`, ...fault })
      }
      if (rows.length < STEP) break
      last = rows.at(-1)!.authorization_id
    }
    return found.slice(0, limit)
  } finally {
    await verifiers.close()
  }
}

/** Returns what is wrong with an authorization; null: nothing. */
async function faultOf(row: Allowed, verifier: SignatureVerifier): Promise<Omit<KeyFault, 'subject'> | null> {
  const { api_key_id, scopes, account_id, key_account_id, owner, owner_address, signature } = row
  if (scopes === null || key_account_id !== account_id)
    return { found: `for the key ${api_key_id} of ${key_account_id ?? 'nobody'}`, expected: `a key of ${account_id}` }
  if (owner !== owner_address) return { found: `by ${owner}`, expected: `by the owner, ${owner_address}` }
  if (signature === null)
    return isOrdered(row) ? null : { found: 'without a signature', expected: 'an act that has it' }
  if (row.signature_type !== 'eoa') return null
  const fault = await signatureFault(verifier, row, scopes, signature)
  return fault === null ? null : { found: fault, expected: `a signature by ${owner}` }
}

async function signatureFault(
  verifier: SignatureVerifier,
  row: Allowed,
  scopes: readonly string[],
  signature: string,
): Promise<string | null> {
  const key = { account_id: row.account_id, key_id: row.api_key_id, scopes }
  try {
    const request = { authorization: signedOf(row), key, signature_type: 'eoa', signature } as const
    const { verdict } = await verifier.verifyAuthorization(request)
    return verdict === null ? null : verdict.message
  } catch (error) {
    if (isServiceError(error)) return error.message
    throw error
  }
}

/** Returns the authorization as it was sent. */
function signedOf(row: AuthorizationRow): AuthorizationToSign {
  const { owner, signer, api_key_id, scopes_hash, environment, nonce, authorization_version } = row
  return {
    ...{ owner, signer, account: row.account_id, api_key_id, scopes_hash, environment, nonce, authorization_version },
    issued_at: secondsOf(row.issued_at),
    expiry: row.expires_at === null ? 0 : secondsOf(row.expires_at),
  }
}

function secondsOf(at: Micros): number {
  return Math.floor(at / MICROS_PER_SECOND)
}

/** Whether an act added the key with this authorization. */
function isOrdered(row: Allowed): boolean {
  return Object.entries(signedOf(row)).every(([field, value]) => row.ordered?.[field] === value)
}
