import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestKey } from '../../../client/signing/sign-request.ts'
import { ROOT } from '../source-files.ts'

/** A request whose canonical text and signature were computed by tools/python/signing_oracle.py. */
export type RequestVector = {
  readonly key_id: string
  readonly request: {
    readonly method: string
    readonly target: string
    readonly body?: string
    readonly timestamp_ms: number
    readonly nonce: string
  }
  readonly canonical_request: readonly string[]
  readonly signature: string
}

type File = {
  readonly keys: readonly (RequestKey & { readonly public_key?: string })[]
  readonly cases: readonly {
    readonly operation: string
    readonly input: Pick<RequestVector, 'key_id' | 'request'>
    readonly expected?: Pick<RequestVector, 'canonical_request' | 'signature'>
  }[]
}

const file = JSON.parse(readFileSync(join(ROOT, 'datasets/vectors/requests.json'), 'utf8')) as File

export const VECTOR_KEYS = new Map(file.keys.map((key) => [key.key_id, key]))
export const REQUEST_VECTORS = file.cases
  .flatMap(({ operation, input, expected }) =>
    operation === 'sign' && expected !== undefined ? [{ ...input, ...expected }] : [],
  )
  .map((vector) => ({
    ...vector,
    key: VECTOR_KEYS.get(vector.key_id)!,
    named: `${vector.request.method} ${vector.request.target} of ${vector.key_id}`,
  }))
