import fc from 'fast-check'
import { hashDomain, hashStruct, hashTypedData, keccak256, stringToHex } from 'viem'
import { expect, test } from 'vitest'
import { ORDER_TYPE, orderMessage } from '../../../protocol/order/order-terms.ts'
import { AUTHORIZATION_TYPE, DOMAIN_FIELDS, typedDomain } from '../../../protocol/signing/typed-data.ts'
import { createKeccak256, hexOf, keccakOfText, rememberTexts } from '../../../trading/auth/keccak.ts'
import { createTypedHasher } from '../../../trading/auth/typed-hasher.ts'
import { VECTOR, VECTOR_ORDER } from '../../support/trading/signing-world.ts'
import { arbitraryMessage } from './support/arbitrary-messages.ts'

const keccak = await createKeccak256()
const viemKeccak = (text: string) => keccak256(stringToHex(text))

test('the decided vector: salt, type hash and digest', () => {
  const hasher = createTypedHasher<ReturnType<typeof orderMessage>>(ORDER_TYPE, VECTOR.environment, keccak)
  expect(typedDomain('SvcOrder', 'sandbox', keccakOfText(keccak)).salt).toBe(VECTOR.salt)
  expect(hasher.type_hash).toBe('0x84daab184e948920e9472acfd3a433383b386411feb5bc4ec254135e94ed9421')
  expect(hexOf(hasher.digest(orderMessage(VECTOR_ORDER, keccakOfText(keccak))))).toBe(VECTOR.digest)
})

test('the decided type hash of an authorization', () => {
  const { type_hash } = createTypedHasher(AUTHORIZATION_TYPE, 'sandbox', keccak)
  expect(type_hash).toBe('0x7e33632a36ef3af6c80d8d1fb3bb8adb5cea49cf32a071829c0dca80e1bae49c')
})

test.each([ORDER_TYPE, AUTHORIZATION_TYPE])('any $name is hashed as viem hashes it', (type) => {
  const hashers = new Map(
    ['sandbox', 'production', 'ümlaut ☂'].map((environment) => [
      environment,
      createTypedHasher(type, environment, keccak),
    ]),
  )
  const cases = fc.tuple(arbitraryMessage(type), fc.constantFrom(...hashers.keys()))
  fc.assert(
    fc.property(cases, ([message, environment]) => {
      const hasher = hashers.get(environment)!
      const domain = typedDomain(type.name, environment, viemKeccak)
      const types = { [type.name]: type.fields }
      expect(hasher.domain_separator).toBe(hashDomain({ domain, types: { EIP712Domain: [...DOMAIN_FIELDS] } }))
      expect(hexOf(hasher.structHash(message))).toBe(hashStruct({ data: message, types, primaryType: type.name }))
      expect(hexOf(hasher.digest(message))).toBe(hashTypedData({ domain, types, primaryType: type.name, message }))
    }),
    { numRuns: 400 },
  )
})

test('no word of a message stays for the next one', () => {
  const hasher = createTypedHasher<ReturnType<typeof orderMessage>>(ORDER_TYPE, 'sandbox', keccak)
  const small = orderMessage(VECTOR_ORDER, keccakOfText(keccak))
  const large = { ...small, nonce: 2n ** 256n - 1n, limit_price_integer: 2n ** 128n - 1n, post_only: true }
  const before = hexOf(hasher.digest(small))
  hasher.digest(large)
  expect(hexOf(hasher.digest(small))).toBe(before)
})

test('texts that are remembered, forgotten and too long to remember are hashed alike', () => {
  let hashed = 0
  const ofText = rememberTexts((bytes) => {
    hashed += 1
    return keccak(bytes)
  })
  const texts = Array.from({ length: 10_000 }, (_, n) => `text ${n} ☂${n % 100 === 0 ? 'x'.repeat(80) : ''}`)
  for (const text of [...texts, ...texts]) expect(hexOf(ofText(text))).toBe(viemKeccak(text))
  expect(ofText('mkt_1')).toBe(ofText('mkt_1'))
  const before = hashed
  ofText('mkt_1')
  expect(hashed).toBe(before)
})
