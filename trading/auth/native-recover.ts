import { createRequire } from 'node:module'
import type * as Secp256k1 from 'secp256k1'
import { createKeccak256 } from './keccak.ts'

/** The 20 bytes of the signer's address; null where no key made this signature. `signature`: 65 checked bytes. */
export type NativeRecover = (digest: Uint8Array, signature: Uint8Array) => Uint8Array | null

/**
 * Recovery by libsecp256k1.
 * @throws what loading the binding throws, where there is none for this machine: the package would else run JavaScript in its place
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
