import type { ErrorCode } from '../../primitives/error-codes.ts'

/** Value taken from the answer to the example of another operation, which reads. */
export type Taken = {
  readonly from: string
  /** Keys from the answer's root, such as `data.0.market_id`; -1 is the last item of a list. */
  readonly at: string
}
/** Value of whoever sends the request. `unique`: an id or nonce that was never used before. */
export type Own = { readonly own: 'account_id' | 'key_id' | 'environment' | 'unique' | 'unique_key_id' }

type Leaf = string | number | boolean | null
/** Value of an example: a constant, or one that is known when it is sent. */
export type ExampleValue = Leaf | Taken | Own | readonly ExampleValue[] | { readonly [key: string]: ExampleValue }

/** Signature that the sender adds to the body: of one order, of each of `orders`, or the owner's consent to a key. */
export type Signs = 'order' | 'orders' | 'authorization'

/** One request of an operation that succeeds on the sample, the live world and the sandbox of `npm start`. */
export type Example = {
  readonly path?: Readonly<Record<string, ExampleValue>>
  readonly query?: Readonly<Record<string, ExampleValue>>
  readonly body?: Readonly<Record<string, ExampleValue>>
  readonly signs?: Signs
  /** Scopes of the key that the owner consents to, for `authorization`. */
  readonly scopes?: readonly string[]
  /** Operations whose examples are sent first, in this order, so that this one has something to act on. */
  readonly after?: readonly string[]
  /** Whether those are needed only where there is nothing yet. */
  readonly if_none?: true
  /** Error that is the right answer, where the sample has no such record. */
  readonly refused_with?: ErrorCode
}

/** Returns every value that an example takes from other answers. */
export function takenBy({ path, query, body }: Example): readonly Taken[] {
  return takenIn([path ?? {}, query ?? {}, body ?? {}])
}

function takenIn(value: ExampleValue): readonly Taken[] {
  if (value === null || typeof value !== 'object') return []
  if (isTaken(value)) return [value]
  return Object.values(value).flatMap(takenIn)
}

/** Whether a value is taken from another answer. */
export function isTaken(value: object): value is Taken {
  return 'from' in value && 'at' in value
}
