import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils'
import { SELF_TRADE_MODES, SIDES, TIMES_IN_FORCE } from '../../../vocabulary/order.ts'
import {
  DOMAIN_FIELDS,
  type FieldType,
  type FieldValue,
  type Hex,
  type MessageType,
  type TypedMessage,
  typedDomain,
} from '../typed-data.ts'
import type { Cause } from './causes.ts'
import { ENVIRONMENTS } from './request-guesses.ts'
import {
  bytesOf,
  type DomainToHash,
  digestOf,
  domainSeparator,
  hashOf,
  keccakText,
  rightDomain,
  sha3Of,
  structHash,
  typedSteps,
} from './typed-hash.ts'

/** Digest that a usual mistake makes of a message. */
export type DigestGuess = { readonly cause: Cause; readonly detail: string; readonly digest: Hex }

/** Returns the digests of usual mistakes, the likeliest first; made one by one, as they are asked for. */
export function* digestGuesses(
  type: MessageType,
  message: TypedMessage,
  environment: string,
  texts: Readonly<Record<string, unknown>>,
): Generator<DigestGuess> {
  const right = rightDomain(type.name, environment)
  const [struct, separator] = [structHash(type, message), domainSeparator(right)]
  for (const [cause, detail, domain] of domainGuesses(type.name, environment))
    yield { cause, detail, digest: digestOf(domainSeparator(domain), struct) }
  for (const [cause, change] of fieldGuesses(type, message, texts)) {
    const detail = Object.entries(change)
      .map(([name, value]) => `${name}: expected ${message[name]}, signed ${value}`)
      .join('; ')
    yield { cause, detail, digest: digestOf(separator, structHash(type, { ...message, ...change })) }
  }
  yield* formGuesses(type, message, right)
  const id = texts.client_order_id
  const hashed = typeof id === 'string' ? { ...message, client_order_id_hash: sha3OfText(id) } : message
  const domain = { fields: DOMAIN_FIELDS, values: { ...typedDomain(type.name, environment, sha3OfText) } }
  yield { cause: 'hashed_by_sha3', detail: 'every hash', digest: typedSteps(type, hashed, domain, sha3Of).digest }
}

const sha3OfText = (text: string) => sha3Of(utf8ToBytes(text))

type Change = Readonly<Record<string, FieldValue>>

function* domainGuesses(name: string, environment: string): Generator<readonly [Cause, string, DomainToHash]> {
  const right = rightDomain(name, environment)
  for (const other of ENVIRONMENTS.filter((one) => one !== environment))
    yield [
      'environment_differs',
      `expected ${environment}, signed ${other || 'an empty one'}`,
      rightDomain(name, other),
    ]
  for (const chain_id of CHAIN_IDS) {
    for (const [more, extra] of [
      [[], {}],
      [[CONTRACT_FIELD], { verifyingContract: NO_CONTRACT }],
    ] as const) {
      const [first, version, salt] = right.fields
      const fields = [first!, version!, CHAIN_FIELD, ...more]
      const values = { ...right.values, chainId: chain_id, ...extra }
      for (const all of [fields, [...fields, salt!]])
        yield ['domain_with_chain_id', domainText(all, chain_id), { fields: all, values }]
    }
  }
  const [named, version, salt] = DOMAIN_FIELDS
  yield [
    'domain_with_contract',
    NO_CONTRACT,
    { fields: [named, version, CONTRACT_FIELD, salt], values: { ...right.values, verifyingContract: NO_CONTRACT } },
  ]
  yield ['domain_without_salt', 'name and version alone', { fields: [named, version], values: right.values }]
  for (const other of [
    keccakText(environment),
    hexText(`svc:${environment}`),
    hexText(environment),
    `0x${bytesToHex(sha256(utf8ToBytes(`svc:${environment}`)))}`,
  ])
    yield ['domain_salt_otherwise', other, { fields: right.fields, values: { ...right.values, salt: other } }]
  for (const other of ['1.0', 'v1', '2'])
    yield [
      'domain_named_otherwise',
      `version ${other}`,
      { fields: right.fields, values: { ...right.values, version: other } },
    ]
  for (const other of ['Svc', 'Tidemark', 'tidemark', 'svc', ''])
    yield [
      'domain_named_otherwise',
      `name ${JSON.stringify(other)}`,
      { fields: right.fields, values: { ...right.values, name: other } },
    ]
}

/** Names every field of a signed domain: more than the chain id may have to change. */
function domainText(fields: readonly { readonly name: string }[], chain_id: number): string {
  const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name).join(', ')
  return `chainId ${chain_id}; fields expected: ${names(DOMAIN_FIELDS)}; signed: ${names(fields)}`
}

const CHAIN_IDS = [1, 137, 31_337, 1337, 8453, 10, 42_161, 11_155_111, 80_002, 84_532, 0]
const NO_CONTRACT = `0x${'0'.repeat(40)}`
const CHAIN_FIELD = { name: 'chainId', type: 'uint256' } as const
const CONTRACT_FIELD = { name: 'verifyingContract', type: 'address' } as const

function hexText(text: string): string {
  return `0x${bytesToHex(utf8ToBytes(text)).padEnd(64, '0')}`
}

function* fieldGuesses(
  type: MessageType,
  message: TypedMessage,
  texts: Readonly<Record<string, unknown>>,
): Generator<readonly [Cause, Change]> {
  yield* decimalGuesses(type, message)
  for (const { name, type: kind } of type.fields) {
    const value = message[name]!
    if (name === 'expiry' || name === 'issued_at') yield* timeGuesses(name, BigInt(value))
    if (kind === 'bool') yield ['flag_differs', { [name]: value !== true }]
    const others = CHOICES[name] ?? []
    for (const other of others) if (other !== value) yield ['default_differs', { [name]: other }]
    if (kind === 'string' && String(value).toLowerCase() !== value)
      yield ['text_case', { [name]: String(value).toLowerCase() }]
  }
  for (const name of ['signature_version', 'authorization_version'])
    if (name in message)
      for (const other of ['v1', '1.0', '2', '']) yield ['version_written_otherwise', { [name]: other }]
  if (typeof texts.client_order_id === 'string')
    for (const other of hashesOf(texts.client_order_id)) yield ['client_order_id_hash', { client_order_id_hash: other }]
}

/** Choices that a client may have signed in place of those sent. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  side: SIDES,
  time_in_force: TIMES_IN_FORCE,
  self_trade_prevention: SELF_TRADE_MODES,
}

function hashesOf(id: string): readonly string[] {
  return [
    `0x${'0'.repeat(64)}`,
    `0x${bytesToHex(sha256(utf8ToBytes(id)))}`,
    hexText(id),
    keccakText(keccakText(id)),
    keccakText(''),
  ]
}

function* timeGuesses(name: string, seconds: bigint): Generator<readonly [Cause, Change]> {
  if (seconds === 0n) return
  for (const other of [seconds * 1000n, seconds * 1_000_000n, 0n]) yield ['expiry_differs', { [name]: other }]
}

const SCALES = [0, 1, 2, 3, 4, 6, 8, 9, 18]

/** Returns each decimal, then all of them, without trailing zeros and at usual scales. */
function* decimalGuesses(type: MessageType, message: TypedMessage): Generator<readonly [Cause, Change]> {
  const names = type.fields.flatMap(({ name }) => (name.endsWith('_scale') ? [name.slice(0, -'_scale'.length)] : []))
  for (const scale of [null, ...SCALES]) {
    const changes = names.map((name) => rescaled(message, name, scale))
    for (const change of changes) if (change !== null) yield ['decimal_rescaled', change]
    const all = changes.filter((change) => change !== null)
    if (all.length > 1) yield ['decimal_rescaled', Object.assign({}, ...all)]
  }
}

/** Writes a decimal of a message at another scale; null: it has that one, or needs more digits. @param scale null: the least */
function rescaled(message: TypedMessage, name: string, scale: number | null): Change | null {
  let [integer, now] = [BigInt(message[`${name}_integer`]!), Number(message[`${name}_scale`])]
  const given = now
  const until = scale ?? 0
  while (now > until && integer % 10n === 0n) [integer, now] = [integer / 10n, now - 1]
  if (scale !== null && now > scale) return null
  if (scale !== null) [integer, now] = [integer * 10n ** BigInt(scale - now), scale]
  return now === given || integer >= 1n << 128n ? null : { [`${name}_integer`]: integer, [`${name}_scale`]: now }
}

/** Returns the digests of a right message that is hashed or signed otherwise. */
function* formGuesses(type: MessageType, message: TypedMessage, domain: DomainToHash): Generator<DigestGuess> {
  const { digest, struct_hash, domain_separator } = typedSteps(type, message, domain)
  const as_text = (bytes: Uint8Array) =>
    hashOf(concatBytes(utf8ToBytes(`\u0019Ethereum Signed Message:\n${bytes.length}`), bytes))
  yield { cause: 'signed_as_text', detail: 'the 32 bytes of the digest', digest: as_text(bytesOf(digest)) }
  yield { cause: 'signed_as_text', detail: 'the digest in hex', digest: as_text(utf8ToBytes(digest)) }
  yield { cause: 'struct_hash_signed', detail: struct_hash, digest: struct_hash }
  const joined = concatBytes(bytesOf(domain_separator), bytesOf(struct_hash))
  yield { cause: 'struct_hash_signed', detail: 'without 0x1901', digest: hashOf(joined) }
  for (const [only, other] of [
    [/^uint/, 'uint256'],
    [/^uint8$/, 'uint256'],
    [/^uint/, 'uint128'],
  ] as const) {
    const fields = type.fields.map((field) => (only.test(field.type) ? { ...field, type: other as FieldType } : field))
    yield {
      cause: 'integers_declared_otherwise',
      detail: other,
      digest: typedSteps({ ...type, fields }, message, domain).digest,
    }
  }
}
