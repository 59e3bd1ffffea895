import { constants, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { ServiceError } from '../../../primitives/errors.ts'
import type { Micros } from '../../../primitives/instants.ts'
import type { RequestSigner } from '../../http/venue-http-client.ts'

/** Identity of the requester: the venue's key id, and the key as PEM text. */
export type KalshiKey = { readonly key_id: string; readonly private_key_pem: string }

/**
 * Creates a signer of requests and handshakes for the trade API: RSA-PSS with SHA-256 over the milliseconds, the method and the
 * path without its query, the salt as long as the digest. Errors contain nothing of the key.
 * @param now microseconds since 1970
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE if the key is not an RSA key
 * @see docs.kalshi.com, API keys
 */
export function kalshiSigner({ key_id, private_key_pem }: KalshiKey, now: () => Micros): RequestSigner {
  const key = rsaKey(private_key_pem)
  return (method, path) => {
    const timestamp = String(Math.floor(now() / 1000))
    const signature = sign('sha256', Buffer.from(`${timestamp}${method}${path}`), {
      key,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    })
    return {
      'KALSHI-ACCESS-KEY': key_id,
      'KALSHI-ACCESS-TIMESTAMP': timestamp,
      'KALSHI-ACCESS-SIGNATURE': signature.toString('base64'),
    }
  }
}

function rsaKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'rsa') return key
  } catch {
    // Reported below, without the parser's words about a secret.
  }
  throw new ServiceError(
    'VALIDATION_INPUT_UNREADABLE',
    'the Kalshi key cannot be read; allowed: an RSA private key as PEM, as issued by the venue',
    { field: 'kalshi_key_file' },
  )
}
