import { ORDER_TYPE, type OrderToSign, orderMessage } from '../../protocol/order/order-terms.ts'
import { type AuthorizationToSign, authorizationMessage } from '../../protocol/signing/authorization-message.ts'
import { scopesHash } from '../../protocol/signing/scopes.ts'
import { AUTHORIZATION_TYPE } from '../../protocol/signing/typed-data.ts'
import { createRecovery, type RecoveryKind } from './create-recovery.ts'
import { type Chain, createChain } from './json-rpc.ts'
import { createKeccak256, keccakOfText } from './keccak.ts'
import type { Recovery } from './recovery.ts'
import { createTypedHasher } from './typed-hasher.ts'
import type { SignatureOutcome, SignatureParts } from './typed-subject.ts'
import { verifyTyped } from './verify-typed.ts'

type OrderToVerify = SignatureParts & { readonly order: OrderToSign }

type AuthorizationToVerify = SignatureParts & {
  readonly authorization: AuthorizationToSign
  /** The requested key: an authorization for another key or other scopes does not cover it. */
  readonly key: { readonly account_id: string; readonly key_id: string; readonly scopes: readonly string[] }
}

/** Verifies that a message was signed by the signer it names. The engine checks whether that signer may act, the nonce and the time. */
export type SignatureVerifier = {
  /**
   * @throws {ServiceError} VALIDATION_*: the body has a value that cannot be signed; SERVICE_UNAVAILABLE: the verdict cannot be
   *   found now (the chain does not answer, or the queue is full)
   */
  verifyOrder(request: OrderToVerify): Promise<SignatureOutcome>
  /** Verifies an authorization, signed by its `owner`. @throws as verifyOrder */
  verifyAuthorization(request: AuthorizationToVerify): Promise<SignatureOutcome>
  close(): Promise<void>
}

export type VerifierOptions = {
  readonly environment: string
  readonly recovery?: RecoveryKind
  /** Threads of native recovery; one recovers about 17,000 signatures a second. */
  readonly threads?: number
  /**
   * JSON-RPC address of a node of the smart accounts' chain, or where to find it now; null: smart accounts are not supported, or not now.
   */
  readonly rpc_url?: string | null | (() => string | null)
}

/** Creates the verifier. @throws the error of loading the native binding, where `recovery` is `native` */
export async function createSignatureVerifier(options: VerifierOptions): Promise<SignatureVerifier> {
  const { environment, recovery = 'auto', threads = 1, rpc_url = null } = options
  return verifierOver({
    environment,
    recovery: await createRecovery(recovery, threads),
    chain: typeof rpc_url === 'function' ? () => chainAt(rpc_url()) : constantly(chainAt(rpc_url)),
  })
}

function chainAt(rpc_url: string | null): Chain | null {
  return rpc_url === null ? null : createChain(rpc_url)
}

function constantly<T>(value: T): () => T {
  return () => value
}

/** Creates the verifier over given ports. */
async function verifierOver(ports: {
  readonly environment: string
  readonly recovery: Recovery
  readonly chain: () => Chain | null
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
      // No object spread: orders arrive by the thousand, and copies would cost as much as the hash.
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
