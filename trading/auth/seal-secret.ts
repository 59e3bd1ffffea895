import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { invariant, ServiceError } from '../../primitives/errors.ts'

/** Key that seals secrets, 32 bytes: from a file or the environment, never from the database. */
export type KeyEncryptionKey = Buffer & { readonly use: 'seal' }

const CIPHER = 'aes-256-gcm'
/** Version byte of the sealed layout: version, 12 bytes IV, 16 bytes tag, secret. */
const LAYOUT = 1
const IV_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = 1 + IV_BYTES + TAG_BYTES

/** Parses a key-encryption key. @throws {ServiceError} VALIDATION_USAGE_INVALID names `source`, never the value */
export function keyEncryptionKey(text: string, source: string): KeyEncryptionKey {
  const hex = text.trim()
  if (/^[0-9a-fA-F]{64}$/.test(hex)) return Buffer.from(hex, 'hex') as Buffer as KeyEncryptionKey
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `${source} has ${hex.length} characters, which is not a key; allowed: 64 hex digits (32 random bytes)`,
    { source },
  )
}

/** Generates a key-encryption key, in the form of its file. */
export function newKeyEncryptionKey(): string {
  return randomBytes(32).toString('hex')
}

/**
 * Seals a secret for one key (AES-256-GCM). The key's id is authenticated with it: copied to another key it does not open.
 * @returns lower-case hex, different each time
 */
export function sealSecret(sealing: KeyEncryptionKey, key_id: string, secret: Uint8Array): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, sealing, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(key_id, 'utf8'))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([Buffer.of(LAYOUT), iv, cipher.getAuthTag(), sealed]).toString('hex')
}

/**
 * Opens a sealed secret.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: it was sealed with another key-encryption key, for another key, or changed; only the
 *   operator of the service can mend it. {InvariantError}: it has not the form of a sealed secret
 */
export function unsealSecret(sealing: KeyEncryptionKey, key_id: string, material: string): Buffer {
  const bytes = Buffer.from(material, 'hex')
  invariant(bytes.length > HEADER_BYTES && bytes[0] === LAYOUT, `the material of ${key_id} is not a sealed secret`)
  const decipher = createDecipheriv(CIPHER, sealing, bytes.subarray(1, 1 + IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(key_id, 'utf8'))
    .setAuthTag(bytes.subarray(1 + IV_BYTES, HEADER_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES)), decipher.final()])
  } catch {
    const message = `the secret of ${key_id} was not sealed with this service's key-encryption key; its operator has to start the service with the key that sealed it`
    throw new ServiceError('SERVICE_UNAVAILABLE', message, { phase: 'key_encryption_key' })
  }
}
