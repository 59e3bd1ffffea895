/** Part of a proof or of the log that does not verify. The message is a whole sentence. */
export class ProofFault extends Error {
  override readonly name = 'ProofFault'
}

/** Environment without the functions that a check needs: nothing is known about the log. */
export class CannotCheck extends Error {
  override readonly name = 'CannotCheck'
}

/** Refuses to check where the browser withholds its cryptography: pages that are neither https nor on the machine itself. */
export function requireCryptography(): void {
  if (globalThis.crypto?.subtle !== undefined) return
  throw new CannotCheck('Browsers check proofs only on https pages or on the machine itself. Use tidemark log verify.')
}
