import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { ServiceError } from '../../primitives/errors.ts'

/** Private file, such as a key. */
export type PrivateFile = { readonly path: string; readonly mode: number; readonly bytes: Buffer }

/** Encrypted form: format byte, salt, initialization vector, tag, ciphertext. */
const FORMAT = 1
const SALT_BYTES = 16
const IV_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + SALT_BYTES + IV_BYTES + TAG_BYTES
/** Cost of a guess: 128 MB of memory and a few tenths of a second. */
const SCRYPT = { N: 1 << 17, r: 8, p: 1, maxmem: 256 << 20 } as const

/** Least characters of a passphrase. */
export const PASSPHRASE_CHARACTERS_MIN = 12

/** Encrypts private files by AES-256-GCM under a key that scrypt derives from a passphrase. */
export function sealKeys(files: readonly PrivateFile[], passphrase: string): Buffer {
  const [salt, iv] = [randomBytes(SALT_BYTES), randomBytes(IV_BYTES)]
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, salt), iv)
  const plain = JSON.stringify(files.map(({ bytes, ...rest }) => ({ ...rest, base64: bytes.toString('base64') })))
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(FORMAT), salt, iv, cipher.getAuthTag(), sealed])
}

/** Decrypts private files. @throws {ServiceError} VALIDATION_USAGE_INVALID: the passphrase is another one */
export function openKeys(sealed: Buffer, passphrase: string): readonly PrivateFile[] {
  const [salt_end, iv_end] = [1 + SALT_BYTES, 1 + SALT_BYTES + IV_BYTES]
  try {
    const key = keyOf(passphrase, sealed.subarray(1, salt_end))
    const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(salt_end, iv_end))
    cipher.setAuthTag(sealed.subarray(iv_end, HEAD_BYTES))
    const plain = Buffer.concat([cipher.update(sealed.subarray(HEAD_BYTES)), cipher.final()]).toString('utf8')
    const files = JSON.parse(plain) as readonly { path: string; mode: number; base64: string }[]
    return files.map(({ base64, ...rest }) => ({ ...rest, bytes: Buffer.from(base64, 'base64') }))
  } catch (cause) {
    const message = 'the keys of the backup cannot be decrypted; allowed: the passphrase that they were encrypted with'
    throw new ServiceError('VALIDATION_USAGE_INVALID', message, {}, cause)
  }
}

function keyOf(passphrase: string, salt: Uint8Array): Buffer {
  return scryptSync(passphrase.normalize('NFC'), salt, 32, SCRYPT)
}
