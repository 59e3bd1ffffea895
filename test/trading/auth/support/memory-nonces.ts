import type { Micros } from '../../../../primitives/instants.ts'
import type { NonceStore } from '../../../../trading/auth/nonces.ts'

/** A store of nonces without a database, which several authenticators may share. */
export function memoryNonces(): NonceStore {
  const kept = new Set<string>()
  let known_from: Micros | null = null
  const open = (at: Micros): Micros => {
    known_from ??= at
    return known_from
  }
  return {
    open: async (at) => void open(at),
    keep: async ({ key_id, nonce }, at) => {
      const name = `${key_id} ${nonce}`
      if (kept.has(name)) return null
      kept.add(name)
      return open(at)
    },
  }
}
