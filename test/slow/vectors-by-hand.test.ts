import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../support/source-files.ts'
import {
  type HandKey,
  handAuthenticate,
  handDigest,
  handLines,
  handRecover,
  handSignature,
  keccak,
  Refused,
} from './support/signatures-by-hand.ts'

/** A third implementation, which has the README of the vectors and docs/signing.md alone. */

type Json = Readonly<Record<string, never>>
type Case = {
  readonly name: string
  readonly operation: string
  readonly input: Json
  readonly expected?: Json
  readonly error?: { readonly code: string } & Json
}
type File = {
  readonly keys: readonly HandKey[]
  readonly types: Readonly<Record<string, string>>
  readonly cases: readonly Case[]
}

const read = (name: string) => JSON.parse(readFileSync(join(ROOT, `datasets/vectors/${name}.json`), 'utf8')) as File
const [REQUESTS, TYPED] = [read('requests'), read('typed-data')]
const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex')

function digested(type: string, body: Json, { environment }: { readonly environment: string }) {
  return handDigest(TYPED.types[type]!, body, environment)
}

/** Answers of each operation; a signature is proved by the address that it recovers to. */
const OPERATIONS: Readonly<Record<string, (input: Json, expected: Json) => object>> = {
  sign: ({
    key_id,
    request,
  }: {
    key_id: string
    request: { timestamp_ms: number } & Parameters<typeof handLines>[0]
  }) => {
    const key = REQUESTS.keys.find((one) => one.key_id === key_id)!
    const lines = handLines({ ...request, timestamp: String(request.timestamp_ms) }, key)
    return { canonical_request: lines, signature: handSignature(lines, key) }
  },
  bound_nonce: (input: Json) => {
    const { idempotency_key, random } = input as unknown as { idempotency_key: string; random: string }
    const named = hash('sha256', idempotency_key, 'hex').slice(0, 32)
    return { nonce: `once-${named}-${random}` }
  },
  authenticate: (input: Json) => handAuthenticate(input, REQUESTS.keys),
  sign_order: (input: Json & { order: Json }, expected: { signature?: string }) => {
    const found = digested('SvcOrder', input.order, input as never)
    if (expected?.signature !== undefined)
      expect(handRecover(bytes(found.digest), expected.signature)).toBe(String(input.order.signer).toLowerCase())
    return found
  },
  sign_authorization: (input: Json & { authorization: Json }, expected: { signature?: string }) => {
    const found = digested('SvcApiAuthorization', input.authorization, input as never)
    if (expected?.signature !== undefined)
      expect(handRecover(bytes(found.digest), expected.signature)).toBe(String(input.authorization.owner))
    return found
  },
  scopes_hash: ({ scopes }: { scopes: string[] }) => {
    const text = [...new Set(scopes)].sort().join(' ')
    return { text, scopes_hash: `0x${keccak(Buffer.from(text)).toString('hex')}` }
  },
  verify_order: (input: Json & { order: Json }) => {
    const { digest } = digested('SvcOrder', input.order, input as never)
    if (input.order.signature_version !== '1') throw new Refused('SIGNATURE_TYPE_UNSUPPORTED')
    const signer = handRecover(bytes(digest), String(input.order.order_signature))
    if (signer !== input.order.signer)
      throw Object.assign(new Refused('SIGNATURE_ORDER_MISMATCH'), { recovered_signer: signer })
    return { signer, digest }
  },
} as never

test.each([...REQUESTS.cases, ...TYPED.cases])('$operation: $name', ({ operation, input, expected, error }) => {
  if (error === undefined) expect(expected).toMatchObject(OPERATIONS[operation]!(input, expected!))
  else expect(() => OPERATIONS[operation]!(input, expected!)).toThrow(expect.objectContaining(error))
})
