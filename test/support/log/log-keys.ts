import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { cosignatureBytes, cosignedText } from '../../../pipelines/transparency/cosignature.ts'
import {
  ED25519_COSIGNATURE,
  ED25519_NOTE,
  keyId,
  type NoteKey,
  type NoteSignature,
} from '../../../pipelines/transparency/signed-note.ts'

/** Key pair of a log or a witness that tests may know. */
export type TestKey = { readonly key: NoteKey; readonly secret: KeyObject }

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Returns the key pair of a name, the same each time. */
export function testKey(name: string, type: number = ED25519_NOTE): TestKey {
  const seed = createHash('sha256').update(`tidemark test key of ${name}`).digest()
  const secret = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(secret).export({ format: 'jwk' })
  return { key: { name, type, public_key: Buffer.from(x!, 'base64url') }, secret }
}

export const LOG_KEY = testKey('log.example/vectors')
export const WITNESS_KEY = testKey('witness.example/w1', ED25519_COSIGNATURE)

/** Returns the signature of a log over a text. */
export function signedBy({ key, secret }: TestKey, text: string): NoteSignature {
  return { name: key.name, key_id: keyId(key), signature: sign(null, Buffer.from(text), secret) }
}

/** Returns the cosignature of a witness over a checkpoint. */
export function cosignedBy({ key, secret }: TestKey, checkpoint_text: string, time_s: number): NoteSignature {
  const signature = sign(null, Buffer.from(cosignedText(checkpoint_text, time_s)), secret)
  return { name: key.name, key_id: keyId(key), signature: cosignatureBytes(time_s, signature) }
}
