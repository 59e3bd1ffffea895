/** Option for one write: repeating the key returns the same answer, or a refusal if the body differs. */
export type Once = { readonly idempotency_key?: string }
