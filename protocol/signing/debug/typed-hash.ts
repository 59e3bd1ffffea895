import { keccak_256, sha3_256 } from '@noble/hashes/sha3'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils'
import {
  DOMAIN_FIELDS,
  encodedType,
  type FieldType,
  type FieldValue,
  type Hex,
  type KeccakOfText,
  type MessageType,
  type TypedMessage,
  typedDomain,
} from '../typed-data.ts'

/** Every step of a digest (EIP-712), in lower-case hex. */
export type TypedSteps = {
  readonly type_hash: Hex
  /** Word of each field, in the order of the type. */
  readonly words: readonly Hex[]
  readonly struct_hash: Hex
  readonly domain_separator: Hex
  readonly digest: Hex
}

/** Hash of bytes, in lower-case hex with 0x. */
type HashOfBytes = (bytes: Uint8Array) => Hex

/** A domain with the type that it is hashed as. */
export type DomainToHash = { readonly fields: MessageType['fields']; readonly values: TypedMessage }

/** Hashes of recent texts: guesses about one message share nearly all of theirs. */
const remembered = new Map<string, Hex>()
const REMEMBERED_MAX = 500

/** Keccak-256 of a text. */
export const keccakText: KeccakOfText = (text) => {
  const known = remembered.get(text)
  if (known !== undefined) return known
  const hash = hashOf(utf8ToBytes(text))
  if (remembered.size >= REMEMBERED_MAX) remembered.clear()
  remembered.set(text, hash)
  return hash
}

/** Returns the domain that a message must be signed in. */
export function rightDomain(name: string, environment: string): DomainToHash {
  return { fields: DOMAIN_FIELDS, values: { ...typedDomain(name, environment, keccakText) } }
}

/** Hashes a message step by step, slowly and in the open: EIP-712, "Definition of hashStruct". */
export function typedSteps(
  type: MessageType,
  message: TypedMessage,
  domain: DomainToHash,
  hash: HashOfBytes = hashOf,
): TypedSteps {
  const struct = structSteps(type, message, hash)
  const separator = structSteps({ name: 'EIP712Domain', fields: domain.fields }, domain.values, hash).hash
  const { type_hash, words, hash: struct_hash } = struct
  return { type_hash, words, struct_hash, domain_separator: separator, digest: digestOf(separator, struct_hash, hash) }
}

/** Hashes a domain. */
export function domainSeparator({ fields, values }: DomainToHash): Hex {
  return structSteps({ name: 'EIP712Domain', fields }, values, hashOf).hash
}

/** Hashes a message without its domain. */
export function structHash(type: MessageType, message: TypedMessage): Hex {
  return structSteps(type, message, hashOf).hash
}

/** Returns what is signed: Keccak-256 of 0x1901, the domain and the message. */
export function digestOf(domain_separator: Hex, struct_hash: Hex, hash: HashOfBytes = hashOf): Hex {
  return hash(concatBytes(Uint8Array.of(0x19, 0x01), bytesOf(domain_separator), bytesOf(struct_hash)))
}

function structSteps(type: MessageType, message: TypedMessage, hash: HashOfBytes) {
  const ofText = hash === hashOf ? keccakText : (text: string) => hash(utf8ToBytes(text))
  const type_hash = ofText(encodedType(type))
  const words = type.fields.map((field) => wordOf(field.type, message[field.name]!, ofText))
  return { type_hash, words, hash: hash(concatBytes(...[type_hash, ...words].map(bytesOf))) }
}

/** Returns the 32 bytes that stand for a value. */
function wordOf(type: FieldType, value: FieldValue, ofText: KeccakOfText): Hex {
  if (type === 'string') return ofText(String(value))
  if (type === 'bool') return padded(value === true ? '1' : '0')
  if (type === 'address' || type === 'bytes32') return padded(String(value).slice(2).toLowerCase())
  return padded(BigInt(value).toString(16))
}

function padded(hex: string): Hex {
  return `0x${hex.padStart(64, '0')}`
}

/** Keccak-256 of bytes. */
export function hashOf(bytes: Uint8Array): Hex {
  return `0x${bytesToHex(keccak_256(bytes))}`
}

/** SHA3-256 of bytes, which some libraries take for Keccak-256. */
export function sha3Of(bytes: Uint8Array): Hex {
  return `0x${bytesToHex(sha3_256(bytes))}`
}

/** Bytes of hex with 0x. */
export function bytesOf(hex: string): Uint8Array {
  return hexToBytes(hex.slice(2))
}
