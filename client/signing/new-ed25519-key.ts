import { generateKeyPairSync } from 'node:crypto'

/** Generates a key pair for algorithm ed25519, in hex: send `public_key` to create the key and keep `private_key`. */
export function newEd25519Key(): { readonly public_key: string; readonly private_key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    public_key: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
    private_key: privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32).toString('hex'),
  }
}
