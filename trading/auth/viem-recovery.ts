import { recoverAddress } from 'viem'
import { hexOf } from './keccak.ts'
import type { Recovery } from './recovery.ts'

/** Creates a recovery in JavaScript, in the caller's thread: for machines without the native binding, and as the tests' comparison. */
export function createViemRecovery(): Recovery {
  return {
    recover: async (digest, signature) => {
      try {
        const address = await recoverAddress({ hash: hexOf(digest), signature: hexOf(signature) })
        return address.toLowerCase()
      } catch {
        return null // r is no point of the curve
      }
    },
    close: async () => undefined,
  }
}
