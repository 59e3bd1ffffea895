import secp256k1 from 'secp256k1'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { signAuthorization } from '../../../../client/signing/sign-authorization.ts'
import { signOrder } from '../../../../client/signing/sign-order.ts'
import { ORDER_TYPE, type OrderToSign, orderMessage } from '../../../../protocol/order/order-terms.ts'
import type { Cause } from '../../../../protocol/signing/debug/causes.ts'
import { type Recover, recoverAddress } from '../../../../protocol/signing/debug/eoa-form.ts'
import { explainTyped } from '../../../../protocol/signing/debug/explain-typed.ts'
import {
  bytesOf,
  hashOf,
  keccakText,
  rightDomain,
  sha3Of,
  typedSteps,
} from '../../../../protocol/signing/debug/typed-hash.ts'
import { DOMAIN_FIELDS, typedDomain } from '../../../../protocol/signing/typed-data.ts'
import { seededRandom } from '../../../support/random.ts'
import { SEED } from '../../../support/seed.ts'
import { signatureCase } from '../../../support/trading/signature-cases.ts'
import { highTwin, VECTOR, VECTOR_ORDER } from '../../../support/trading/signing-world.ts'

const KEY = Buffer.from('01'.repeat(32), 'hex')
const FACTS = { environment: 'sandbox' }
const OWNER = privateKeyToAccount(VECTOR.private_key)

/** Recovery by the native library: thousands of guesses cost little. */
const recover: Recover = (digest, signature) => {
  try {
    const bytes = bytesOf(signature)
    const point = secp256k1.ecdsaRecover(bytes.subarray(0, 64), bytes[64]! - 27, bytesOf(digest), false)
    return `0x${hashOf(point.subarray(1)).slice(-40)}`
  } catch {
    return null
  }
}

function signDigest(digest: string): string {
  const { signature, recid } = secp256k1.ecdsaSign(bytesOf(digest), KEY)
  return `0x${Buffer.from(signature).toString('hex')}${recid === 0 ? '1b' : '1c'}`
}

const order = (body: object) =>
  ({ kind: 'order', name: 'order', body: body as Readonly<Record<string, unknown>> }) as const
const right = rightDomain('SvcOrder', 'sandbox')
const messageOf = (body: OrderToSign) => orderMessage(body, keccakText)
const digestOf = (body: OrderToSign, domain = right) => typedSteps(ORDER_TYPE, messageOf(body), domain).digest
const withDomain = (body: OrderToSign, fields: readonly object[], values: object) =>
  digestOf(body, { fields: fields as never, values: { ...right.values, ...values } })

/** Orders with the trailing zeros and flags that mistakes need. */
function randomOrder(random: () => number): OrderToSign {
  const cents = () => `${Math.floor(random() * 90) + 10}.${Math.floor(random() * 9)}0`
  const { order: given } = signatureCase(random)
  const decimals = { limit_price: '0.50', quantity: cents(), maximum_fee: '0.10', maximum_notional: cents() }
  return { ...given, ...decimals, signer: OWNER.address.toLowerCase(), expires_at: '2026-12-31T23:59:59Z' }
}

const CHAIN = { name: 'chainId', type: 'uint256' }
const CONTRACT = { name: 'verifyingContract', type: 'address' }
const [NAME, VERSION, SALT] = DOMAIN_FIELDS
const NOBODY = `0x${'0'.repeat(40)}`

/** One mistake each, as the digest that a program signs by it. */
const MISTAKES: readonly (readonly [Cause, (body: OrderToSign) => string])[] = [
  ['environment_differs', (body) => digestOf(body, rightDomain('SvcOrder', 'production'))],
  ['domain_with_chain_id', (body) => withDomain(body, [NAME, VERSION, CHAIN], { chainId: 137 })],
  [
    'domain_with_chain_id',
    (body) => withDomain(body, [NAME, VERSION, CHAIN, CONTRACT, SALT], { chainId: 1, verifyingContract: NOBODY }),
  ],
  ['domain_with_contract', (body) => withDomain(body, [NAME, VERSION, CONTRACT, SALT], { verifyingContract: NOBODY })],
  ['domain_without_salt', (body) => withDomain(body, [NAME, VERSION], {})],
  ['domain_salt_otherwise', (body) => withDomain(body, DOMAIN_FIELDS, { salt: keccakText('sandbox') })],
  ['domain_named_otherwise', (body) => withDomain(body, DOMAIN_FIELDS, { version: '1.0' })],
  ['decimal_rescaled', (body) => digestOf({ ...body, quantity: body.quantity.slice(0, -1) })],
  ['decimal_rescaled', (body) => digestOf({ ...body, limit_price: '0.500000' })],
  ['expiry_differs', (body) => digestWith(body, { expiry: messageOf(body).expiry * 1000n })],
  ['flag_differs', (body) => digestOf({ ...body, cancel_on_pause: !body.cancel_on_pause })],
  ['default_differs', (body) => digestOf({ ...body, side: body.side === 'BUY' ? 'SELL' : 'BUY' })],
  ['text_case', (body) => digestOf({ ...body, side: body.side.toLowerCase() })],
  ['client_order_id_hash', (body) => digestWith(body, { client_order_id_hash: `0x${'0'.repeat(64)}` })],
  ['version_written_otherwise', (body) => digestOf({ ...body, signature_version: 'v1' })],
  [
    'signed_as_text',
    (body) => hashOf(Buffer.concat([Buffer.from('\x19Ethereum Signed Message:\n32'), bytesOf(digestOf(body))])),
  ],
  ['struct_hash_signed', (body) => typedSteps(ORDER_TYPE, messageOf(body), right).struct_hash],
  ['hashed_by_sha3', (body) => sha3Digest(body)],
  ['integers_declared_otherwise', (body) => typedSteps(widened(), messageOf(body), right).digest],
]

/** Digest of a program that has SHA3-256 in every place of Keccak-256. */
function sha3Digest(body: OrderToSign): string {
  const ofText = (text: string) => sha3Of(Buffer.from(text))
  const domain = { fields: DOMAIN_FIELDS, values: { ...typedDomain('SvcOrder', 'sandbox', ofText) } }
  return typedSteps(ORDER_TYPE, orderMessage(body, ofText), domain, sha3Of).digest
}

function digestWith(body: OrderToSign, change: object): string {
  return typedSteps(ORDER_TYPE, { ...messageOf(body), ...change }, right).digest
}

function widened() {
  const fields = ORDER_TYPE.fields.map((field) =>
    field.type.startsWith('uint') ? { ...field, type: 'uint256' as const } : field,
  )
  return { name: 'SvcOrder', fields }
}

describe('a random correct order', () => {
  const random = seededRandom(SEED)
  const orders = Array.from({ length: 2 }, () => randomOrder(random))

  test('is valid, and its signer is recovered', () => {
    for (const body of orders) {
      const order_signature = signDigest(digestOf(body))
      const { verdict, code, findings, facts } = explainTyped(order({ ...body, order_signature }), FACTS, recover)
      expect({ verdict, code, findings }).toEqual({ verdict: 'valid', code: null, findings: [] })
      expect(facts.recovered_signer).toBe(body.signer)
    }
  })

  test.each(MISTAKES)('%s is proved from the signature alone', (cause, digest) => {
    for (const body of orders) {
      const order_signature = signDigest(digest(body))
      const { verdict, code, findings } = explainTyped(order({ ...body, order_signature }), FACTS, recover)
      expect({ verdict, code, found: findings.map((one) => `${one.cause} ${one.certainty}`) }).toEqual({
        verdict: 'refused',
        code: 'SIGNATURE_ORDER_MISMATCH',
        found: [`${cause} proved`],
      })
    }
  })

  test.each(ORDER_TYPE.fields)(
    'with signed_message a difference in $name is proved, with both values',
    ({ name, type }) => {
      const body = orders[0]!
      const plain = Object.fromEntries(
        Object.entries(messageOf(body)).map(([key, value]) => [key, typeof value === 'bigint' ? `${value}` : value]),
      )
      const hex = `0x${'7'.repeat(type === 'bytes32' ? 64 : 40)}`
      const others = { bool: !plain[name], string: 'other', address: hex, bytes32: hex }
      const other = type in others ? others[type as 'bool'] : '77'
      const signed_message = { ...plain, [name]: other }
      const order_signature = signDigest(typedSteps(ORDER_TYPE, signed_message as never, right).digest)
      const sent = order({ ...body, order_signature, signed_message })
      const { findings, lines } = explainTyped(sent, FACTS, recover)
      expect(findings).toMatchObject([{ cause: 'field_differs', certainty: 'proved' }])
      expect(findings[0]!.message).toContain(`${name}: expected ${plain[name]}, signed ${other}`)
      expect(lines.filter(({ departs }) => departs !== null).map((one) => one.name)).toEqual([name])
    },
  )

  test('a signed_message that was not signed either proves nothing: its differences are only told', () => {
    const body = orders[0]!
    const order_signature = signDigest(digestOf({ ...body, client_order_id: 'unguessable' }))
    const sent = order({ ...body, order_signature, signed_message: { market: 'x' } })
    const { findings } = explainTyped(sent, FACTS, recover)
    expect(findings).toHaveLength(ORDER_TYPE.fields.length)
    expect(new Set(findings.map((one) => `${one.cause} ${one.certainty}`))).toEqual(new Set(['field_differs seen']))
    const whole = Object.fromEntries(
      Object.entries(messageOf(body)).map(([key, value]) => [key, typeof value === 'bigint' ? `${value}` : value]),
    )
    const claimed = order({ ...body, order_signature, signed_message: { ...whole, market: 'x' } })
    expect(explainTyped(claimed, FACTS, recover).findings).toMatchObject([
      { cause: 'field_differs', certainty: 'seen' },
    ])
  })
})

describe('the form of a signature', () => {
  const signature = VECTOR.signature
  const compact = `0x${signature.slice(2, 66)}${(BigInt(`0x${signature.slice(66, 130)}`) | (signature.endsWith('1c') ? 1n << 255n : 0n)).toString(16).padStart(64, '0')}`
  test.each<[Cause, string, 'proved' | 'seen']>([
    ['signature_v', `${signature.slice(0, 130)}${signature.endsWith('1b') ? '00' : '01'}`, 'proved'],
    ['signature_upper_s', highTwin(signature), 'proved'],
    ['signature_compact', compact, 'proved'],
    ['signature_malformed', signature.slice(2), 'proved'],
    ['signature_malformed', '0x12', 'seen'],
    ['signature_malformed', `0x${'f'.repeat(128)}1b`, 'seen'],
    ['signature_malformed', `${signature.slice(0, 130)}1d`, 'seen'],
  ])('%s', (cause, order_signature, certainty) => {
    const explained = explainTyped(order({ ...VECTOR_ORDER, order_signature }), FACTS, recoverAddress)
    expect(explained).toMatchObject({ verdict: 'refused', code: 'SIGNATURE_INVALID', findings: [{ cause, certainty }] })
  })
})

test('the decided vector, step by step', () => {
  const explained = explainTyped(order({ ...VECTOR_ORDER, order_signature: VECTOR.signature }), FACTS, recoverAddress)
  expect(explained).toMatchObject({
    verdict: 'valid',
    facts: { digest: VECTOR.digest, expected_signer: VECTOR.signer.toLowerCase() },
  })
  const of = (name: string) => explained.lines.find((one) => one.name === name)
  expect(of('quantity_integer')).toMatchObject({
    expected: '10000',
    word: `0x${(10_000).toString(16).padStart(64, '0')}`,
  })
  expect(of('market')).toMatchObject({ expected: 'mkt_test', word: keccakText('mkt_test') })
})

test('another key is told beside the one that is needed; what a contract decides is left to it', () => {
  const body = { ...VECTOR_ORDER, signer: `0x${'2'.repeat(40)}`, order_signature: VECTOR.signature }
  const { findings, code, next, facts } = explainTyped(order(body), FACTS, recover)
  expect(code).toBe('SIGNATURE_ORDER_MISMATCH')
  expect(findings).toMatchObject([{ cause: 'other_key_or_text', certainty: 'possible' }])
  expect(findings[0]!.message).toContain(`not to 0x${'2'.repeat(40)}`)
  expect(facts.recovered_signer).toMatch(/^0x[0-9a-f]{40}$/)
  expect(next).toContain('signed_message')
  const wallet = explainTyped(order({ ...body, signature_type: 'erc1271' }), FACTS, recover)
  expect(wallet).toMatchObject({ verdict: 'undecided', code: null, findings: [] })
})

test('a value that cannot be signed, and another version, are named with the code of the service', () => {
  const of = (change: object) =>
    explainTyped(order({ ...VECTOR_ORDER, order_signature: VECTOR.signature, ...change }), FACTS, recover)
  expect(of({ quantity: '1e2' })).toMatchObject({
    code: 'VALIDATION_DECIMAL_INVALID',
    findings: [{ cause: 'message_malformed' }],
  })
  expect(of({ quantity: 100 })).toMatchObject({ code: 'VALIDATION_DECIMAL_INVALID' })
  expect(of({ signer: '0x1' })).toMatchObject({ code: 'VALIDATION_BODY_INVALID' })
  expect(of({ signature_version: '2' })).toMatchObject({
    code: 'SIGNATURE_TYPE_UNSUPPORTED',
    findings: [{ cause: 'message_version' }],
  })
})

test('an authorization is compared with the request that carries it', async () => {
  const scopes = ['orders:write', 'account:read']
  const wanted = {
    account_id: 'acct_test',
    key_id: 'key_0123456789abcdef',
    scopes,
    issued_at: 1_790_000_000,
    nonce: '5',
  }
  const signed = await signAuthorization(wanted, { kind: 'eoa', account: OWNER }, 'sandbox')
  const of = (change: object, environment = 'sandbox') =>
    explainTyped(
      { kind: 'authorization', name: 'authorization', body: { ...signed, key_id: wanted.key_id, scopes, ...change } },
      { environment },
      recover,
    )
  expect(of({})).toMatchObject({ verdict: 'valid', findings: [] })
  const mismatch = 'SIGNATURE_AUTHORIZATION_MISMATCH'
  expect(of({ scopes: ['orders:write'] })).toMatchObject({ code: mismatch, findings: [{ cause: 'scopes_hash' }] })
  expect(of({ key_id: 'key_other' })).toMatchObject({ code: mismatch, findings: [{ cause: 'request_differs' }] })
  expect(of({}, 'production')).toMatchObject({ code: mismatch, findings: [{ cause: 'request_differs' }] })
  expect(of({ authorization: { ...signed.authorization, nonce: '6' } })).toMatchObject({
    code: mismatch,
    findings: [{ cause: 'other_key_or_text' }],
  })
})

test('every field of a wrong domain is named, and what may help if nothing is found', () => {
  const body = randomOrder(seededRandom(SEED))
  const signed = withDomain(body, [NAME, VERSION, CHAIN, CONTRACT], { chainId: 137, verifyingContract: NOBODY })
  const [found] = explainTyped(order({ ...body, order_signature: signDigest(signed) }), FACTS, recover).findings
  expect(found!.message).toContain('expected: name, version, salt; signed: name, version, chainId, verifyingContract')
  const other = signDigest(withDomain(body, [NAME, VERSION, CHAIN], { chainId: 424_242 }))
  expect(explainTyped(order({ ...body, order_signature: other }), FACTS, recover).next).toMatch(/^compare type_hash/)
})

test('an order without a signature shows what must be signed', () => {
  const body = randomOrder(seededRandom(SEED))
  const { verdict, code, facts, next } = explainTyped(order(body), FACTS, recover)
  expect({ verdict, code }).toEqual({ verdict: 'undecided', code: null })
  expect(facts.digest).toBe(digestOf(body))
  expect(next).toContain('it carries no signature')
})

test('an order that the client signs is explained as valid', async () => {
  const body = await signOrder(VECTOR_ORDER, { kind: 'eoa', account: OWNER }, 'sandbox')
  expect(explainTyped(order(body), FACTS, recoverAddress).verdict).toBe('valid')
})

test('times are compared if the clock of the service is known; without it, they are said to be open', async () => {
  const expiry_s = 1_800_000_000
  const expires_at = new Date(expiry_s * 1000).toISOString().replace('.000', '')
  const terms = { ...VECTOR_ORDER, time_in_force: 'GTD', expires_at } as Parameters<typeof signOrder>[0]
  const body = await signOrder(terms, { kind: 'eoa', account: OWNER }, 'sandbox')
  const at = (seconds: number | null) =>
    explainTyped(order({ ...body }), { ...FACTS, server_time_ms: seconds === null ? null : seconds * 1000 }, recover)
  expect(at(expiry_s - 1)).toMatchObject({ verdict: 'valid', next: null })
  expect(at(expiry_s)).toMatchObject({
    ...{ verdict: 'refused', code: 'SIGNATURE_ORDER_EXPIRED' },
    findings: [{ cause: 'times_not_in_force', certainty: 'seen' }],
  })
  expect(at(null)).toMatchObject({ verdict: 'valid', next: expect.stringMatching('--server-time-ms') })
})

test('a number that JSON rounds is named, and no field is accused for it', () => {
  const body = { ...VECTOR_ORDER, signer: `0x${'2'.repeat(40)}`, order_signature: VECTOR.signature }
  const { findings } = explainTyped(order({ ...body, signed_message: { nonce: 1.2e24 } }), FACTS, recover)
  expect(findings).toMatchObject([{ cause: 'message_malformed', message: expect.stringMatching('as text: nonce') }])
})
