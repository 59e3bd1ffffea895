/** One act, done once: the same key again gives the same answer, and with another body a refusal. */
export type Once = { readonly idempotency_key?: string }
