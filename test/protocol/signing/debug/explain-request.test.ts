import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signRequest } from '../../../../client/signing/sign-request.ts'
import { canonicalRequest, sortedQuery } from '../../../../protocol/signing/canonical-request.ts'
import { CAUSES, type Cause } from '../../../../protocol/signing/debug/causes.ts'
import { departure } from '../../../../protocol/signing/debug/departure.ts'
import { explainRequest } from '../../../../protocol/signing/debug/explain-request.ts'
import { ed25519Check, explainSignatures } from '../../../../protocol/signing/debug/explain-signature.ts'
import { LABELS } from '../../../../protocol/signing/debug/request-guesses.ts'
import type { SentRequest } from '../../../../protocol/signing/debug/sent.ts'
import { sized } from '../../../support/sized.ts'
import { VECTOR_KEYS } from '../../../support/trading/request-vectors.ts'

const SECRET = Buffer.from('5a'.repeat(32), 'hex')
const KEY = {
  key_id: 'key_debug_0001',
  environment: 'sandbox',
  algorithm: 'hmac-sha256',
  secret: SECRET.toString('hex'),
} as const
const hmac = (text: string, key: Buffer | string = SECRET) => createHmac('sha256', key).update(text).digest('hex')
const FACTS = {
  environment: 'sandbox',
  check: (text: string, signature: string) => hmac(text) === signature,
  mistaken_check: (text: string, signature: string) => hmac(text, KEY.secret) === signature,
}

/** A correct request, and its canonical text. */
function correct(request: Pick<SentRequest, 'method' | 'target' | 'body'>, timestamp_ms = 1_790_000_000_000) {
  const { method, target, body } = request
  const nonce = 'nonce-debug_1'
  const signed = signRequest({ method, target, body, timestamp_ms, nonce }, KEY)
  const headers = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]))
  return { request: { ...request, headers } as SentRequest, text: signedTextOf({ ...request, headers }) }
}

function signedTextOf(request: SentRequest): string {
  return explainRequest(request, { environment: 'sandbox' }).signed_text!
}

/** The request with a signature over another text, and the text. */
function signedOver(request: SentRequest, text: string): SentRequest {
  return { ...request, headers: { ...request.headers, 'svc-access-signature': hmac(text) } }
}

const word = fc.string({ unit: fc.constantFrom(...'abcXYZ 019+&=/ü~!'), minLength: 1, maxLength: 5 })
const requests = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'DELETE'),
    segments: fc.array(word, { minLength: 1, maxLength: 3 }),
    pairs: fc.uniqueArray(fc.tuple(word, word), { minLength: 2, maxLength: 4, selector: ([key]) => key }),
    body: fc.record({ zeta: word, alpha: fc.integer(), list: fc.array(word, { maxLength: 2 }) }),
  })
  .map(({ method, segments, pairs, body }) => {
    const path = `/v1/${segments.map(encodeURIComponent).join('/')}`
    // Descending by their canonical form, in the encoding of JavaScript.
    const raw = pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    const rank = sortedQuery(raw.join('&')).split('&')
    const query = raw.sort((a, b) => rank.indexOf(sortedQuery(b)) - rank.indexOf(sortedQuery(a))).join('&')
    return correct({ method, target: `${path}?${query}`, body: JSON.stringify(body) })
  })

type Mistake = readonly [cause: Cause, change: (text: string, request: SentRequest) => string]
const line = (label: string, change: (value: string) => string) => (text: string) =>
  text.replace(new RegExp(`^${label}:(.*)$`, 'm'), (_, value: string) => `${label}:${change(value)}`)
const hashed = (body: string) =>
  explainRequest({ method: 'GET', target: '/', headers: {}, body }, { environment: '' }).lines[4]!.expected
const rehashed =
  (write: (value: unknown) => string) =>
  (text: string, { body }: SentRequest) =>
    line('body_sha256', () => hashed(write(JSON.parse(body))))(text)

/** One mistake each, as programs make them while signing. */
const MISTAKES: readonly Mistake[] = [
  ['method_lower_case', line('method', (value) => value.toLowerCase())],
  ['method_differs', line('method', (value) => (value === 'POST' ? 'GET' : 'POST'))],
  ['path_without_version', line('path', (value) => value.slice(3))],
  ['path_trailing_slash', line('path', (value) => `${value}/`)],
  ['path_not_normalized', line('path', decodeURIComponent)],
  ['path_with_query', (text, { target }) => line('path', () => target)(text)],
  ['query_not_sorted', line('query', (value) => value.split('&').reverse().join('&'))],
  ['query_left_out', line('query', () => '')],
  ['query_with_mark', line('query', (value) => `?${value}`)],
  ['query_encoded_otherwise', line('query', (value) => value.replaceAll('%20', '+'))],
  ['query_encoded_otherwise', line('query', (value) => value.replace(/%../g, (code) => code.toLowerCase()))],
  ['body_left_out', line('body_sha256', () => hashed(''))],
  ['body_reserialized', rehashed((value) => JSON.stringify(value, null, 2))],
  ['body_reserialized', rehashed((value) => JSON.stringify(value, ['alpha', 'list', 'zeta']))],
  [
    'body_reserialized',
    rehashed((value) =>
      JSON.stringify(value, null, 1)
        .replace(/\n */g, ' ')
        .replace(/([{[]) | ([}\]])/g, '$1$2'),
    ),
  ],
  ['body_newline', (text, { body }) => line('body_sha256', () => hashed(`${body}\n`))(text)],
  ['body_not_hashed', (text, { body }) => line('body_sha256', () => body)(text)],
  ['body_hash_written_otherwise', line('body_sha256', (value) => value.toUpperCase())],
  ['timestamp_unit', line('timestamp', (value) => value.slice(0, -3))],
  ['environment_differs', line('environment', () => 'production')],
  ['version_differs', line('SVC-Access-Signature-Version', () => '1')],
  ['newline_at_end', (text) => `${text}\n`],
  ['lines_joined_otherwise', (text) => text.replaceAll('\n', '\r\n')],
  ['labels_written_otherwise', (text) => text.replaceAll(/^[^:\n]+:/gm, '')],
]

test('the query may be signed within the path, with nothing in its own line', () => {
  const { request, text } = correct({ method: 'GET', target: '/v1/fills?limit=2&cursor=a', body: '' })
  const mistaken = line('query', () => '')(line('path', () => request.target)(text))
  const { findings } = explainRequest(signedOver(request, mistaken), FACTS)
  expect(findings).toMatchObject([{ cause: 'path_with_query', certainty: 'proved' }])
})

test('two usual mistakes at once are both named', () => {
  const { request, text } = correct({ method: 'POST', target: '/v1/orders?b=1&a=2', body: '{"x":1}' })
  const causes = (mistaken: string) =>
    explainRequest(signedOver(request, mistaken), FACTS).findings.map((one) => `${one.cause} ${one.certainty}`)
  const left_out = line('path', (value) => value.slice(3))(line('query', () => '')(text))
  expect(causes(left_out).sort()).toEqual(['path_without_version proved', 'query_left_out proved'])
  expect(causes(`${line('method', (value) => value.toLowerCase())(text)}\n`)).toEqual([
    'method_lower_case proved',
    'newline_at_end proved',
  ])
})

test('of a valid request it says that the time was not compared, unless the clock of the service is given', () => {
  const { request } = fc.sample(requests, { numRuns: 1, seed: 1 })[0]!
  expect(explainRequest(request, FACTS).next).toMatch(/^the time was not compared: give --server-time-ms/)
  const server_time_ms = Number(request.headers['svc-access-timestamp'])
  expect(explainRequest(request, { ...FACTS, server_time_ms }).next).toBeNull()
})

describe('a random correct request', () => {
  test('is valid, and each single mistake is named as the cause, from the signature alone', () => {
    fc.assert(
      fc.property(requests, ({ request, text }) => {
        expect(explainRequest(request, FACTS)).toMatchObject({ verdict: 'valid', code: null, findings: [] })
        for (const [cause, change] of MISTAKES) {
          const mistaken = change(text, request)
          if (mistaken === text) continue
          const { verdict, code, findings } = explainRequest(signedOver(request, mistaken), FACTS)
          expect({ verdict, code, named: findings.map((one) => `${one.cause} ${one.certainty}`) }).toEqual({
            verdict: 'refused',
            code: 'AUTH_CREDENTIALS_INVALID',
            named: [`${cause} proved`],
          })
        }
      }),
      { numRuns: sized(8, 200) },
    )
  })

  test('is compared with the text that was signed: the line, the byte and the cause, without any secret', () => {
    fc.assert(
      fc.property(requests, fc.constantFrom(...LABELS), word, ({ request, text }, label, value) => {
        const signed_text = line(label, (right) => `${right.slice(0, 2)}${value}é`)(text)
        const { lines, findings, verdict } = explainRequest(request, { environment: 'sandbox', signed_text })
        expect(verdict).toBe('refused')
        expect(findings).toHaveLength(1)
        expect(findings[0]!.message).toContain(label)
        const differing = lines.filter(({ departs }) => departs !== null)
        expect(differing.map(({ name }) => name)).toEqual([label])
        const { expected, signed, departs } = differing[0]!
        const [a, b] = [Buffer.from(expected), Buffer.from(signed!)]
        expect(a.subarray(0, departs!.byte)).toEqual(b.subarray(0, departs!.byte))
        expect(a[departs!.byte]).not.toBe(b[departs!.byte])
      }),
      { numRuns: sized(40, 1000) },
    )
  })
})

describe('one request', () => {
  const { request, text } = correct({ method: 'POST', target: '/v1/orders', body: '{"quantity":"100.00"}' })
  const withHeader = (name: string, value: string | null) => {
    const { [name]: _, ...rest } = request.headers
    return { ...request, headers: value === null ? rest : { ...rest, [name]: value } }
  }
  const signature = request.headers['svc-access-signature']!

  test.each<[Cause, string, SentRequest]>([
    ['header_missing', 'AUTH_CREDENTIALS_INVALID', withHeader('svc-access-nonce', null)],
    ['header_malformed', 'VALIDATION_REQUEST_MALFORMED', withHeader('svc-access-nonce', 'short')],
    ['header_malformed', 'VALIDATION_REQUEST_MALFORMED', withHeader('svc-access-timestamp', '2026-11-28T00:00:00Z')],
    [
      'signature_written_otherwise',
      'AUTH_CREDENTIALS_INVALID',
      withHeader('svc-access-signature', signature.toUpperCase()),
    ],
    ['signature_written_otherwise', 'AUTH_CREDENTIALS_INVALID', withHeader('svc-access-signature', `0x${signature}`)],
    [
      'signature_written_otherwise',
      'AUTH_CREDENTIALS_INVALID',
      withHeader('svc-access-signature', Buffer.from(signature, 'hex').toString('base64')),
    ],
    ['signature_of_other_length', 'AUTH_CREDENTIALS_INVALID', withHeader('svc-access-signature', 'ab')],
    ['address_malformed', 'VALIDATION_REQUEST_MALFORMED', { ...request, target: '/v1/%zz' }],
    ['secret_as_text', 'AUTH_CREDENTIALS_INVALID', withHeader('svc-access-signature', hmac(text, KEY.secret))],
    ['hash_signed', 'AUTH_CREDENTIALS_INVALID', signedOver(request, hashed(text))],
    ['other_key_or_text', 'AUTH_CREDENTIALS_INVALID', withHeader('svc-access-signature', hmac(text, 'another'))],
  ])('%s', (cause, code, sent) => {
    const { verdict, code: found, findings } = explainRequest(sent, FACTS)
    expect({ verdict, code: found, causes: findings.map((one) => one.cause) }).toMatchObject({
      verdict: 'refused',
      code,
      causes: expect.arrayContaining([cause]),
    })
    for (const { message } of findings) expect(message).toContain(CAUSES[cause])
  })

  test.each<[Cause, string, string]>([
    ['path_differs', 'path', '/v1/fills'],
    ['path_with_host', 'path', 'https://x.test/v1/orders'],
    ['query_differs', 'query', 'a=1'],
    ['body_differs', 'body_sha256', hashed('another')],
    ['timestamp_differs', 'timestamp', '1790000000001'],
    ['nonce_differs', 'nonce', 'nonce-debug_2'],
    ['key_id_differs', 'key_id', 'key_debug_0002'],
  ])('%s, by the text that was signed', (cause, label, value) => {
    const signed_text = text.replace(new RegExp(`^${label}:.*$`, 'm'), `${label}:${value}`)
    expect(explainRequest(request, { environment: 'sandbox', signed_text })).toMatchObject({
      verdict: 'refused',
      code: 'AUTH_CREDENTIALS_INVALID',
      findings: [{ cause, certainty: 'seen' }],
    })
  })

  test.each<[Cause, Pick<SentRequest, 'target' | 'body'>, Mistake[1]]>([
    ['query_sorted_as_text', { target: '/v1/a?a=2&a-b=1', body: '' }, line('query', () => 'a-b=1&a=2')],
    ['empty_body_hashed', { target: '/v1/a', body: '' }, line('body_sha256', () => hashed('{}'))],
    ['path_with_host', { target: '/v1/a', body: '' }, line('path', () => 'https://x.test/v1/a')],
  ])('%s, by the signature', (cause, asked, change) => {
    const right = correct({ method: 'GET', ...asked })
    const sent = { ...right.request, headers: { ...right.request.headers, host: 'x.test' } }
    expect(explainRequest(signedOver(sent, change(right.text, sent)), FACTS).findings).toMatchObject([
      { cause, certainty: 'proved' },
    ])
  })

  test('a signature of the other algorithm is named, and nothing is guessed', () => {
    const { findings } = explainRequest(request, { ...FACTS, check: () => false, signature_digits: 128 })
    expect(findings.map((one) => one.cause)).toEqual(['algorithm_differs'])
  })

  test('without a secret, a key or the signed text nothing is decided, and the answer names the next step', () => {
    const { verdict, findings, next } = explainRequest(request, { environment: 'sandbox' })
    expect({ verdict, findings }).toEqual({ verdict: 'undecided', findings: [] })
    expect(next).toContain('public key')
    const right = explainRequest(request, { environment: 'sandbox', signed_text: text })
    expect(right).toMatchObject({ verdict: 'undecided', code: null, findings: [] })
    expect(right.next).toContain('the signed text is right')
  })

  test('the clock of the service decides, as the service does', () => {
    const at = (server_time_ms: number) => explainRequest(request, { ...FACTS, server_time_ms }).code
    const sent = 1_790_000_000_000
    expect([sent, sent + 30_000, sent - 5_000].map(at)).toEqual([null, null, null])
    expect([sent + 30_001, sent - 5_001].map(at)).toEqual([
      'AUTH_TIMESTAMP_OUT_OF_WINDOW',
      'AUTH_TIMESTAMP_OUT_OF_WINDOW',
    ])
  })

  test('a timestamp in seconds is named, even if it was signed so', () => {
    const seconds = correct({ method: 'GET', target: '/v1/orders', body: '' }, 1_790_000_000).request
    expect(explainRequest(seconds, FACTS)).toMatchObject({
      verdict: 'refused',
      code: 'AUTH_TIMESTAMP_OUT_OF_WINDOW',
      findings: [{ cause: 'timestamp_unit' }],
    })
  })
})

test('of Ed25519 the public key is enough', () => {
  const key = VECTOR_KEYS.get('key_vector_ed25519_01')!
  const target = '/v1/orders?status=open&limit=10'
  const signed = signRequest({ method: 'GET', target, timestamp_ms: 1_790_000_000_000, nonce: 'nonce-debug_1' }, key)
  const headers = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]))
  const check = ed25519Check(key.public_key!)
  const explained = (change: Partial<SentRequest>, environment = 'production') =>
    explainSignatures(
      { request: { method: 'GET', target, headers, body: '', ...change }, messages: [] },
      { environment, check },
    )[0]!
  expect(explained({}).verdict).toBe('valid')
  expect(explained({ method: 'POST' }).findings[0]).toMatchObject({ cause: 'method_differs', certainty: 'proved' })
  expect(explained({}, 'sandbox').findings[0]).toMatchObject({ cause: 'environment_differs', certainty: 'proved' })
  expect(() => ed25519Check('zz')).toThrow('64 hex digits')
})

test('the first byte that differs is counted in UTF-8, also at an end', () => {
  expect(departure('é1', 'é2')).toEqual({ byte: 2, expected: '31', signed: '32' })
  expect(departure('a', 'ab')).toEqual({ byte: 1, expected: null, signed: '62' })
  expect(departure('a', 'a')).toBeNull()
})

test('the nine lines are those of the shared text', () => {
  const { request, text } = correct({ method: 'get', target: '/v1/a b?q=1&b=%7e', body: '' })
  const [path, query] = request.target.split('?') as [string, string]
  const headers = { timestamp: '1790000000000', nonce: 'nonce-debug_1', key_id: KEY.key_id, environment: 'sandbox' }
  expect(text).toBe(canonicalRequest({ method: 'get', path, query, body_sha256: hashed(''), ...headers }))
})

test('of a text with the right values, the order or the case is named; of the right text, the key', () => {
  const { request, text } = fc.sample(requests, { numRuns: 1, seed: 1 })[0]!
  const causeOf = (signed_text: string) =>
    explainRequest(request, { environment: 'sandbox', signed_text }).findings.map(({ cause }) => cause)
  expect(causeOf(text.split('\n').toReversed().join('\n'))).toEqual(['lines_in_other_order'])
  expect(causeOf(text.replace(/^method:/m, 'Method:'))).toEqual(['labels_written_otherwise'])
  const of_other = { ...FACTS, signed_text: text, check: () => false, mistaken_check: () => false }
  const { findings, next } = explainRequest(request, of_other)
  expect([findings.map(({ certainty }) => certainty), next]).toEqual([['seen'], null])
  expect(findings[0]!.message).toContain('another key or secret')
  expect(explainRequest(request, { ...of_other, signed_text: null }).next).toMatch('--signed-text')
})
