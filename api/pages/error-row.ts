/** A command or request that causes an error on a healthy service. `needs`: what else must hold; null: the sample alone is enough. */
export type ErrorSample = {
  /** `signed http`: a request of a key; its sample leaves out the headers that every signed request has. */
  readonly where: 'http' | 'signed http' | 'stream' | 'command line'
  readonly sample: string
  readonly needs: string | null
}

/** `stage`: ordinal in STAGES of the check that finds the error; null: it does not occur in HTTP requests. */
export type ErrorRow = ErrorSample & { readonly stage: number | null }

/** Checks of a request, in order; each error is found by one of them. */
export const STAGES = [
  'HTTP itself and the percent-encoding of the path',
  'the tokens of a caller without a key',
  'path, method, length of the address, media type and shape of the body',
  'the phase of the service',
  'parameters, each by itself',
  'of a signed request: its key, signature, environment and scope',
  'of a signed request: the tokens of its key',
  'of a signed request: timestamp, nonce, Idempotency-Key, client_order_id',
  'parameters together, the cursor, as_of',
  'the signature of an order or authorization: type, message, signer, nonce, expiry',
  'the resource and its terms; of an order: account, market and outcome',
  'of an order: price, quantity, time in force',
  'of an order: caps, price protection, position limits, money',
  'of an order: self-trade prevention, post_only, FOK of a replacement',
  'the answer is made',
] as const
