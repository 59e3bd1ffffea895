import { privateKeyToAddress, signTypedData } from 'viem/accounts'
import type { Hex } from '../../../protocol/signing/typed-data.ts'
import type { OrderSigner } from './order-signer.ts'

/** Creates a signer from the private key of a sandbox account. @param private_key 0x and 64 hex digits */
export function keySigner(private_key: Hex): OrderSigner {
  return {
    kind: 'key',
    address: privateKeyToAddress(private_key).toLowerCase() as Hex,
    sign: ({ domain, primary_type, fields, message }) =>
      signTypedData({
        privateKey: private_key,
        domain,
        types: { [primary_type]: fields },
        primaryType: primary_type,
        message,
      }),
  }
}
