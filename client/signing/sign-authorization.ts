import { type AuthorizationToSign, authorizationMessage } from '../../protocol/signing/authorization-message.ts'
import { scopesHash } from '../../protocol/signing/scopes.ts'
import { AUTHORIZATION_TYPE, MESSAGE_VERSION } from '../../protocol/signing/typed-data.ts'
import { checkedList, checkedObject, checkedText, refusedArgument } from '../given.ts'
import { ofOneClass } from '../tidemark-error.ts'
import { newOrderNonce } from './sign-order.ts'
import { checkedSigner, keccakText, type MessageSigner, signerAddress, signTyped } from './typed-signer.ts'

/** Permission that an owner grants to a key. */
export type WantedAuthorization = {
  readonly account_id: string
  readonly key_id: string
  readonly scopes: readonly string[]
  /** Address that may sign orders; default: the owner. */
  readonly signer?: string
  /** Unix seconds; default: now. */
  readonly issued_at?: number
  /** Unix seconds; default 0: until revoked. */
  readonly expiry?: number
  /** uint256 in decimal digits; default: random. */
  readonly nonce?: string
}

/** Owner's consent in the body of POST /v1/account/api-keys. */
export type SignedAuthorization = {
  readonly authorization: AuthorizationToSign
  readonly authorization_signature: string
  readonly signature_type: MessageSigner['kind']
}

/**
 * Signs an authorization (SvcApiAuthorization) as the owner of an account.
 * @throws {TidemarkError} VALIDATION_BODY_INVALID: a value that cannot be signed
 */
export async function signAuthorization(
  wanted: WantedAuthorization,
  owner: MessageSigner,
  environment: string,
): Promise<SignedAuthorization> {
  const address = signerAddress(checkedSigner(owner))
  checkWanted(wanted, environment)
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
  const authorization_signature = await ofOneClass(async () =>
    signTyped(AUTHORIZATION_TYPE, authorizationMessage(authorization), environment, owner),
  )
  return { authorization, authorization_signature, signature_type: owner.kind }
}

/** Checks the types of what is signed; the message checks addresses and numbers. */
function checkWanted(wanted: WantedAuthorization, environment: string): void {
  const { account_id, key_id, scopes, signer, nonce, ...times } = checkedObject(wanted, 'wanted')
  checkedText(account_id, 'account_id')
  checkedText(key_id, 'key_id')
  for (const [n, scope] of checkedList(scopes, 'scopes').entries()) checkedText(scope, `scopes[${n}]`)
  if (signer !== undefined) checkedText(signer, 'signer')
  if (nonce !== undefined) checkedText(nonce, 'nonce')
  for (const name of ['issued_at', 'expiry'] as const) {
    const seconds = times[name]
    if (seconds !== undefined && !(Number.isSafeInteger(seconds) && seconds >= 0))
      throw refusedArgument(name, seconds, 'Unix seconds, 0 for none')
  }
  checkedText(environment, 'environment')
}
