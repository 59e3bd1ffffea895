import { privateKeyToAccount } from 'viem/accounts'
import type { KeyAlgorithm } from '../../vocabulary/api-key.ts'
import type { RequestKey } from '../signing/sign-request.ts'
import type { MessageSigner } from '../signing/typed-signer.ts'
import { clientError } from './trading-error.ts'

/** What a client needs to be let in, and to sign orders. */
export type Credentials = {
  readonly account_id: string
  readonly key_id: string
  /** Of the key; `hmac-sha256` unless said. */
  readonly algorithm?: KeyAlgorithm
  /** 64 hex digits: the secret of an `hmac-sha256` key, the private key of an `ed25519` one. */
  readonly secret: string
  /** Name of the deployment that key and signatures are for, such as `sandbox`. */
  readonly environment: string
  /** 0x and 64 hex digits, of who signs orders and, being the owner, new keys. */
  readonly signer_private_key?: string
  /** In its place, such as for a smart account. */
  readonly signer?: MessageSigner
}

/** The key as requests are signed with it. */
export function requestKey({ key_id, environment, algorithm = 'hmac-sha256', secret }: Credentials): RequestKey {
  return algorithm === 'hmac-sha256'
    ? { key_id, environment, algorithm, secret }
    : { key_id, environment, algorithm, private_key: secret }
}

/** Who signs orders and authorizations. @throws {TradingError} SIGNATURE_INVALID where nobody does, when it is asked */
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
  // The sentence never has the value: it is a secret.
  const message = `signer_private_key has ${private_key.length} characters; allowed: 0x and 64 hex digits`
  throw clientError('SIGNATURE_INVALID', message, false)
}
