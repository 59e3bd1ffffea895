import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { publicKeyOf, rawHex } from '../../pipelines/governance/public-key.ts'
import { ServiceError } from '../../primitives/errors.ts'

/** A private key of a member, ready to sign. */
export type Signer = { readonly public_key: string; readonly sign: (text: string) => string }

/**
 * Reads an Ed25519 private key (PEM, PKCS #8).
 * @param name the file's name, for messages
 * @param passphrase opens an encrypted key; null: the key is not encrypted
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE
 */
export function parseSigner(pem: string, name: string, passphrase: string | null = null): Signer {
  const key = privateKey(pem, name, passphrase)
  return {
    public_key: rawHex(createPublicKey(key)),
    sign: (text) => sign(null, Buffer.from(text, 'utf8'), key).toString('hex'),
  }
}

/** Returns a new private key as PEM (PKCS #8), encrypted with AES-256 if there is a passphrase. */
export function createKey(passphrase: string | null): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  const encrypted = passphrase === null ? {} : { cipher: 'aes-256-cbc', passphrase }
  return privateKey.export({ format: 'pem', type: 'pkcs8', ...encrypted }).toString()
}

function privateKey(pem: string, name: string, passphrase: string | null): KeyObject {
  try {
    const key = createPrivateKey({ key: pem, ...(passphrase !== null && { passphrase }) })
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // said below: what the file holds is never shown
  }
  throw new ServiceError(
    'VALIDATION_INPUT_UNREADABLE',
    `key ${name} is not a valid key${passphrase === null ? '' : ' under this passphrase'}; allowed: an Ed25519 private key as PEM, encrypted ones with --passphrase-file`,
    {
      file: name,
    },
  )
}

/** True where `signature` (hex) is of exactly this text by this key (64 hex digits). */
export function isSignedBy(text: string, signature: string, public_key: string): boolean {
  const is_hex = /^[0-9a-f]{64}$/.test(public_key) && /^[0-9a-f]{128}$/.test(signature)
  return is_hex && verify(null, Buffer.from(text, 'utf8'), publicKeyOf(public_key), Buffer.from(signature, 'hex'))
}
