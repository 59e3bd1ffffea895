import { isServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { WholeOrder } from '../../protocol/order/order-terms.ts'
import type { SignatureVerifier } from '../auth/signature-verifier.ts'
import { Verifiers } from '../auth/verifiers.ts'
import type { OrderRow } from '../projections/rows.ts'
import type { PoolClient } from './create-pool.ts'
import { readSql } from './read-sql.ts'

/** An accepted order that nobody who may sign has signed as it is stored. */
type OrderFault = { readonly subject: string; readonly found: string; readonly expected: string }

/** Orders per read, verified together. */
const STEP = 1_000

type Signed = Omit<WholeOrder, 'expires_at'> &
  Pick<OrderRow, 'order_id' | 'signature_type' | 'order_signature' | 'digest'> & {
    readonly expires_at: Micros | null
    /** null: its account has no key. */
    readonly environments: readonly string[] | null
    readonly may_sign: boolean
  }

/**
 * Verifies every accepted order anew: its typed data has the stored digest, the stored signature is its signer's, and that signer may
 * sign for the account (see findKeyFaults). Orders of accounts without an API key name no environment and are not verified: nobody can
 * send one. Signatures of contracts need their chain; of them the digest is not compared.
 * @param limit most faults that are returned
 */
export async function findOrderFaults(client: PoolClient, limit: number): Promise<OrderFault[]> {
  const verifiers = new Verifiers('auto')
  const found: OrderFault[] = []
  try {
    for (let last = ''; found.length < limit; ) {
      const { rows } = await client.query<Signed>(readSql('find_signed_orders'), [last, STEP])
      // Made before the orders of the page are verified together, so that none is made twice.
      for (const environment of rows.flatMap(({ environments }) => environments ?? [])) await verifiers.of(environment)
      const faults = await Promise.all(rows.map((row) => faultOf(row, verifiers)))
      found.push(...faults.filter((fault) => fault !== null))
      if (rows.length < STEP) break
      last = rows.at(-1)!.order_id
    }
    return found.slice(0, limit)
  } finally {
    await verifiers.close()
  }
}

async function faultOf(row: Signed, verifiers: Verifiers): Promise<OrderFault | null> {
  const { order_id: subject, environments, signer } = row
  if (environments === null) return null
  if (!row.may_sign) return { subject, found: `signed by ${signer}`, expected: `a signer of ${row.account_id}` }
  if (row.signature_type !== 'eoa') return null
  let fault: Omit<OrderFault, 'subject'> | null = null
  for (const environment of environments) {
    fault = await signatureFault(row, await verifiers.of(environment))
    if (fault === null) return null
  }
  return fault && { subject, ...fault }
}

async function signatureFault(row: Signed, verifier: SignatureVerifier): Promise<Omit<OrderFault, 'subject'> | null> {
  const { signer, digest } = row
  const expires_at = row.expires_at === null ? null : formatMicros(row.expires_at)
  try {
    const parts = { order: { ...row, expires_at }, signature_type: 'eoa', signature: row.order_signature } as const
    const outcome = await verifier.verifyOrder(parts)
    if (outcome.digest !== digest) return { found: `digest ${digest}`, expected: outcome.digest }
    return outcome.verdict === null ? null : { found: outcome.verdict.message, expected: `signed by ${signer}` }
  } catch (error) {
    if (isServiceError(error)) return { found: error.message, expected: 'an order that can be signed' }
    throw error
  }
}
