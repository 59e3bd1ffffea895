import { generateKeyPairSync } from 'node:crypto'

/** A new pair for a key of algorithm ed25519, in hex: `public_key` is sent when the key is made, `private_key` stays. */
export function newEd25519Key(): { readonly public_key: string; readonly private_key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    public_key: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
    private_key: privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32).toString('hex'),
  }
}
