import fc from 'fast-check'
import type { MessageType, TypedField } from '../../../../protocol/signing/typed-data.ts'

const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => `0x${Buffer.from(value).toString('hex')}`)

/** Integers of a type with its ends often among them. */
function integers(bits: number): fc.Arbitrary<bigint> {
  const max = 2n ** BigInt(bits) - 1n
  const ends = [0n, 1n, max, BigInt(Number.MAX_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER) + 1n, 2n ** 32n]
  return fc.oneof(fc.constantFrom(...ends.map((end) => (end > max ? max : end))), fc.bigInt({ min: 0n, max }))
}

const VALUES: Record<TypedField['type'], fc.Arbitrary<string | boolean | number | bigint>> = {
  string: fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 80 }),
    fc.string({ maxLength: 300 }),
    fc.constantFrom('', 'BUY', 'Zürich ☂ 😀', '\u0000', 'e\u0301', '\u00e9'),
  ),
  address: hexOf(20),
  bytes32: hexOf(32),
  bool: fc.boolean(),
  uint8: fc.integer({ min: 0, max: 255 }),
  uint64: integers(64),
  uint128: integers(128),
  uint256: integers(256),
}

/** Messages of a type: any value that each field's type has. */
export function arbitraryMessage(type: MessageType): fc.Arbitrary<Record<string, string | boolean | number | bigint>> {
  return fc.record(Object.fromEntries(type.fields.map(({ name, type: of }) => [name, VALUES[of]])))
}
