import type { Unseal } from './request-signature.ts'

/** Keys that ask within a while; those opened longest ago are opened again. */
const SECRETS_MAX = 10_000

/**
 * Opens each sealed secret once: a key signs many requests, and opening costs more than checking one. Rotated material is another text,
 * so a former secret is never taken for the present one. Whether a key is still good is not asked here.
 */
export function rememberSecrets(unseal: Unseal): Unseal {
  const opened = new Map<string, Uint8Array>()
  return (key_id, material) => {
    const name = `${key_id} ${material}`
    const known = opened.get(name)
    if (known !== undefined) return known
    const secret = unseal(key_id, material)
    opened.set(name, secret)
    if (opened.size > SECRETS_MAX) opened.delete(opened.keys().next().value!)
    return secret
  }
}
