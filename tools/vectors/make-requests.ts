import { createHash } from 'node:crypto'
import { type RequestKey, type RequestToSend, signRequest } from '../../client/signing/sign-request.ts'
import { boundNonce, canonicalRequest } from '../../protocol/signing/canonical-request.ts'
import { authenticateCases } from './make-authenticate.ts'
import { type VectorCase, vectorCase, vectorFile } from './vector-file.ts'
import { VECTOR_KEYS } from './vector-keys.ts'

type Asked = { readonly method: string; readonly target: string; readonly body?: string }

const get = (target: string): Asked => ({ method: 'GET', target })
const QUERIES =
  '|?status=open&limit=10|?limit=10&status=open|?status=open&status=filled|?status=filled&status=open|?a-b=1&a=2&a.b=3|?b=1&B=2&_=3&~=4|?client_order_id=|?client_order_id|?&&limit=1&|?|?cursor=YWJj%2B%2F%3D|?cursor=YWJj%2b/=|?note=a+b&x=a%20b|?note=a%2Bb|?q=Z%C3%BCrich%20%E2%98%82|?q=Zürich ☂ 😀'

/** Requests with odd paths, queries and bodies; each is signed by each key. Only ever added to at the end. */
const REQUESTS: readonly Asked[] = [
  get('/v1/balances'),
  ...QUERIES.split('|')
    .slice(1)
    .map((query) => get(`/v1/orders${query}`)),
  get("/v1/orders?q=!'()*-._~:@,;$"),
  get('/v1/orders/ord_%30%31'),
  get('/v1/orders/a%2Fb'),
  get('/v1/orders//x/'),
  get('/v1/orders?created_after=2026-01-17T00:00:00Z&limit=1000'),
  { method: 'POST', target: '/v1/orders', body: '{"quantity":"100.00"}' },
  { method: 'post', target: '/v1/orders/batch', body: '{"orders":[]}\n' },
  { method: 'POST', target: '/v1/orders/cancel-all', body: '{"account_id":"acct_ü","scope":"all_open_orders"}' },
  { method: 'PUT', target: '/v1/account/cancel-after', body: '{"timeout_ms":5000}' },
  { method: 'WS', target: '/v1/ws' },
]

const FIRST_MS = 1_790_000_000_000
const STEP_MS = 997

/** Addresses that no program may sign. */
const MALFORMED = ['/v1/%', '/v1/%zz', '/v1/%ff', '/v1/orders?q=%c3', '/v1/orders?%E2%98=1']

type SignInput = {
  readonly key_id: string
  readonly request: RequestToSend & { readonly timestamp_ms: number; readonly nonce: string }
}

/** Makes requests.json: canonical texts and signatures of requests, and requests that a service refuses. */
export function makeRequests() {
  const signed = VECTOR_KEYS.flatMap(({ key_id }) =>
    REQUESTS.map((asked, n) => signCase(key_id, { ...asked, ...stamped(n) })),
  )
  const refused = MALFORMED.map((target, n) =>
    signCase(VECTOR_KEYS[0].key_id, { ...get(target), ...stamped(REQUESTS.length + n) }),
  )
  const bound = KEYS_OF_WRITES.map((idempotency_key, n) =>
    vectorCase(`nonce of ${idempotency_key}`, 'bound_nonce', { idempotency_key, random: RANDOM[n % 2]! }, boundAnswer),
  )
  const about =
    'Canonical text and signature of requests (docs/signing.md), and what a service answers to requests as they arrive.'
  return vectorFile(about, [...signed, ...refused, ...authenticateCases(), ...bound], { keys: VECTOR_KEYS })
}

/** Idempotency-Keys, and the random ends of nonces that name them. */
const KEYS_OF_WRITES = ['order-1', 'x', `key of 64 ~${'!'.repeat(53)}`, 'a b']
const RANDOM = ['0123456789abcdef0123456789', 'f'.repeat(26)] as const

function boundAnswer({ idempotency_key, random }: { idempotency_key: string; random: string }) {
  return { nonce: boundNonce(createHash('sha256').update(idempotency_key).digest('hex'), random) }
}

function stamped(n: number) {
  return { timestamp_ms: FIRST_MS + STEP_MS * n, nonce: `nonce-vector_${String(n).padStart(2, '0')}` }
}

function signCase(key_id: string, request: SignInput['request']): VectorCase {
  return vectorCase(`${request.method} ${request.target} of ${key_id}`, 'sign', { key_id, request }, signAnswer)
}

function signAnswer({ key_id, request }: SignInput) {
  const key = VECTOR_KEYS.find((one) => one.key_id === key_id)! as RequestKey
  const [path = '', query = ''] = request.target.split('?')
  const body_sha256 = createHash('sha256')
    .update(request.body ?? '')
    .digest('hex')
  const { method, nonce } = request
  const { environment } = key
  const timestamp = String(request.timestamp_ms)
  const text = canonicalRequest({ method, path, query, body_sha256, timestamp, nonce, key_id, environment })
  return { canonical_request: text.split('\n'), signature: signRequest(request, key)['SVC-Access-Signature'] }
}
