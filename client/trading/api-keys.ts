import type { ApiKey, IssuedApiKey, KeyAuditItem } from '../../protocol/resources/api-key.ts'
import type { KeyAlgorithm } from '../../vocabulary/api-key.ts'
import { signAuthorization } from '../signing/sign-authorization.ts'
import type { MessageSigner } from '../signing/typed-signer.ts'
import type { Once } from './once.ts'
import { pagesOf } from './pages.ts'
import type { PrivateHttp } from './private-http.ts'

/** Key to create. The client chooses its id: `key_` and 16 to 32 of [a-z0-9]. */
export type KeyTerms = {
  readonly key_id: string
  readonly label: string
  readonly scopes: readonly string[]
  readonly algorithm?: KeyAlgorithm
  /** 64 hex digits; required for `ed25519`. */
  readonly public_key?: string
  /** CIDR; empty: no restriction. */
  readonly ip_allowlist?: readonly string[]
  readonly expires_at?: string | null
}

export type KeyCalls = {
  list(): Promise<readonly ApiKey[]>
  /** Signed by the owner: `signer_private_key` is the owner's. */
  create(terms: KeyTerms, once?: Once): Promise<IssuedApiKey>
  /** @param overlap_seconds 0 to 600, during which the previous secret stays valid */
  rotate(
    key_id: string,
    terms: { readonly overlap_seconds: number; readonly public_key?: string },
    once?: Once,
  ): Promise<IssuedApiKey>
  revoke(key_id: string, reason: string, once?: Once): Promise<ApiKey>
  auditLog(key_id: string): AsyncGenerator<KeyAuditItem>
}

/** Account of the keys, and the owner who signs for new ones. */
export type KeyOwner = {
  readonly account_id: string
  readonly environment: string
  readonly signer: () => MessageSigner
}

/** Creates the calls for API keys of an account; the client's own key needs the scope `keys:write`. */
export function createKeyCalls(http: PrivateHttp, owner: KeyOwner): KeyCalls {
  const post = async <T>(path: string, body: unknown, once: Once = {}): Promise<T> =>
    (await http.send<T>({ method: 'POST', path: `/account/api-keys${path}`, body, ...once })).data
  const of = (key_id: string) => `/${encodeURIComponent(key_id)}`
  return {
    list: async () => {
      const found: ApiKey[] = []
      for await (const key of pagesOf<ApiKey>(http, '/account/api-keys')) found.push(key)
      return found
    },
    create: async (terms, once) => post('', await keyBody(terms, owner), once),
    rotate: (key_id, { overlap_seconds, public_key = null }, once) =>
      post(`${of(key_id)}/rotate`, { overlap_seconds, ...(public_key === null ? {} : { public_key }) }, once),
    revoke: (key_id, reason, once) => post(`${of(key_id)}/revoke`, { reason }, once),
    auditLog: (key_id) => pagesOf<KeyAuditItem>(http, `/account/api-keys${of(key_id)}/audit-log`),
  }
}

async function keyBody(terms: KeyTerms, { account_id, environment, signer }: KeyOwner) {
  const { key_id, label, scopes, algorithm = 'hmac-sha256', public_key = null } = terms
  return {
    key_id,
    environment,
    label,
    algorithm,
    public_key,
    scopes,
    ip_allowlist: terms.ip_allowlist ?? [],
    expires_at: terms.expires_at ?? null,
    ...(await signAuthorization({ account_id, key_id, scopes }, signer(), environment)),
  }
}
