import { randomBytes, randomUUID } from 'node:crypto'
import type { RequestKey } from '../../../client/signing/sign-request.ts'
import type { Random } from '../../../simulator/world/random.ts'
import { headerOf, readOf, type Signing, type WireRequest, withHeaders, writeOf } from '../wire-request.ts'
import type { Attack, Attacks } from './attack.ts'
import type { Target } from './capture.ts'

const [KEY, TIMESTAMP, NONCE] = ['SVC-Access-Key', 'SVC-Access-Timestamp', 'SVC-Access-Nonce']
const [SIGNATURE, VERSION, IDEMPOTENCY] = ['SVC-Access-Signature', 'SVC-Access-Signature-Version', 'Idempotency-Key']

/** Sent again as it was, or with a nonce, a key or an order that was used before. */
const REPLAYS: Attacks = {
  replay_place: replayed(({ captured }) => captured.place),
  replay_cancel: replayed(({ captured }) => captured.cancel),
  replay_amend: replayed(({ captured }) => captured.amend),
  replay_read: replayed(({ captured }) => captured.read),
  replay_other_idempotency_key: replayed(({ captured }) =>
    withHeaders(captured.place, { [IDEMPOTENCY]: randomUUID() }),
  ),
  replay_query_reordered: replayed(({ captured }) => ({ ...captured.read, target: '/v1/orders?side=BUY&limit=10' })),
  nonce_reused_by_new_order: replayed((target) => newOrder(target, { nonce: headerOf(target.captured.place, NONCE) })),
  nonce_reused_by_new_read: replayed(({ served, captured }) =>
    readOf(served.keys.acct_a, '/orders?limit=5', { nonce: headerOf(captured.read, NONCE) }),
  ),
  idempotent_retry: {
    expected: 'REPLAYED',
    make: ({ served, captured: { place } }) =>
      writeOf(served.keys.acct_a, '/orders', place.body, { idempotency_key: headerOf(place, IDEMPOTENCY) }),
  },
  idempotency_key_of_other_body: {
    expected: 'IDEMPOTENCY_CONFLICT',
    make: (target) => newOrder(target, { idempotency_key: headerOf(target.captured.place, IDEMPOTENCY) }),
  },
}

/** Signed by the key's owner, for another time, place or purpose. */
const MISUSED: Attacks = {
  timestamp_behind: {
    expected: 'AUTH_TIMESTAMP_OUT_OF_WINDOW',
    make: (target) => newOrder(target, { timestamp_ms: Date.now() - target.random.between(30_500, 3_600_000) }),
  },
  timestamp_ahead: {
    expected: 'AUTH_TIMESTAMP_OUT_OF_WINDOW',
    make: (target) => newOrder(target, { timestamp_ms: Date.now() + target.random.between(8_000, 3_600_000) }),
  },
  key_of_other_environment: signedBy('AUTH_ENVIRONMENT_MISMATCH', ({ narrow }) => narrow.elsewhere),
  key_of_other_address: signedBy('AUTH_IP_NOT_ALLOWED', ({ narrow }) => narrow.other_address),
  key_without_scope: signedBy('AUTH_SCOPE_INSUFFICIENT', ({ narrow }) => narrow.reads_alone),
  key_revoked: signedBy('AUTH_CREDENTIALS_INVALID', ({ narrow }) => narrow.revoked),
  environment_signed_otherwise: signedBy('AUTH_CREDENTIALS_INVALID', ({ served }) => ({
    ...served.keys.acct_a,
    environment: 'production',
  })),
}

/** Changed on the way: what was signed is no longer what is sent. */
const CHANGED: Attacks = {
  path_of_other_order: forged(({ served, captured }) => {
    const wire = writeOf(served.keys.acct_a, '/orders/ord_absent/cancel', {})
    return { ...wire, target: `/v1/orders/${captured.placed_id}/cancel` }
  }),
  path_of_other_route: forged((target) => ({ ...newOrder(target), target: '/v1/orders/preview' })),
  query_value_changed: forged(({ served, random }) => ({
    ...readOf(served.keys.acct_a, '/orders?limit=10'),
    target: `/v1/orders?limit=${random.between(11, 999)}`,
  })),
  query_added: forged(({ served }) => ({
    ...readOf(served.keys.acct_a, '/orders?limit=10'),
    target: '/v1/orders?limit=10&side=SELL',
  })),
  query_removed: forged(({ served }) => ({
    ...readOf(served.keys.acct_a, '/orders?limit=10&side=SELL'),
    target: '/v1/orders?limit=10',
  })),
  body_digit_changed: forged((target) => {
    const wire = newOrder(target)
    return { ...wire, body: wire.body.replace('"quantity":"10"', `"quantity":"${target.random.between(11, 99)}"`) }
  }),
  body_space_added: forged((target) => {
    const wire = newOrder(target)
    const commas = [...wire.body.matchAll(/,"/g)].map(({ index }) => index + 1)
    const place = commas[target.random.below(commas.length)]!
    return { ...wire, body: `${wire.body.slice(0, place)} ${wire.body.slice(place)}` }
  }),
  body_fields_reordered: forged((target) => {
    const wire = newOrder(target)
    return { ...wire, body: JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(wire.body)).reverse())) }
  }),
  timestamp_changed: forged((target) => {
    const wire = newOrder(target)
    return withHeaders(wire, { [TIMESTAMP]: String(Number(headerOf(wire, TIMESTAMP)) - target.random.between(1, 999)) })
  }),
  nonce_changed: forged((target) => withHeaders(newOrder(target), { [NONCE]: randomUUID() })),
  captured_with_new_nonce: forged(({ captured }) => withHeaders(captured.place, { [NONCE]: randomUUID() })),
  key_of_other_account: forged((target) => withHeaders(newOrder(target), { [KEY]: target.served.keys.acct_b.key_id })),
  key_unknown: forged((target) => withHeaders(newOrder(target), { [KEY]: `key_${randomBytes(8).toString('hex')}` })),
  signature_digit_changed: forged((target) => {
    const wire = newOrder(target)
    return withHeaders(wire, { [SIGNATURE]: otherDigit(headerOf(wire, SIGNATURE), target.random) })
  }),
  signature_cut: forged((target) => {
    const wire = newOrder(target)
    return withHeaders(wire, { [SIGNATURE]: headerOf(wire, SIGNATURE).slice(0, target.random.between(1, 63)) })
  }),
  signature_of_other_form: forged((target) => {
    const wire = newOrder(target)
    return withHeaders(wire, { [SIGNATURE]: headerOf(wire, SIGNATURE).repeat(2) })
  }),
}

/** A header that is not there, or there twice. */
const HEADERS: Attacks = {
  ...Object.fromEntries(
    [KEY, TIMESTAMP, NONCE, SIGNATURE, VERSION].map((name) => [
      `without_${name}`,
      forged((target) => withHeaders(newOrder(target), { [name!]: null })),
    ]),
  ),
  [`without_${IDEMPOTENCY}`]: {
    expected: 'IDEMPOTENCY_KEY_REQUIRED',
    make: (target) => withHeaders(newOrder(target), { [IDEMPOTENCY!]: null }),
  },
  [`twice_${KEY}`]: twice(KEY!, 'AUTH_CREDENTIALS_INVALID'),
  [`twice_${SIGNATURE}`]: twice(SIGNATURE!, 'AUTH_CREDENTIALS_INVALID'),
  [`twice_${NONCE}`]: twice(NONCE!, 'VALIDATION_REQUEST_MALFORMED'),
  [`twice_${TIMESTAMP}`]: twice(TIMESTAMP!, 'VALIDATION_REQUEST_MALFORMED'),
  [`twice_${VERSION}`]: twice(VERSION!, 'VALIDATION_REQUEST_MALFORMED'),
  version_other: {
    expected: 'VALIDATION_REQUEST_MALFORMED',
    make: (target) => withHeaders(newOrder(target), { [VERSION!]: 'v2' }),
  },
}

/** Attacks with the signature of a request. */
export const REQUEST_ATTACKS: Attacks = { ...REPLAYS, ...MISUSED, ...CHANGED, ...HEADERS }

/** A valid order of acct_a that was not sent yet. */
function newOrder({ served, captured }: Target, signing: Signing = {}): WireRequest {
  return writeOf(served.keys.acct_a, '/orders', captured.unsent, signing)
}

function replayed(make: Attack['make']): Attack {
  return { expected: 'REPLAY_REQUEST_NONCE_REUSED', make }
}

function forged(make: Attack['make']): Attack {
  return { expected: 'AUTH_CREDENTIALS_INVALID', make }
}

function signedBy(expected: Attack['expected'], keyOf: (target: Target) => RequestKey): Attack {
  return {
    expected,
    make: (target) => writeOf(keyOf(target), '/orders', target.captured.unsent),
  }
}

function twice(name: string, expected: Attack['expected']): Attack {
  return {
    expected,
    make: (target) => {
      const wire = newOrder(target)
      return withHeaders(wire, { [name]: [headerOf(wire, name), headerOf(wire, name)] })
    },
  }
}

function otherDigit(hex: string, random: Random): string {
  const place = random.below(hex.length)
  const digit = (Number.parseInt(hex[place]!, 16) + random.between(1, 15)) % 16
  return `${hex.slice(0, place)}${digit.toString(16)}${hex.slice(place + 1)}`
}
