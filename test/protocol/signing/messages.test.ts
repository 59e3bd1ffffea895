import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ORDER_TYPE, type OrderToSign, orderMessage } from '../../../protocol/order/order-terms.ts'
import { authorizationMessage } from '../../../protocol/signing/authorization-message.ts'
import { firstDifference } from '../../../protocol/signing/first-difference.ts'
import { SCOPES, scopesText } from '../../../protocol/signing/scopes.ts'
import { signedDecimal } from '../../../protocol/signing/signed-scalars.ts'
import { AUTHORIZATION_TYPE, encodedType, type Hex } from '../../../protocol/signing/typed-data.ts'
import { refusal } from '../../support/refusal.ts'
import { VECTOR_ORDER } from '../../support/trading/signing-world.ts'

const keccak = (text: string): Hex => `0x${Buffer.from(text).toString('hex').padEnd(64, '0').slice(0, 64)}`

describe('type strings, as they were decided', () => {
  test('SvcOrder', () => {
    expect(encodedType(ORDER_TYPE)).toBe(
      'SvcOrder(string account,address signer,string market,string outcome,string side,uint128 limit_price_integer,uint8 limit_price_scale,uint128 quantity_integer,uint8 quantity_scale,string time_in_force,uint64 expiry,bool post_only,bool reduce_only,bool cancel_on_pause,string self_trade_prevention,bytes32 client_order_id_hash,uint256 nonce,uint128 maximum_fee_integer,uint8 maximum_fee_scale,uint128 maximum_notional_integer,uint8 maximum_notional_scale,string settlement_asset,string signature_version)',
    )
  })

  test('SvcApiAuthorization', () => {
    expect(encodedType(AUTHORIZATION_TYPE)).toBe(
      'SvcApiAuthorization(address owner,address signer,string account,string api_key_id,bytes32 scopes_hash,string environment,uint64 issued_at,uint64 expiry,uint256 nonce,string authorization_version)',
    )
  })
})

describe('a decimal as it is signed', () => {
  test.each([
    ['0.52', 52n, 2],
    ['100.00', 10000n, 2],
    ['100', 100n, 0],
    ['0', 0n, 0],
    ['0.0', 0n, 1],
    ['0.000000000000000001', 1n, 18],
    ['340282366920938463463374607431768211455', 2n ** 128n - 1n, 0],
    ['340282366920938463463.374607431768211455', 2n ** 128n - 1n, 18],
  ])('%s is %i scale %i', (text, integer, scale) => {
    expect(signedDecimal(text, 'quantity')).toEqual({ integer, scale })
  })

  test.each([
    '',
    '.5',
    '5.',
    '00',
    '01.5',
    '-1',
    '+1',
    '1e3',
    ' 1',
    '1 ',
    '1,5',
    '٣',
    '0x1',
    'NaN',
    '0.0000000000000000001',
    '340282366920938463463374607431768211456',
    '9'.repeat(400),
  ])('%j cannot be signed', (text) => {
    const error = refusal('VALIDATION_DECIMAL_INVALID', () => signedDecimal(text, 'quantity'))
    expect(error.message).toContain('quantity is')
  })

  test('is the written one again, digit by digit', () => {
    const digits = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }), fc.integer({ min: 0, max: 18 }), fc.nat())
    fc.assert(
      fc.property(digits, ([whole, scale, fraction]) => {
        const text = scale === 0 ? `${whole}` : `${whole}.${String(fraction).padStart(scale, '0').slice(0, scale)}`
        const signed = signedDecimal(text, 'quantity')
        const shown = signed.integer.toString().padStart(signed.scale + 1, '0')
        const point = shown.length - signed.scale
        expect(signed.scale === 0 ? shown : `${shown.slice(0, point)}.${shown.slice(point)}`).toBe(text)
      }),
    )
  })
})

describe('the message of an order', () => {
  test('has every field of the type and no other', () => {
    expect(Object.keys(orderMessage(VECTOR_ORDER, keccak)).sort()).toEqual(
      ORDER_TYPE.fields.map(({ name }) => name).sort(),
    )
  })

  test('carries an expiry in whole seconds', () => {
    const at = (expires_at: string | null) => orderMessage({ ...VECTOR_ORDER, expires_at }, keccak).expiry
    expect(at(null)).toBe(0n)
    expect(at('2026-12-31T23:59:59Z')).toBe(1_798_761_599n)
    expect(at('2026-12-31T23:59:59.000000Z')).toBe(1_798_761_599n)
    refusal('VALIDATION_INSTANT_INVALID', () => at('2026-12-31T23:59:59.5Z'))
    refusal('VALIDATION_INSTANT_INVALID', () => at('1970-01-01T00:00:00Z'))
    refusal('VALIDATION_INSTANT_INVALID', () => at('1960-01-01T00:00:00Z'))
  })

  test.each<[string, Partial<OrderToSign>]>([
    ['a nonce past 2^256', { order_nonce: (2n ** 256n).toString() }],
    ['a nonce with a leading zero', { order_nonce: '01' }],
    ['a nonce in hex', { order_nonce: '0x1' }],
    ['a negative nonce', { order_nonce: '-1' }],
    ['a signer that is too short', { signer: '0x12' }],
    ['a signer that is no hex', { signer: `0x${'g'.repeat(40)}` }],
  ])('refuses %s', (_what, change) => {
    refusal('VALIDATION_BODY_INVALID', () => orderMessage({ ...VECTOR_ORDER, ...change }, keccak))
  })

  test('takes the greatest nonce and a signer of any case', () => {
    const order = {
      ...VECTOR_ORDER,
      order_nonce: (2n ** 256n - 1n).toString(),
      signer: VECTOR_ORDER.signer.toUpperCase().replace('X', 'x'),
    }
    const message = orderMessage(order, keccak)
    expect(message.nonce).toBe(2n ** 256n - 1n)
    expect(message.signer).toBe(VECTOR_ORDER.signer.toLowerCase())
  })
})

describe('the message of an authorization', () => {
  const body = {
    owner: VECTOR_ORDER.signer,
    signer: VECTOR_ORDER.signer,
    account: 'acct_test',
    api_key_id: 'key_0123456789abcdef',
    scopes_hash: `0x${'AB'.repeat(32)}`,
    environment: 'sandbox',
    issued_at: 1_790_000_000,
    expiry: 0,
    nonce: '7',
    authorization_version: '1',
  }

  test('has every field of the type and no other', () => {
    const message = authorizationMessage(body)
    expect(Object.keys(message).sort()).toEqual(AUTHORIZATION_TYPE.fields.map(({ name }) => name).sort())
    expect(message).toMatchObject({ scopes_hash: `0x${'ab'.repeat(32)}`, issued_at: 1_790_000_000n, nonce: 7n })
  })

  test.each([{ issued_at: 1.5 }, { expiry: -1 }, { scopes_hash: '0x12' }, { owner: '0x' }, { nonce: '' }])(
    'refuses %o',
    (change) => {
      refusal('VALIDATION_BODY_INVALID', () => authorizationMessage({ ...body, ...change }))
    },
  )
})

test('scopes are sorted, each once', () => {
  expect(scopesText(['orders:write', 'account:read', 'orders:write'])).toBe('account:read orders:write')
  expect(scopesText([...SCOPES].reverse())).toBe(scopesText(SCOPES))
})

describe('the first difference of an echo', () => {
  const message = orderMessage(VECTOR_ORDER, keccak)
  const echo = Object.fromEntries(
    Object.entries(message).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
  )

  test('is none where all fields are equal, however integers and hex are written', () => {
    expect(firstDifference(ORDER_TYPE, message, echo)).toBeNull()
    expect(firstDifference(ORDER_TYPE, message, { ...echo, nonce: 1, signer: VECTOR_ORDER.signer })).toBeNull()
  })

  test.each(ORDER_TYPE.fields)('$name', ({ name }) => {
    for (const value of ['other', 0.5, null, {}, undefined]) {
      expect(firstDifference(ORDER_TYPE, message, { ...echo, [name]: value })?.field).toBe(name)
    }
  })

  test('inherited names are no fields', () => {
    const { account: _account, ...rest } = echo
    expect(
      firstDifference(ORDER_TYPE, message, Object.assign(Object.create({ account: 'acct_test' }), rest))?.field,
    ).toBe('account')
  })
})
