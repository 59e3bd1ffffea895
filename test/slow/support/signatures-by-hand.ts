import { createHash, createHmac, createPrivateKey, sign } from 'node:crypto'

/**
 * Signatures a third time, written from docs/signing.md and datasets/vectors/README.md with node:crypto alone: Keccak-256 and the
 * recovery of an address are done by hand, so that nothing is shared with the libraries of the other implementations.
 */

type Json = Readonly<Record<string, unknown>>
export class Refused extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

export type HandKey = {
  readonly key_id: string
  readonly environment: string
  readonly secret?: string
  readonly private_key?: string
}
export type HandRequest = {
  readonly method: string
  readonly target: string
  readonly body?: string
  readonly timestamp: string
  readonly nonce: string
}

/** Bytes that are never escaped. */
const PLAIN = new Set(Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'))

/** Decodes the escapes of a text and writes its bytes again. */
function written(text: string): string {
  const bytes: number[] = []
  for (let n = 0; n < text.length; n += 1) {
    const one = String.fromCodePoint(text.codePointAt(n)!)
    if (one !== '%') {
      bytes.push(...Buffer.from(one))
      n += one.length - 1
      continue
    }
    if (!/^[0-9a-f]{2}$/i.test(text.slice(n + 1, n + 3))) throw new Refused('VALIDATION_REQUEST_MALFORMED')
    bytes.push(Number.parseInt(text.slice(n + 1, n + 3), 16))
    n += 2
  }
  if (!Buffer.from(Buffer.from(bytes).toString()).equals(Buffer.from(bytes)))
    throw new Refused('VALIDATION_REQUEST_MALFORMED')
  return bytes
    .map((byte) =>
      PLAIN.has(byte) ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('')
}

/** Returns the nine lines of a request. */
export function handLines(request: HandRequest, key: HandKey): string[] {
  const at = request.target.indexOf('?')
  const path = at < 0 ? request.target : request.target.slice(0, at)
  const pairs = (at < 0 ? '' : request.target.slice(at + 1))
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const [name, ...rest] = pair.split('=')
      return [name!, rest.join('=')].map((part) => written(part.split('+').join(' ')))
    })
  pairs.sort(
    (a, b) =>
      Buffer.compare(Buffer.from(a[0]!), Buffer.from(b[0]!)) || Buffer.compare(Buffer.from(a[1]!), Buffer.from(b[1]!)),
  )
  return [
    'SVC-Access-Signature-Version:v1',
    `method:${request.method.toUpperCase()}`,
    `path:${path.split('/').map(written).join('/')}`,
    `query:${pairs.map((pair) => pair.join('=')).join('&')}`,
    `body_sha256:${createHash('sha256')
      .update(request.body ?? '')
      .digest('hex')}`,
    `timestamp:${request.timestamp}`,
    `nonce:${request.nonce}`,
    `key_id:${key.key_id}`,
    `environment:${key.environment}`,
  ]
}

/** Signs the lines of a request. */
export function handSignature(lines: readonly string[], { secret, private_key }: HandKey): string {
  const text = lines.join('\n')
  if (secret !== undefined) return createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('hex')
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.from(private_key!, 'hex')])
  return sign(null, Buffer.from(text), createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })).toString('hex')
}

/** Answers a request as a service does that knows these keys. */
export function handAuthenticate(given: Json, keys: readonly HandKey[]): Json {
  const { environment, server_time_ms, used_nonces } = given as {
    environment: string
    server_time_ms: number
    used_nonces: string[]
  }
  const sent = given.request as { method: string; target: string; body: string; headers: Record<string, string> }
  const [key_id, timestamp, nonce, signature, version] = [
    'Key',
    'Timestamp',
    'Nonce',
    'Signature',
    'Signature-Version',
  ].map((name) => sent.headers[`SVC-Access-${name}`])
  const forms = [
    [key_id, /./],
    [timestamp, /^[1-9]\d{0,15}$/],
    [nonce, /^[\w-]{8,64}$/],
    [signature, /./],
    [version, /^v1$/],
  ] as const
  for (const [value, form] of forms) {
    if (value === undefined) throw new Refused('AUTH_CREDENTIALS_INVALID')
    if (!form.test(value)) throw new Refused('VALIDATION_REQUEST_MALFORMED')
  }
  const key = keys.find((one) => one.key_id === key_id)
  if (
    key === undefined ||
    handSignature(handLines({ ...sent, timestamp: timestamp!, nonce: nonce! }, key), key) !== signature
  )
    throw new Refused('AUTH_CREDENTIALS_INVALID')
  if (key.environment !== environment) throw new Refused('AUTH_ENVIRONMENT_MISMATCH')
  const late_ms = server_time_ms - Number(timestamp)
  if (late_ms > 30_000 || late_ms < -5_000) throw new Refused('AUTH_TIMESTAMP_OUT_OF_WINDOW')
  if (used_nonces.includes(nonce!)) throw new Refused('REPLAY_REQUEST_NONCE_REUSED')
  return { key_id }
}

const MASK = (1n << 64n) - 1n
const rotate = (value: bigint, by: bigint) => ((value << by) | (value >> (64n - by))) & MASK

/** One of the 24 rounds' constants comes from a shift register of eight bits (FIPS 202, 3.2.5). */
function* roundConstants(): Generator<bigint> {
  let register = 1
  const bit = () => {
    const out = register & 1
    register = (register << 1) ^ ((register >> 7) * 0x171)
    return out
  }
  for (;;) {
    let constant = 0n
    for (let j = 0; j < 7; j += 1) if (bit() === 1) constant |= 1n << BigInt(2 ** j - 1)
    yield constant
  }
}

/** Keccak-256 with the padding of before FIPS 202, as Ethereum uses it. */
export function keccak(bytes: Uint8Array): Buffer {
  const rate = 136
  const padded = Buffer.alloc(Math.ceil((bytes.length + 1) / rate) * rate)
  padded.set(bytes)
  padded[bytes.length]! ^= 1
  padded[padded.length - 1]! ^= 0x80
  let state = Array<bigint>(25).fill(0n)
  for (let block = 0; block < padded.length; block += rate) {
    for (let n = 0; n < rate / 8; n += 1) state[n]! ^= padded.readBigUInt64LE(block + 8 * n)
    const constants = roundConstants()
    for (let round = 0; round < 24; round += 1) state = permuted(state, constants.next().value as bigint)
  }
  const out = Buffer.alloc(32)
  for (let n = 0; n < 4; n += 1) out.writeBigUInt64LE(state[n]!, 8 * n)
  return out
}

function permuted(state: readonly bigint[], constant: bigint): bigint[] {
  const at = (x: number, y: number) => (x % 5) + 5 * (y % 5)
  const columns = [0, 1, 2, 3, 4].map((x) => [0, 1, 2, 3, 4].reduce((sum, y) => sum ^ state[at(x, y)]!, 0n))
  const mixed = state.map((lane, n) => lane ^ columns[((n % 5) + 4) % 5]! ^ rotate(columns[((n % 5) + 1) % 5]!, 1n))
  const moved = [...mixed]
  let [x, y] = [1, 0]
  for (let t = 0; t < 24; t += 1) {
    const by = BigInt((((t + 1) * (t + 2)) / 2) % 64)
    const [next_x, next_y] = [y, (2 * x + 3 * y) % 5]
    moved[at(next_x, next_y)] = rotate(mixed[at(x, y)]!, by)
    ;[x, y] = [next_x, next_y]
  }
  const out = moved.map(
    (lane, n) =>
      lane ^ (~moved[at((n % 5) + 1, Math.floor(n / 5))]! & MASK & moved[at((n % 5) + 2, Math.floor(n / 5))]!),
  )
  out[0]! ^= constant
  return out
}

const P = 2n ** 256n - 2n ** 32n - 977n
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const G: Point = [
  0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
]
type Point = readonly [x: bigint, y: bigint] | null
const mod = (value: bigint, by: bigint) => ((value % by) + by) % by

function power(base: bigint, exponent: bigint, by: bigint): bigint {
  let [out, square] = [1n, mod(base, by)]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) out = (out * square) % by
    square = (square * square) % by
  }
  return out
}

function added(a: Point, b: Point): Point {
  if (a === null || b === null) return a ?? b
  if (a[0] === b[0] && mod(a[1] + b[1], P) === 0n) return null
  const slope =
    a[0] === b[0] ? 3n * a[0] * a[0] * power(2n * a[1], P - 2n, P) : (b[1] - a[1]) * power(b[0] - a[0], P - 2n, P)
  const x = mod(slope * slope - a[0] - b[0], P)
  return [x, mod(slope * (a[0] - x) - a[1], P)]
}

function times(point: Point, factor: bigint): Point {
  let [out, doubled] = [null as Point, point]
  for (let rest = mod(factor, N); rest > 0n; rest >>= 1n) {
    if (rest & 1n) out = added(out, doubled)
    doubled = added(doubled, doubled)
  }
  return out
}

const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
const word = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')

/** Recovers the address of a signature: SEC 1, 4.1.6. */
export function handRecover(digest: Uint8Array, signature: string): string {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) throw new Refused('SIGNATURE_INVALID')
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const [r, s, v] = [numberOf(bytes.subarray(0, 32)), numberOf(bytes.subarray(32, 64)), bytes[64]!]
  if (r === 0n || r >= N || s === 0n || s > N / 2n || (v !== 27 && v !== 28)) throw new Refused('SIGNATURE_INVALID')
  const square = mod(r ** 3n + 7n, P)
  const root = power(square, (P + 1n) / 4n, P)
  if (mod(root * root, P) !== square) throw new Refused('SIGNATURE_INVALID')
  const y = root % 2n === BigInt(v - 27) ? root : P - root
  const inverse = power(r, N - 2n, N)
  const point = added(times([r, y], s * inverse), times(G, -numberOf(digest) * inverse))!
  return addressOf(point)
}

function addressOf(point: Point): string {
  return `0x${keccak(Buffer.concat([word(point![0]), word(point![1])]))
    .subarray(12)
    .toString('hex')}`
}

const TEXT_OF: Readonly<Record<string, string>> = {
  account: 'account_id',
  market: 'market_id',
  outcome: 'outcome_id',
  settlement_asset: 'settlement_asset_id',
}

/** Returns the fields of an order's message by the names of its type. */
function orderFields(order: Json): Json {
  const fields: Record<string, unknown> = {
    ...order,
    nonce: order.order_nonce,
    client_order_id_hash: `0x${keccak(Buffer.from(String(order.client_order_id))).toString('hex')}`,
  }
  for (const [field, name] of Object.entries(TEXT_OF)) fields[field] = order[name]
  for (const name of ['limit_price', 'quantity', 'maximum_fee', 'maximum_notional']) {
    const text = String(order[name])
    const [, whole, fraction = ''] = /^(0|[1-9]\d*)(?:\.(\d{1,18}))?$/.exec(text) ?? []
    if (whole === undefined || BigInt(whole + fraction) >= 2n ** 128n) throw new Refused('VALIDATION_DECIMAL_INVALID')
    fields[`${name}_integer`] = BigInt(whole + fraction)
    fields[`${name}_scale`] = fraction.length
  }
  fields.expiry = secondsOf(order.expires_at as string | null)
  return fields
}

function secondsOf(instant: string | null): number {
  if (instant === null) return 0
  const seconds = Date.parse(instant) / 1000
  if (!(seconds > 0) || !Number.isInteger(seconds)) throw new Refused('VALIDATION_INSTANT_INVALID')
  return seconds
}

const BITS = { uint8: 8n, uint64: 64n, uint128: 128n, uint256: 256n } as const

function encoded(type: string, value: unknown): Buffer {
  if (type === 'string') return keccak(Buffer.from(String(value)))
  if (type === 'bool') return word(value === true ? 1n : 0n)
  if (type === 'address' || type === 'bytes32') {
    const size = type === 'address' ? 40 : 64
    if (!new RegExp(`^0x[0-9a-fA-F]{${size}}$`).test(String(value))) throw new Refused('VALIDATION_BODY_INVALID')
    return word(BigInt(String(value)))
  }
  if (!/^(0|[1-9]\d*)$/.test(String(value))) throw new Refused('VALIDATION_BODY_INVALID')
  if (BigInt(String(value)) >= 1n << BITS[type as 'uint8']) throw new Refused('VALIDATION_BODY_INVALID')
  return word(BigInt(String(value)))
}

function structHash(type_string: string, values: Json): Buffer {
  const members = type_string
    .slice(type_string.indexOf('(') + 1, -1)
    .split(',')
    .map((member) => member.split(' '))
  return keccak(
    Buffer.concat([keccak(Buffer.from(type_string)), ...members.map(([type, name]) => encoded(type!, values[name!]))]),
  )
}

/** Hashes an order or an authorization for an environment. */
export function handDigest(
  type_string: string,
  body: Json,
  environment: string,
): Readonly<Record<'type_hash' | 'domain_separator' | 'struct_hash' | 'digest', string>> {
  const name = type_string.slice(0, type_string.indexOf('('))
  const salt = `0x${keccak(Buffer.from(`svc:${environment}`)).toString('hex')}`
  const domain = structHash('EIP712Domain(string name,string version,bytes32 salt)', { name, version: '1', salt })
  const struct = structHash(type_string, name === 'SvcOrder' ? orderFields(body) : body)
  const hex = (bytes: Buffer) => `0x${bytes.toString('hex')}`
  const digest = keccak(Buffer.concat([Buffer.from('1901', 'hex'), domain, struct]))
  return {
    type_hash: hex(keccak(Buffer.from(type_string))),
    domain_separator: hex(domain),
    struct_hash: hex(struct),
    digest: hex(digest),
  }
}
