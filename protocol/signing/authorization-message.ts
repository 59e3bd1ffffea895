import { checkedAddress, checkedBytes32, checkedSeconds, checkedUint256 } from './signed-scalars.ts'
import type { Hex } from './typed-data.ts'

/** An authorization as a body carries it. */
export type AuthorizationToSign = {
  /** The address that controls the account: it signs. */
  readonly owner: string
  /** The address that may sign orders through the key; may be the owner. */
  readonly signer: string
  readonly account: string
  readonly api_key_id: string
  readonly scopes_hash: string
  readonly environment: string
  /** Unix seconds. */
  readonly issued_at: number
  /** Unix seconds; 0: none. */
  readonly expiry: number
  /** uint256 in decimal digits. */
  readonly nonce: string
  readonly authorization_version: string
}

/** A SvcApiAuthorization: see AUTHORIZATION_TYPE. */
export type AuthorizationMessage = {
  readonly owner: Hex
  readonly signer: Hex
  readonly account: string
  readonly api_key_id: string
  readonly scopes_hash: Hex
  readonly environment: string
  readonly issued_at: bigint
  readonly expiry: bigint
  readonly nonce: bigint
  readonly authorization_version: string
}

/** @throws {ServiceError} VALIDATION_BODY_INVALID names the field that cannot be signed */
export function authorizationMessage(body: AuthorizationToSign): AuthorizationMessage {
  return {
    owner: checkedAddress(body.owner, 'authorization.owner'),
    signer: checkedAddress(body.signer, 'authorization.signer'),
    account: body.account,
    api_key_id: body.api_key_id,
    scopes_hash: checkedBytes32(body.scopes_hash, 'authorization.scopes_hash'),
    environment: body.environment,
    issued_at: checkedSeconds(body.issued_at, 'authorization.issued_at'),
    expiry: checkedSeconds(body.expiry, 'authorization.expiry'),
    nonce: checkedUint256(body.nonce, 'authorization.nonce'),
    authorization_version: body.authorization_version,
  }
}

/** Greatest age of an authorization when it is used, and greatest lead of the signer's clock, in seconds. */
const [AGE_MAX_S, AHEAD_MAX_S] = [600, 5]

/** Returns what is wrong with an authorization's times, or null. @param now Unix seconds */
export function outOfForce(times: { readonly issued_at: number; readonly expiry: number }, now: number): string | null {
  const { issued_at, expiry } = times
  const [first, last] = [now - AGE_MAX_S, now + AHEAD_MAX_S]
  if (issued_at < first || issued_at > last)
    return `authorization.issued_at is ${issued_at}; allowed: ${first} to ${last} in Unix seconds, at most ${AGE_MAX_S} s old or ${AHEAD_MAX_S} s ahead`
  return expired('authorization.expiry', expiry, now)
}

/** Returns what is wrong with the expiry of an order or authorization, or null. All in Unix seconds; 0: it never expires. */
export function expired(field: string, expiry: number, now: number): string | null {
  if (expiry === 0 || expiry > now) return null
  return `${field} is ${expiry}; allowed: 0, or an instant after now, ${now}`
}
