/** Typed messages (EIP-712): one table each, which hashing, signing, checks and documentation read. */

export type Hex = `0x${string}`

/** Types that occur in our messages. */
export type FieldType = 'string' | 'address' | 'bool' | 'bytes32' | 'uint8' | 'uint64' | 'uint128' | 'uint256'
export type TypedField = { readonly name: string; readonly type: FieldType }

/** Values of a message by field: what viem takes. Integers above 48 bits are bigint. */
export type FieldValue = string | boolean | number | bigint
export type TypedMessage = Readonly<Record<string, FieldValue>>

export const AUTHORIZATION_TYPE = {
  name: 'SvcApiAuthorization',
  fields: [
    { name: 'owner', type: 'address' },
    { name: 'signer', type: 'address' },
    { name: 'account', type: 'string' },
    { name: 'api_key_id', type: 'string' },
    { name: 'scopes_hash', type: 'bytes32' },
    { name: 'environment', type: 'string' },
    { name: 'issued_at', type: 'uint64' },
    { name: 'expiry', type: 'uint64' },
    { name: 'nonce', type: 'uint256' },
    { name: 'authorization_version', type: 'string' },
  ],
} as const

export type MessageType = { readonly name: string; readonly fields: readonly TypedField[] }

/** No chainId and no verifyingContract until there are approved ones: they are left out of the type, never signed as zero. */
export const DOMAIN_FIELDS = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'salt', type: 'bytes32' },
] as const

/** Version of both messages: `signature_version` and `authorization_version`. */
export const MESSAGE_VERSION = '1'
const DOMAIN_VERSION = '1'

export type TypedDomain = { readonly name: string; readonly version: string; readonly salt: Hex }

/** Keccak-256 of a text in UTF-8, as 0x and lower-case hex. */
export type KeccakOfText = (text: string) => Hex

/** The domain that a message is signed in: what is signed for one environment says nothing in another. */
export function typedDomain(message_name: string, environment: string, keccak: KeccakOfText): TypedDomain {
  return { name: message_name, version: DOMAIN_VERSION, salt: keccak(`svc:${environment}`) }
}

/** The type string whose Keccak-256 is the type hash, such as `SvcOrder(string account,address signer,...)`. */
export function encodedType({ name, fields }: MessageType): string {
  return `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`
}
