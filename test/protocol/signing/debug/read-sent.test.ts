import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSent } from '../../../../protocol/signing/debug/read-sent.ts'
import type { SentRequest } from '../../../../protocol/signing/debug/sent.ts'
import { refusal } from '../../../support/refusal.ts'

const text = fc.string({ unit: fc.constantFrom(...`ab {}":'\\$é&=?%\n`), maxLength: 12 })
const requests = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PATCH'),
  target: fc.webPath().map((path) => `/v1${path}?a=1&b=%20`),
  headers: fc.constant({ 'svc-access-key': 'key_1', 'content-type': 'application/json' }),
  body: text,
})

const inSingle = (value: string) => `'${value.replaceAll("'", "'\\''")}'`
const inDouble = (value: string) => `"${value.replace(/["\\$`]/g, '\\$&')}"`
const inAnsi = (value: string) =>
  `$'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('é', '\\u00e9')}'`

const curl = ({ method, target, headers, body }: SentRequest, quoted: (value: string) => string) =>
  [
    `curl -X ${method} ${quoted(`https://example.test${target}`)} --max-time 5`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ].join(' \\\n  ')

describe('a request', () => {
  test('is read alike from a curl command in each quoting, its text, and JSON', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const { method, target, headers, body } = request
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
        const texts = [
          ...[inSingle, inDouble, inAnsi].map((quoted) => curl(request, quoted)),
          `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
          `${method} https://example.test${target}\n${lines.join('\n')}\n\n${body}`,
          JSON.stringify(request),
        ]
        for (const one of texts) expect(readSent(one).request).toEqual(request)
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    ['curl https://x.test/v1/a', { method: 'GET', target: '/v1/a', body: '' }],
    ["$ curl https://x.test/v1/a -d '{}'", { method: 'POST', body: '{}' }],
    ["curl -G -d b=2 -d a=1 'https://x.test/v1/a?c=3#part'", { method: 'GET', target: '/v1/a?c=3&b=2&a=1', body: '' }],
    ['curl -XDELETE -u name:word https://x.test/v1/a', { method: 'DELETE', target: '/v1/a' }],
    ['curl https://x.test/v1/a -d @body.json', { method: 'POST', body: 'of a file' }],
    [
      JSON.stringify({ op: 'auth', key_id: 'key_1', nonce: 'n', signature: 'ab' }),
      {
        method: 'WS',
        target: '/v1/ws',
        headers: { 'svc-access-key': 'key_1', 'svc-access-nonce': 'n', 'svc-access-signature': 'ab' },
      },
    ],
  ])('%s', (given, expected) => {
    expect(readSent(given, given.includes('@') ? 'of a file' : null).request).toMatchObject(expected)
  })

  test('brings the messages of its body; a body alone is read too', () => {
    const order = { order_signature: '0x', market_id: 'mkt_1' }
    const names = (body: unknown) => readSent(JSON.stringify(body)).messages.map(({ name }) => name)
    expect(names(order)).toEqual(['order'])
    expect(names({ orders: [order, order] })).toEqual(['order 1 of 2', 'order 2 of 2'])
    expect(names({ authorization: {}, authorization_signature: '0x' })).toEqual(['authorization'])
    expect(names({ method: 'POST', target: '/v1/orders', body: order })).toEqual(['order'])
    expect(readSent(JSON.stringify(order)).request).toBeNull()
  })

  test.each([
    '',
    '{}',
    '[]',
    'hello',
    'curl',
    'curl -d @f https://x.test/v1/a',
    'curl --data-urlencode a=b https://x.test/v1',
    '{"method":"GET"}',
  ])('%j is refused with what is accepted', (given) => {
    expect(refusal('VALIDATION_USAGE_INVALID', () => readSent(given)).message).toContain('allowed')
  })
})
