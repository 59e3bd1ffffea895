import type { EoaSignature } from './eoa-signature.ts'

/** Recovery of signers. */
export type Recovery = {
  /** Returns the lower-case address whose key made this signature over the digest; null if none can have. */
  recover(digest: Uint8Array, signature: EoaSignature): Promise<string | null>
  close(): Promise<void>
}
