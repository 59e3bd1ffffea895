import { privateKeyToAccount } from 'viem/accounts'
import type { KeyAlgorithm } from '../../vocabulary/api-key.ts'
import type { RequestKey } from '../signing/sign-request.ts'
import type { MessageSigner } from '../signing/typed-signer.ts'
import { clientError } from './trading-error.ts'

/** Credentials for requests and orders. */
export type Credentials = {
  readonly account_id: string
  readonly key_id: string
  /** Algorithm of the key; default: `hmac-sha256`. */
  readonly algorithm?: KeyAlgorithm
  /** 64 hex digits: the secret of an `hmac-sha256` key, the private key of an `ed25519` one. */
  readonly secret: string
  /** Deployment that key and signatures are valid for, such as `sandbox`. */
  readonly environment: string
  /** 0x and 64 hex digits; signs orders and, if it is the owner's, new keys. */
  readonly signer_private_key?: string
  /** Signer in place of a private key, such as for a smart account. */
  readonly signer?: MessageSigner
}

/** Returns the key that signs requests. */
export function requestKey({ key_id, environment, algorithm = 'hmac-sha256', secret }: Credentials): RequestKey {
  return algorithm === 'hmac-sha256'
    ? { key_id, environment, algorithm, secret }
    : { key_id, environment, algorithm, private_key: secret }
}

/** Returns the signer of orders and authorizations. @throws {TradingError} SIGNATURE_INVALID on use, if there is none */
export function messageSigner({ signer, signer_private_key }: Credentials): () => MessageSigner {
  const made = signer ?? eoaSigner(signer_private_key)
  return () => {
    if (made !== null) return made
    throw clientError(
      'SIGNATURE_INVALID',
      'signer_private_key is missing; orders and new keys are signed with it',
      false,
    )
  }
}

function eoaSigner(private_key: string | undefined): MessageSigner | null {
  if (private_key === undefined) return null
  if (/^0x[0-9a-fA-F]{64}$/.test(private_key)) {
    return { kind: 'eoa', account: privateKeyToAccount(private_key as `0x${string}`) }
  }
  // Never name the value: it is a secret.
  const message = `signer_private_key has ${private_key.length} characters; allowed: 0x and 64 hex digits`
  throw clientError('SIGNATURE_INVALID', message, false)
}
