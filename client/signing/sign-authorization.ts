import { type AuthorizationToSign, authorizationMessage } from '../../protocol/signing/authorization-message.ts'
import { scopesHash } from '../../protocol/signing/scopes.ts'
import { AUTHORIZATION_TYPE, MESSAGE_VERSION } from '../../protocol/signing/typed-data.ts'
import { newOrderNonce } from './sign-order.ts'
import { keccakText, type MessageSigner, signerAddress, signTyped } from './typed-signer.ts'

/** What an owner allows. */
export type WantedAuthorization = {
  readonly account_id: string
  readonly key_id: string
  readonly scopes: readonly string[]
  /** The address that may sign orders; the owner by default. */
  readonly signer?: string
  /** Unix seconds; the present by default. */
  readonly issued_at?: number
  /** Unix seconds; 0, the default: until it is revoked. */
  readonly expiry?: number
  /** uint256 in decimal digits; a new one by default. */
  readonly nonce?: string
}

/** The part of the body of POST /v1/account/api-keys that shows the owner's consent. */
export type SignedAuthorization = {
  readonly authorization: AuthorizationToSign
  readonly authorization_signature: string
  readonly signature_type: MessageSigner['kind']
}

/**
 * Signs an authorization (SvcApiAuthorization) as the owner of an account.
 * @throws {ServiceError} VALIDATION_BODY_INVALID: a value that cannot be signed
 */
export async function signAuthorization(
  wanted: WantedAuthorization,
  owner: MessageSigner,
  environment: string,
): Promise<SignedAuthorization> {
  const address = signerAddress(owner)
  const authorization: AuthorizationToSign = {
    owner: address,
    signer: (wanted.signer ?? address).toLowerCase(),
    account: wanted.account_id,
    api_key_id: wanted.key_id,
    scopes_hash: scopesHash(wanted.scopes, keccakText),
    environment,
    issued_at: wanted.issued_at ?? Math.floor(Date.now() / 1000),
    expiry: wanted.expiry ?? 0,
    nonce: wanted.nonce ?? newOrderNonce(),
    authorization_version: MESSAGE_VERSION,
  }
  const authorization_signature = await signTyped(
    AUTHORIZATION_TYPE,
    authorizationMessage(authorization),
    environment,
    owner,
  )
  return { authorization, authorization_signature, signature_type: owner.kind }
}
