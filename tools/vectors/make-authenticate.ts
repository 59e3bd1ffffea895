import { type RequestKey, signRequest } from '../../client/signing/sign-request.ts'
import type { VectorCase } from './vector-file.ts'
import { VECTOR_KEYS } from './vector-keys.ts'

/** Request as it arrives, with the clock of the service. */
type Arrival = {
  readonly environment: string
  readonly server_time_ms: number
  /** Nonces that the key has used before. */
  readonly used_nonces: readonly string[]
  readonly request: {
    readonly method: string
    readonly target: string
    readonly body: string
    readonly headers: Readonly<Record<string, string>>
  }
}

const [HMAC, ED25519] = VECTOR_KEYS
const AT_MS = 1_790_000_100_000

function arrival(key: RequestKey): Arrival {
  const asked = { method: 'POST', target: '/v1/orders?b=2&a=1', body: '{"quantity":"100.00"}' }
  const headers = { ...signRequest({ ...asked, timestamp_ms: AT_MS, nonce: 'nonce-arrival_1' }, key) }
  return { environment: key.environment, server_time_ms: AT_MS, used_nonces: [], request: { ...asked, headers } }
}

type Change = (given: Arrival) => Arrival
const request =
  (change: Partial<Arrival['request']>): Change =>
  (given) => ({ ...given, request: { ...given.request, ...change } })
const header =
  (name: string, change: (value: string) => string): Change =>
  (given) => {
    const { [`SVC-Access-${name}`]: value = '', ...rest } = given.request.headers
    const changed = change(value)
    const headers = changed === '' ? rest : { ...given.request.headers, [`SVC-Access-${name}`]: changed }
    return { ...given, request: { ...given.request, headers } }
  }
const clock =
  (after_ms: number): Change =>
  (given) => ({ ...given, server_time_ms: given.server_time_ms + after_ms })

const INVALID = 'AUTH_CREDENTIALS_INVALID'
const MALFORMED = 'VALIDATION_REQUEST_MALFORMED'
const LATE = 'AUTH_TIMESTAMP_OUT_OF_WINDOW'

/** Changes of an accepted request, each with its answer as docs/signing.md decides it; null: it is still accepted. */
const CHANGES: readonly (readonly [name: string, change: Change, code: string | null])[] = [
  ['as signed', (given) => given, null],
  ['query in another order', request({ target: '/v1/orders?a=1&b=2' }), null],
  ['30 s old', clock(30_000), null],
  ['5 s ahead', clock(-5_000), null],
  ['older than 30 s', clock(30_001), LATE],
  ['more than 5 s ahead', clock(-5_001), LATE],
  ['a used nonce', (given) => ({ ...given, used_nonces: ['nonce-arrival_1'] }), 'REPLAY_REQUEST_NONCE_REUSED'],
  [
    'a service of another environment',
    (given) => ({ ...given, environment: 'elsewhere' }),
    'AUTH_ENVIRONMENT_MISMATCH',
  ],
  ...['Key', 'Timestamp', 'Nonce', 'Signature', 'Signature-Version'].map(
    (name) => [`without SVC-Access-${name}`, header(name, () => ''), INVALID] as const,
  ),
  ['a timestamp with a fraction', header('Timestamp', (value) => `${value}.0`), MALFORMED],
  ['a nonce of 7 characters', header('Nonce', () => 'nonce-7'), MALFORMED],
  ['a nonce with a space', header('Nonce', () => 'nonce arrival'), MALFORMED],
  ['version v2', header('Signature-Version', () => 'v2'), MALFORMED],
  ['an unknown key', header('Key', () => 'key_vector_unknown'), INVALID],
  ['another timestamp', header('Timestamp', (value) => `${Number(value) + 1}`), INVALID],
  ['another nonce', header('Nonce', (value) => `${value}2`), INVALID],
  ['the signature in upper case', header('Signature', (value) => value.toUpperCase()), INVALID],
  ['the signature with 0x', header('Signature', (value) => `0x${value}`), INVALID],
  [
    'a flipped digit of the signature',
    header('Signature', (value) => `${value.startsWith('0') ? '1' : '0'}${value.slice(1)}`),
    INVALID,
  ],
  ['another method', request({ method: 'PUT' }), INVALID],
  ['another path', request({ target: '/v1/orders/?b=2&a=1' }), INVALID],
  ['another query', request({ target: '/v1/orders?b=2&a=1&a=1' }), INVALID],
  ['a space in the body', request({ body: '{"quantity": "100.00"}' }), INVALID],
  ['no body', request({ body: '' }), INVALID],
]

/** Makes the cases of requests as a service receives them. */
export function authenticateCases(): readonly VectorCase[] {
  return [HMAC, ED25519].flatMap((key) =>
    CHANGES.map(([name, change, code]) => {
      const base = { name: `${name}, ${key.algorithm}`, operation: 'authenticate', input: change(arrival(key)) }
      return code === null ? { ...base, expected: { key_id: key.key_id } } : { ...base, error: { code } }
    }),
  )
}
