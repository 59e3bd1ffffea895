import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'

/** Generates the private key of a signer, 0x and 64 hex digits, and its address in lower case. */
export function newSignerKey(): { readonly private_key: string; readonly address: string } {
  const private_key = generatePrivateKey()
  return { private_key, address: privateKeyToAddress(private_key).toLowerCase() }
}
