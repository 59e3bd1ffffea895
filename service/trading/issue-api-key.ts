import { randomBytes } from 'node:crypto'
import { ServiceError } from '../../primitives/errors.ts'
import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import { scopesText } from '../../protocol/signing/scopes.ts'
import { MESSAGE_VERSION } from '../../protocol/signing/typed-data.ts'
import { createKeccak256, keccakOfText } from '../../trading/auth/keccak.ts'
import { type KeyMaterial, newKeyMaterial } from '../../trading/auth/new-key-material.ts'
import { type KeyEncryptionKey, sealSecret } from '../../trading/auth/seal-secret.ts'
import type { OperatorCommand } from '../../trading/engine/submission.ts'

/** API key to issue. */
export type KeyRequest = {
  readonly account_id: string
  /** Address that controls the account. */
  readonly owner_address: string
  /** Address that may sign orders with the key. */
  readonly signer: string
  readonly key_id: string
  readonly environment: string
  readonly label: string
  readonly scopes: readonly string[]
  readonly ip_allowlist: readonly string[]
  /** The client's public key, 64 hex digits; null: a secret is generated. */
  readonly public_key: string | null
  readonly expires_at: Micros | null
  /** Microseconds since 1970. */
  readonly now: Micros
  /** 64 hex digits; random if left out. */
  readonly secret?: string
}

/** Command that records a key, and the secret to show once; null if the client has its own. */
export type NewKeyAct = {
  readonly command: Extract<OperatorCommand, { readonly kind: 'add_key' }>
  readonly secret: string | null
}

/**
 * Issues a key, with a generated secret unless the client has its own.
 * @param sealing null: the client has its own
 */
export async function issueApiKey(request: KeyRequest, sealing: KeyEncryptionKey | null): Promise<NewKeyAct> {
  const { account_id, key_id, environment, label, scopes, ip_allowlist, public_key, expires_at, now } = request
  const algorithm = public_key === null ? 'hmac-sha256' : 'ed25519'
  const { material, secret } = materialOf(request, sealing)
  const keccak = keccakOfText(await createKeccak256())
  return {
    secret,
    command: {
      kind: 'add_key',
      key: { key_id, account_id, environment, label, algorithm, scopes, ip_allowlist, material, expires_at },
      authorization: {
        owner: request.owner_address,
        signer: request.signer,
        account: account_id,
        api_key_id: key_id,
        scopes_hash: keccak(scopesText(scopes)),
        environment,
        issued_at: Math.floor(now / MICROS_PER_SECOND),
        expiry: 0,
        nonce: BigInt(`0x${randomBytes(16).toString('hex')}`).toString(),
        authorization_version: MESSAGE_VERSION,
        signature_type: 'eoa',
        signature: null,
      },
    },
  }
}

function materialOf({ key_id, public_key, secret }: KeyRequest, sealing: KeyEncryptionKey | null): KeyMaterial {
  if (sealing === null) return newKeyMaterial({ key_id, algorithm: 'ed25519', public_key }, sealing)
  if (secret !== undefined) return { material: sealSecret(sealing, key_id, Buffer.from(secret, 'hex')), secret }
  return newKeyMaterial({ key_id, algorithm: public_key === null ? 'hmac-sha256' : 'ed25519', public_key }, sealing)
}

/** Returns a random key id: `key_` and 24 of [a-z0-9]. */
export function newKeyId(): string {
  return `key_${randomBytes(12).toString('hex')}`
}

/**
 * Parses the id of a key.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export function parseKeyId(text: string): string {
  if (/^key_[a-z0-9]{16,32}$/.test(text)) return text
  const message = `key is ${JSON.stringify(text)}; allowed: key_ and 16 to 32 of [a-z0-9]`
  throw new ServiceError('VALIDATION_USAGE_INVALID', message, { field: 'key', value: text })
}
