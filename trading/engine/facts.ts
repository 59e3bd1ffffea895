import type { Answer } from './submission.ts'

/** An answer under its Idempotency-Key. */
export type KeptAnswer = { readonly body_hash: string; readonly answer: Omit<Answer, 'replayed'> }

/**
 * What the database knows of the replay keys of a batch, read by one indexed query before it. Applying a submission adds what it
 * uses, so that two of one batch see each other.
 */
export type Facts = {
  /** `key_id nonce` */
  readonly request_nonces: Set<string>
  /** `account_id method path idempotency_key` */
  readonly answers: Map<string, KeptAnswer>
  /** `account_id signer nonce` */
  readonly order_nonces: Set<string>
  /** `account_id owner nonce` of key authorizations */
  readonly authorization_nonces: Set<string>
  /** `account_id client_order_id` of ids in use: of working orders, and of orders accepted less than 7 days ago */
  readonly client_order_ids: Set<string>
  /** Records of orders that are no longer in memory, by order_id, for cancels and amends of ended orders: JSON text of `data`. */
  readonly ended_orders: Map<string, { readonly account_id: string; readonly data: string }>
  /** Fills, keys and settlements that the batch's submissions name, by id; what is missing is not there. */
  readonly fills: Map<string, Readonly<Record<string, unknown>>>
  readonly act_ids: Set<string>
}

/** Facts of a batch that names nothing. */
export function noFacts(): Facts {
  return {
    request_nonces: new Set(),
    answers: new Map(),
    order_nonces: new Set(),
    authorization_nonces: new Set(),
    client_order_ids: new Set(),
    ended_orders: new Map(),
    fills: new Map(),
    act_ids: new Set(),
  }
}
