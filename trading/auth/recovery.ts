import type { EoaSignature } from './eoa-signature.ts'

/** Finds who signed. */
export type Recovery = {
  /** The address in lower case whose key made this signature over the digest; null where there is none such. */
  recover(digest: Uint8Array, signature: EoaSignature): Promise<string | null>
  close(): Promise<void>
}
