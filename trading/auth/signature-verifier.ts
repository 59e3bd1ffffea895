import { ORDER_TYPE, type OrderToSign, orderMessage } from '../../protocol/order/order-terms.ts'
import { type AuthorizationToSign, authorizationMessage } from '../../protocol/signing/authorization-message.ts'
import { scopesHash } from '../../protocol/signing/scopes.ts'
import { AUTHORIZATION_TYPE, type Hex } from '../../protocol/signing/typed-data.ts'
import { type RecoveryKind, createRecovery } from './create-recovery.ts'
import { type Chain, createChain } from './json-rpc.ts'
import { createKeccak256, keccakOfText } from './keccak.ts'
import { type Recovery } from './recovery.ts'
import { createTypedHasher } from './typed-hasher.ts'
import { verifyTyped } from './verify-typed.ts'
import { type SignatureVerdict } from '../engine/submission.ts'
import { type OrderSignature } from '../order/order-intent.ts'
import { type SignatureType } from '../../vocabulary/order.ts'

/** What a caller sent as signature of a message. */
export type SignatureParts = {
  /** Declared, never inferred. */
  readonly signature_type: SignatureType
  /** Hex with 0x. */
  readonly signature: string
  /** The message that the caller says to have signed: proves nothing, explains a mismatch. */
  readonly signed_message?: Readonly<Record<string, unknown>> | null
}

type OrderToVerify = SignatureParts & { readonly order: OrderToSign }

type AuthorizationToVerify = SignatureParts & {
  readonly authorization: AuthorizationToSign
  /** The key that is asked for: an authorization of another one, or of other scopes, says nothing about it. */
  readonly key: { readonly account_id: string; readonly key_id: string; readonly scopes: readonly string[] }
}

export type SignatureOutcome = {
  /** Lower-case hex with 0x. */
  readonly digest: Hex
  /** Who must have signed, in lower case. */
  readonly signer: Hex
  readonly verdict: SignatureVerdict
  readonly contract_call: OrderSignature['contract_call']
}

/** Says of a message whether it was signed by whom it names; whether that one may act, the nonce and the time are the engine's. */
export type SignatureVerifier = {
  /**
   * @throws {ServiceError} VALIDATION_*: the body has a value that cannot be signed; SERVICE_UNAVAILABLE: the verdict cannot be
   *   found now (a chain that does not answer, too many that wait)
   */
  verifyOrder(request: OrderToVerify): Promise<SignatureOutcome>
  /** An authorization is signed by its `owner`. @throws as verifyOrder */
  verifyAuthorization(request: AuthorizationToVerify): Promise<SignatureOutcome>
  close(): Promise<void>
}

export type VerifierOptions = {
  readonly environment: string
  readonly recovery?: RecoveryKind
  /** Threads of native recovery: 1 recovers some 17,000 signatures a second. */
  readonly threads?: number
  /** JSON-RPC address of a node of the chain that smart accounts are on; null: they are not supported. */
  readonly rpc_url?: string | null
}

/** @throws what loading the native binding throws, where `recovery` is `native` */
export async function createSignatureVerifier(options: VerifierOptions): Promise<SignatureVerifier> {
  const { environment, recovery = 'auto', threads = 1, rpc_url = null } = options
  return verifierOver({
    environment,
    recovery: await createRecovery(recovery, threads),
    chain: rpc_url === null ? null : createChain(rpc_url),
  })
}

/** The same over given ports. */
async function verifierOver(ports: {
  readonly environment: string
  readonly recovery: Recovery
  readonly chain: Chain | null
}): Promise<SignatureVerifier> {
  const { environment, recovery } = ports
  const keccak = await createKeccak256()
  const ofText = keccakOfText(keccak)
  const orders = createTypedHasher<ReturnType<typeof orderMessage>>(ORDER_TYPE, environment, keccak)
  const authorizations = createTypedHasher<ReturnType<typeof authorizationMessage>>(
    AUTHORIZATION_TYPE,
    environment,
    keccak,
  )
  return {
    verifyOrder: async (parts) => {
      const { order } = parts
      const message = orderMessage(order, ofText)
      // Written out: orders come by the thousand, and copies of objects would cost as much as the hash.
      return verifyTyped(
        {
          type: ORDER_TYPE,
          hasher: orders,
          message,
          signer: message.signer,
          version: order.signature_version,
          field: 'order_signature',
          mismatch: 'SIGNATURE_ORDER_MISMATCH',
          parts,
        },
        ports,
      )
    },
    verifyAuthorization: async ({ authorization, key, ...parts }) => {
      const message = authorizationMessage(authorization)
      const scopes_hash = scopesHash(key.scopes, ofText)
      return verifyTyped(
        {
          type: AUTHORIZATION_TYPE,
          hasher: authorizations,
          message,
          signer: message.owner,
          version: authorization.authorization_version,
          field: 'authorization_signature',
          mismatch: 'SIGNATURE_AUTHORIZATION_MISMATCH',
          required: { account: key.account_id, api_key_id: key.key_id, scopes_hash, environment },
          parts,
        },
        ports,
      )
    },
    close: () => recovery.close(),
  }
}
