import { createRequire } from 'node:module'
import type * as Secp256k1 from 'secp256k1'
import { createKeccak256 } from './keccak.ts'

/** Returns the 20 bytes of the signer's address; null if no key can have made this signature. `signature`: 65 checked bytes. */
export type NativeRecover = (digest: Uint8Array, signature: Uint8Array) => Uint8Array | null

/**
 * Loads recovery by libsecp256k1.
 * @throws the binding's own error where there is none for this machine: the package would otherwise fall back to JavaScript
 */
export async function createNativeRecover(): Promise<NativeRecover> {
  const { ecdsaRecover } = createRequire(import.meta.url)('secp256k1/bindings.js') as typeof Secp256k1
  const keccak = await createKeccak256()
  return (digest, signature) => {
    try {
      const key = ecdsaRecover(signature.subarray(0, 64), signature[64]! - 27, digest, false)
      return keccak(key.subarray(1)).subarray(12)
    } catch {
      return null // r is no point of the curve
    }
  }
}
