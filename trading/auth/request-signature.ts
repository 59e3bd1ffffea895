import { createHmac, generateKeyPairSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Micros } from '../../primitives/instants.ts'
import type { AuthKey } from './auth-key.ts'
import { ED25519_HEX, ED25519_PREFIX, isSignedBy } from './ed25519.ts'

/** Opens the sealed secret of a key. */
export type Unseal = (key_id: string, material: string) => Uint8Array

/** Checks a request's signature; an unknown key gives false too, after the same amount of work. */
export type CheckSignature = (key: AuthKey | null, text: string, signature: string, now: Micros) => boolean

const HMAC_HEX = /^[0-9a-f]{64}$/

/**
 * Creates the check. The key's algorithm decides which signatures it makes; the form of the signature decides only which work
 * is done. Without a fitting key (unknown id, other algorithm, no former secret) a decoy key is used, so that the response time
 * reveals nothing about which keys exist.
 * @param seal  seals the decoy secret
 */
export function createCheckSignature(
  unseal: Unseal,
  seal: (key_id: string, secret: Uint8Array) => string,
): CheckSignature {
  const nobody: Nobody = {
    key_id: 'key_nobody',
    sealed: seal('key_nobody', randomBytes(32)),
    public_key: rawPublicKey(),
  }
  return (key, text, signature, now) => {
    const algorithm = HMAC_HEX.test(signature) ? 'hmac-sha256' : ED25519_HEX.test(signature) ? 'ed25519' : null
    if (algorithm === null) return false // the form alone is refused: no key is needed for it
    const [current, former] = materialsOf(key?.algorithm === algorithm ? key : null, now)
    const checked =
      algorithm === 'hmac-sha256'
        ? hmacChecker(unseal, nobody, text, signature)
        : ed25519Checker(nobody, text, signature)
    return checked(key, current) || checked(key, former)
  }
}

type Nobody = { readonly key_id: string; readonly sealed: string; readonly public_key: string }
type Checker = (key: AuthKey | null, material: string | null) => boolean

/** Returns the present material of a key, and the former one while it is valid. */
function materialsOf(key: AuthKey | null, now: Micros): readonly [string | null, string | null] {
  if (key === null) return [null, null]
  const overlaps = key.previous_until !== null && now < key.previous_until
  return [key.material, overlaps ? key.previous_material : null]
}

function hmacChecker(unseal: Unseal, nobody: Nobody, text: string, signature: string): Checker {
  const given = Buffer.from(signature, 'hex')
  return (key, material) => {
    const secret = material === null ? unseal(nobody.key_id, nobody.sealed) : unseal(key!.key_id, material)
    const equal = timingSafeEqual(createHmac('sha256', secret).update(text, 'utf8').digest(), given)
    return equal && material !== null
  }
}

function ed25519Checker(nobody: Nobody, text: string, signature: string): Checker {
  return (_key, material) => isSignedBy(material ?? nobody.public_key, text, signature) && material !== null
}

/** Returns a public key whose private half is discarded. */
function rawPublicKey(): string {
  const { publicKey } = generateKeyPairSync('ed25519')
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(ED25519_PREFIX.length).toString('hex')
}
