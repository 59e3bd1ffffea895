import {
  DOMAIN_FIELDS,
  encodedType,
  type FieldType,
  type FieldValue,
  type Hex,
  type MessageType,
  type TypedMessage,
  typedDomain,
} from '../../protocol/signing/typed-data.ts'
import { hexOf, type Keccak256, keccakOfText, rememberTexts } from './keccak.ts'

/** Hashes messages of one type in one domain (EIP-712). */
export type TypedHasher<M> = {
  readonly type_hash: Hex
  readonly domain_separator: Hex
  structHash(message: M): Uint8Array
  /** Returns the signed digest: Keccak-256 of 0x1901, the domain separator and the struct hash. */
  digest(message: M): Uint8Array
}

const WORD = 32

/**
 * Creates a hasher that computes type hash and domain separator once. It is built from the table that clients sign with and
 * equals viem's hashTypedData on every message (test/trading/auth/typed-hasher.test.ts). A message costs two hashes, plus one
 * per uncached string.
 */
export function createTypedHasher<M>(type: MessageType, environment: string, keccak: Keccak256): TypedHasher<M> {
  const ofText = keccakOfText(keccak)
  const domain_type: MessageType = { name: 'EIP712Domain', fields: DOMAIN_FIELDS }
  const domain_separator = structHasher(domain_type, keccak)(typedDomain(type.name, environment, ofText))
  const structHash = structHasher(type, keccak) as (message: M) => Uint8Array
  const signed = Buffer.concat([Buffer.from('1901', 'hex'), domain_separator, Buffer.alloc(WORD)])
  return {
    type_hash: ofText(encodedType(type)),
    domain_separator: hexOf(domain_separator),
    structHash,
    digest: (message) => {
      signed.set(structHash(message), 2 + WORD)
      return keccak(signed)
    },
  }
}

/** Hashes the type hash followed by one word per field; one buffer is reused for all messages. */
function structHasher(type: MessageType, keccak: Keccak256): (message: TypedMessage) => Uint8Array {
  const words = Buffer.alloc(WORD * (type.fields.length + 1))
  const ofText = rememberTexts(keccak)
  words.set(keccak(Buffer.from(encodedType(type), 'utf8')))
  const writers = type.fields.map((field, n) => {
    const at = WORD * (n + 1)
    const write = WRITERS[field.type]
    return (message: TypedMessage) => write(words, at, message[field.name]!, ofText)
  })
  return (message) => {
    for (const write of writers) write(message)
    return keccak(words)
  }
}

type Writer = (words: Buffer, at: number, value: FieldValue, ofText: (text: string) => Uint8Array) => void

/** Writers by field type. Unused bytes stay 0; used ones are written every time, so nothing of the previous message remains. */
const WRITERS: Record<FieldType, Writer> = {
  string: (words, at, value, ofText) => words.set(ofText(value as string), at),
  address: (words, at, value) => {
    words.write((value as string).slice(2), at + 12, 'hex')
  },
  bytes32: (words, at, value) => {
    words.write((value as string).slice(2), at, 'hex')
  },
  bool: (words, at, value) => {
    words[at + WORD - 1] = value === true ? 1 : 0
  },
  uint8: writeInteger,
  uint64: writeInteger,
  uint128: writeInteger,
  uint256: writeInteger,
}

/** Writes a big-endian integer; the builder of the message has checked 0 <= value < 2^256. */
function writeInteger(words: Buffer, at: number, value: FieldValue): void {
  if ((value as number | bigint) <= Number.MAX_SAFE_INTEGER) {
    const small = Number(value)
    words.fill(0, at, at + WORD - 8)
    words.writeUInt32BE(Math.floor(small / 2 ** 32), at + WORD - 8)
    words.writeUInt32BE(small % 2 ** 32, at + WORD - 4)
  } else words.write(value.toString(16).padStart(2 * WORD, '0'), at, 'hex')
}
