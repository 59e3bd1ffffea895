import { ed25519 } from '@noble/curves/ed25519'
import { canonicalRequest, REQUEST_SIGNATURE_VERSION } from '../../protocol/signing/canonical-request.ts'
import { randomToken } from '../trading/signing/request-signature.ts'

/** Key as the form has it; it is kept nowhere else. */
export type TypedKey = {
  readonly algorithm: string
  readonly key_id: string
  /** HMAC secret or Ed25519 private key: 64 hex digits. */
  readonly secret: string
  readonly environment: string
  readonly account_id: string
  /** Private key that signs orders; '' if none. */
  readonly owner: string
}

/** Returns what is wrong with a key, as a sentence; null: nothing. */
export function keyFault({ key_id, secret, environment }: TypedKey): string | null {
  if (key_id === '') return 'Key id is empty; type it, or open a ready file.'
  if (!/^[0-9a-f]{64}$/.test(secret)) return 'Secret or private key is not 64 hex digits.'
  return environment === '' ? 'Environment is empty; a sandbox is called sandbox.' : null
}

/** Text of a request that is signed. */
type ToSign = { readonly method: string; readonly target: string; readonly body: string }

/** Returns the headers of a signed request; nothing else is made of the key. */
export async function signedHeaders({ method, target, body }: ToSign, key: TypedKey): Promise<Record<string, string>> {
  const [path = '', query = ''] = target.split('?')
  const timestamp = String(Date.now())
  const nonce = randomToken()
  const { key_id, environment } = key
  const body_sha256 = hexOf(await crypto.subtle.digest('SHA-256', bytesOf(body)))
  const text = canonicalRequest({ method, path, query, body_sha256, timestamp, nonce, key_id, environment })
  return {
    'SVC-Access-Key': key_id,
    'SVC-Access-Timestamp': timestamp,
    'SVC-Access-Nonce': nonce,
    'SVC-Access-Signature': await signatureOf(text, key),
    'SVC-Access-Signature-Version': REQUEST_SIGNATURE_VERSION,
  }
}

async function signatureOf(text: string, { algorithm, secret }: TypedKey): Promise<string> {
  const bytes = unhex(secret)
  if (algorithm === 'ed25519') return hexOf(ed25519.sign(bytesOf(text), bytes))
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes, hmac, false, ['sign'])
  return hexOf(await crypto.subtle.sign('HMAC', key, bytesOf(text)))
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

function hexOf(bytes: ArrayBuffer | Uint8Array): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function unhex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
