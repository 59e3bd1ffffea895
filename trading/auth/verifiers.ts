import type { RecoveryKind } from './create-recovery.ts'
import { createSignatureVerifier, type SignatureVerifier } from './signature-verifier.ts'

/** The verifiers of an audit, one for each environment that it meets. */
export class Verifiers {
  readonly #recovery: RecoveryKind
  readonly #made = new Map<string, SignatureVerifier>()

  constructor(recovery: RecoveryKind) {
    this.#recovery = recovery
  }

  async of(environment: string): Promise<SignatureVerifier> {
    const known = this.#made.get(environment)
    if (known !== undefined) return known
    const made = await createSignatureVerifier({ environment, recovery: this.#recovery })
    this.#made.set(environment, made)
    return made
  }

  async close(): Promise<void> {
    for (const verifier of this.#made.values()) await verifier.close()
  }
}
