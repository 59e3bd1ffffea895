import { ed25519 } from '@noble/curves/ed25519'
import { toHex } from '../platform.ts'

/** Generates a key pair for algorithm ed25519, in hex: send `public_key` to create the key and keep `private_key`. */
export function newEd25519Key(): { readonly public_key: string; readonly private_key: string } {
  const private_key = ed25519.utils.randomPrivateKey()
  return { public_key: toHex(ed25519.getPublicKey(private_key)), private_key: toHex(private_key) }
}
