import { privateKeyToAccount } from 'viem/accounts'
import type { KeyAlgorithm } from '../../vocabulary/api-key.ts'
import { checkedObject, refusedArgument, secretShown, shown } from '../given.ts'
import { checkedKey, type RequestKey } from '../signing/sign-request.ts'
import { checkedSigner, type MessageSigner, signerAddress, type TypedDataAccount } from '../signing/typed-signer.ts'
import { clientError, ofOneClassNow } from '../tidemark-error.ts'

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
  /** Contract (ERC-1271) that accepts signatures of `signer_private_key`, and in whose name they are made. */
  readonly smart_account_address?: string
  /**
   * Signer in place of a private key: an account such as those of viem, or one for a smart account with nested signatures. The
   * address alone, as a created key has it, is compared with that of `signer_private_key`.
   */
  readonly signer?: MessageSigner | TypedDataAccount | string
}

/** Returns the key that signs requests. */
export function requestKey({ key_id, environment, algorithm = 'hmac-sha256', secret }: Credentials): RequestKey {
  return checkedKey(
    algorithm === 'hmac-sha256'
      ? { key_id, environment, algorithm, secret }
      : { key_id, environment, algorithm, private_key: secret },
    'secret',
  )
}

/** Returns the signer of orders and authorizations. @throws {TidemarkError} SIGNATURE_INVALID on use, if there is none */
export function messageSigner(credentials: Credentials): () => MessageSigner {
  const { signer, signer_private_key, smart_account_address } = credentials
  const made =
    signer === undefined || typeof signer === 'string'
      ? ofAddress(signer, ofContract(eoaSigner(signer_private_key), smart_account_address))
      : ofAccount(signer)
  return () => {
    if (made !== null) return made
    throw clientError(
      'SIGNATURE_INVALID',
      'signer_private_key is missing; orders and new keys are signed with it',
      false,
    )
  }
}

/** Returns the signer of an account; other signers as they are. */
function ofAccount(signer: MessageSigner | TypedDataAccount): MessageSigner {
  checkedObject(signer, 'signer')
  return checkedSigner('kind' in signer ? signer : { kind: 'eoa', account: signer })
}

/** Returns the signer that has an address, where one is stated. */
function ofAddress(address: string | undefined, made: MessageSigner | null): MessageSigner | null {
  if (address === undefined) return made
  if (!/^0x[0-9a-fA-F]{40}$/.test(address))
    throw refusedArgument('signer', address, 'an object, or the address of signer_private_key')
  if (made === null || signerAddress(made) === address.toLowerCase()) return made
  const message = `signer is ${address}, but signer_private_key signs for ${signerAddress(made)}; allowed: the private key of signer`
  throw clientError('SIGNATURE_INVALID', message, false)
}

type EoaSigner = Extract<MessageSigner, { kind: 'eoa' }>

/** Returns the signer of a contract through the key that it accepts; without a contract, the key itself. */
function ofContract(signer: EoaSigner | null, address: string | undefined): MessageSigner | null {
  if (signer === null || address === undefined) return signer
  if (typeof address === 'string' && /^0x[0-9a-fA-F]{40}$/.test(address))
    return { kind: 'erc1271', account: signer.account, wallet: address as `0x${string}` }
  const message = `smart_account_address is ${shown(address)}; allowed: 0x and 40 hex digits`
  throw clientError('SIGNATURE_INVALID', message, false)
}

function eoaSigner(private_key: string | undefined): EoaSigner | null {
  if (private_key === undefined) return null
  if (typeof private_key === 'string' && /^0x[0-9a-fA-F]{64}$/.test(private_key)) {
    const account = ofOneClassNow(() => privateKeyToAccount(private_key as `0x${string}`))
    return { kind: 'eoa', account }
  }
  // Never name the value: it is a secret.
  const message = `signer_private_key is ${secretShown(private_key)}; allowed: 0x and 64 hex digits`
  throw clientError('SIGNATURE_INVALID', message, false)
}
