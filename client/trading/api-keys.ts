import type { KeyAlgorithm } from '../../vocabulary/api-key.ts'
import type { ApiKey, IssuedApiKey, KeyAuditItem, Signer } from '../contract/types.ts'
import { checkedObject, checkNames, knownOptions, ONCE_OPTIONS, pathPart, refusedArgument } from '../given.ts'
import { recordOf } from '../http/answer.ts'
import type { Call } from '../http/call.ts'
import { signAuthorization } from '../signing/sign-authorization.ts'
import type { MessageSigner } from '../signing/typed-signer.ts'
import type { Once } from './once.ts'
import { pagesOf } from './pages.ts'
import type { PrivateHttp } from './private-http.ts'
import { madeParts } from './repeatable.ts'

/** Key to create. The client chooses its id: `key_` and 16 to 32 of [a-z0-9]. */
export type KeyTerms = {
  readonly key_id: string
  readonly label: string
  readonly scopes: readonly string[]
  readonly algorithm?: KeyAlgorithm
  /** 64 hex digits; required for `ed25519`. */
  readonly public_key?: string
  /** Address that may sign orders; default: the owner. */
  readonly signer?: string
  /** CIDR; empty: no restriction. */
  readonly ip_allowlist?: readonly string[]
  /** Whole second; the owner signs it too, so the key cannot be given a later end. */
  readonly expires_at?: string | null
}

/** Options of a write that the owner consents to. */
export type ConsentOnce = Once & {
  /** Time of the consent, Unix seconds; default: now. Repeat it with the `idempotency_key` to send the same request. */
  readonly issued_at?: number
}

export type KeyCalls = {
  list(call?: Call): Promise<readonly ApiKey[]>
  /** Signed by the owner: `signer_private_key` is the owner's. */
  create(terms: KeyTerms, once?: ConsentOnce): Promise<IssuedApiKey>
  /**
   * Rotates the client's own key, or another one of the account, for which the owner signs.
   * @param overlap_seconds 0 to 600, during which the previous secret stays valid
   */
  rotate(
    key_id: string,
    terms: { readonly overlap_seconds: number; readonly public_key?: string },
    once?: ConsentOnce,
  ): Promise<IssuedApiKey>
  /** Revokes the client's own key, or another one of the account, for which the owner signs. */
  revoke(key_id: string, reason: string, once?: ConsentOnce): Promise<ApiKey>
  auditLog(key_id: string, call?: Call): AsyncGenerator<KeyAuditItem>
  /** Addresses that may sign orders now. */
  signers(call?: Call): AsyncGenerator<Signer>
}

/** Account of the keys, the client's own key, and the owner who signs for others. */
export type KeyOwner = {
  readonly account_id: string
  readonly key_id: string
  readonly environment: string
  readonly signer: () => MessageSigner
}

/** Creates the calls for API keys of an account; the client's own key needs the scope `keys:write`; `keys:read` suffices to read. */
export function createKeyCalls(http: PrivateHttp, owner: KeyOwner): KeyCalls {
  const post = async <T>(path: string, body: unknown, given: ConsentOnce = {}): Promise<T> => {
    const { issued_at: _, ...once } = knownOptions(given, CONSENT_OPTIONS)
    return recordOf((await http.send<T>({ ...once, method: 'POST', path: `/account/api-keys${path}`, body })).data)
  }
  const of = (key_id: string) => `/${pathPart(key_id, 'key_id')}`
  const list = async (call?: Call) => {
    const found: ApiKey[] = []
    for await (const key of pagesOf<ApiKey>(http, '/account/api-keys', {}, call)) found.push(key)
    return found
  }
  /** The owner's consent to a change of another key; nothing for the client's own, and for one that the service will not find. */
  const consent = async (key_id: string, once?: ConsentOnce) => {
    if (key_id === owner.key_id) return {}
    const key = (await list()).find((one) => one.key_id === key_id)
    const { account_id, environment, signer } = owner
    return key === undefined
      ? {}
      : signAuthorization(
          { account_id, key_id, scopes: key.scopes, ...keptConsent(once, ['key', key_id]) },
          signer(),
          environment,
        )
  }
  return {
    list,
    create: async (terms, once) => post('', await keyBody(checkedObject(terms, 'terms'), owner, once), once),
    rotate: async (key_id, terms, once) => {
      const { overlap_seconds, public_key = null, ...more } = checkedObject(terms, 'terms')
      checkNames(more, ['overlap_seconds', 'public_key'], 'term')
      const material = public_key === null ? {} : { public_key }
      const path = `${of(key_id)}/rotate`
      return post(path, { overlap_seconds, ...material, ...(await consent(key_id, once)) }, once)
    },
    revoke: async (key_id, reason, once) =>
      post(`${of(key_id)}/revoke`, { reason, ...(await consent(key_id, once)) }, once),
    async *auditLog(key_id, call) {
      yield* pagesOf<KeyAuditItem>(http, `/account/api-keys${of(key_id)}/audit-log`, {}, call)
    },
    signers: (call) => pagesOf<Signer>(http, '/account/signers', {}, call),
  }
}

const CONSENT_OPTIONS = ['issued_at', ...ONCE_OPTIONS]
const KEY_TERMS = Object.keys({
  key_id: true,
  label: true,
  scopes: true,
  algorithm: true,
  public_key: true,
  signer: true,
  ip_allowlist: true,
  expires_at: true,
} satisfies Record<keyof KeyTerms, true>)

async function keyBody(terms: KeyTerms, { account_id, environment, signer }: KeyOwner, once?: ConsentOnce) {
  checkNames(terms, KEY_TERMS, 'term')
  const { key_id, label, scopes, algorithm = 'hmac-sha256', public_key = null, expires_at = null } = terms
  const expiry = expires_at === null ? 0 : secondsOf(expires_at)
  const named = terms.signer === undefined ? {} : { signer: terms.signer }
  return {
    key_id,
    environment,
    label,
    algorithm,
    public_key,
    scopes,
    ip_allowlist: terms.ip_allowlist ?? [],
    expires_at,
    ...(await signAuthorization(
      { account_id, key_id, scopes, expiry, ...named, ...keptConsent(once, ['key', key_id]) },
      signer(),
      environment,
    )),
  }
}

function secondsOf(expires_at: string): number {
  const ms = typeof expires_at === 'string' ? Date.parse(expires_at) : Number.NaN
  if (!Number.isNaN(ms)) return Math.floor(ms / 1000)
  throw refusedArgument('expires_at', expires_at, 'an instant such as 2026-12-31T00:00:00Z, or null')
}

/** Parts of a consent that a repeat of the call keeps: its nonce, and its time if the caller names it. */
function keptConsent(once: ConsentOnce = {}, of: readonly unknown[]) {
  const { idempotency_key, issued_at } = knownOptions(once, CONSENT_OPTIONS)
  return {
    nonce: madeParts({ idempotency_key, of }).order_nonce,
    ...(issued_at === undefined ? {} : { issued_at }),
  }
}
