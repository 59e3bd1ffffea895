import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signatureHeaders } from '../../../api/webhooks/webhook-secret.ts'
import { verifyWebhook } from '../../../client/webhooks/verify-webhook.ts'
import { WEBHOOKS } from '../../../protocol/limits.ts'
import { sealSecret } from '../../../trading/auth/seal-secret.ts'
import { SEALING } from '../../support/trading/served-accounts.ts'

const NOW_MS = 1_795_000_000_000
const WEBHOOK_ID = 'whk_a'
const secretOf = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString('base64')}`
const [OLD, NEW] = [randomBytes(32), randomBytes(32)]
const event = { event_id: 'whe_1', event_type: 'transfer.held', data: { amount: '25.00' } }
const body = JSON.stringify(event)

const signed = (previous_until: number | null = null) =>
  signatureHeaders(
    {
      webhook_id: WEBHOOK_ID,
      material: sealSecret(SEALING, WEBHOOK_ID, NEW),
      previous_material: previous_until === null ? null : sealSecret(SEALING, WEBHOOK_ID, OLD),
      previous_until,
    },
    SEALING,
    { event_id: event.event_id, body },
    NOW_MS * 1000,
  )
const verify = (given: Partial<Parameters<typeof verifyWebhook>[0]> = {}) => {
  const verified = verifyWebhook({ headers: signed(), body, secret: secretOf(NEW), now_ms: NOW_MS, ...given })
  return verified.verified ? verified.event : verified.reason
}

test('the example of the public scheme verifies', () => {
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }
  const given = { headers, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', now_ms: 1_614_265_330_000 }
  // Its body is no event of ours, which is noticed after the signature was found right.
  expect(verify({ ...given, body: '{"test": 2432232314}' })).toBe('body_malformed')
  expect(verify({ ...given, body: '{"test": 2432232315}' })).toBe('signature_mismatch')
})

test('a delivery is verified by its secret, as text or bytes, and gives its event', () => {
  expect(verify()).toEqual(event)
  expect(verify({ body: Buffer.from(body) })).toEqual(event)
  expect(verify({ secret: secretOf(OLD) })).toBe('signature_mismatch')
})

test('during a rotation both secrets verify, and after it the new one alone', () => {
  const both = signed((NOW_MS + 1) * 1000)
  expect(verify({ headers: both })).toEqual(event)
  expect(verify({ headers: both, secret: secretOf(OLD) })).toEqual(event)
  expect(verify({ secret: [secretOf(OLD), secretOf(NEW)] })).toEqual(event)
  const over = signed(NOW_MS * 1000)
  expect(verify({ headers: over, secret: secretOf(OLD) })).toBe('signature_mismatch')
})

test('the clocks may differ by five minutes', () => {
  const at = (seconds: number) => verify({ now_ms: NOW_MS + seconds * 1000 })
  expect([at(WEBHOOKS.tolerance_s), at(-WEBHOOKS.tolerance_s)]).toEqual([event, event])
  expect([at(WEBHOOKS.tolerance_s + 1), at(-WEBHOOKS.tolerance_s - 1)]).toEqual([
    ...Array(2).fill('timestamp_out_of_tolerance'),
  ])
})

test.each([
  [{ headers: {} }, 'headers_missing'],
  [{ headers: { ...signed(), 'webhook-timestamp': 'soon' } }, 'timestamp_out_of_tolerance'],
  [{ headers: { ...signed(), 'webhook-timestamp': '' } }, 'timestamp_out_of_tolerance'],
  [{ headers: { ...signed(), 'webhook-id': 'whe_2' } }, 'signature_mismatch'],
  [{ headers: { ...signed(), 'webhook-signature': 'v1,' } }, 'signature_mismatch'],
  [{ secret: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }, 'secret_malformed'],
  [{ secret: [] }, 'secret_malformed'],
  [{ secret: 'whsec_' }, 'secret_malformed'],
] as const)('%j: %s', (given, reason) => {
  expect(verify(given)).toBe(reason)
})

test('a change of any byte of body or signature is noticed', () => {
  const headers = signed()
  const signature = headers['webhook-signature']!
  fc.assert(
    fc.property(
      fc.nat(body.length - 1),
      fc.nat(signature.length - 1),
      fc.integer({ min: 1, max: 25 }),
      (at, of, by) => {
        const changed = (text: string, place: number) => {
          const letter = String.fromCharCode(97 + ((text.charCodeAt(place) + by) % 26))
          return letter === text[place] ? null : `${text.slice(0, place)}${letter}${text.slice(place + 1)}`
        }
        const [other_body, other_signature] = [changed(body, at), changed(signature, of)]
        if (other_body !== null) expect(verify({ body: other_body })).toBe('signature_mismatch')
        if (other_signature !== null)
          expect(verify({ headers: { ...headers, 'webhook-signature': other_signature } })).toBe('signature_mismatch')
      },
    ),
  )
})

test('headers may be those of a fetch request, or a list of one', () => {
  const plain = signed() as Readonly<Record<string, string>>
  const listed = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, [value]]))
  expect(verify({ headers: new Headers(plain) })).toEqual(event)
  expect(verify({ headers: listed })).toEqual(event)
  expect(verify({ headers: { ...listed, 'webhook-id': ['whe_1', 'whe_1'] } })).toBe('headers_missing')
  expect(verify({ headers: new Headers() })).toBe('headers_missing')
})

test('a body that was parsed is refused by name: other bytes were signed', () => {
  expect(() => verify({ body: JSON.parse(body) })).toThrow(/^body is an object; allowed: the bytes of the body/)
})
