import { encodePacked, hashDomain, hashStruct, keccak256, stringToHex } from 'viem'
import {
  DOMAIN_FIELDS,
  encodedType,
  type Hex,
  type KeccakOfText,
  type MessageType,
  type TypedMessage,
  typedDomain,
} from '../../protocol/signing/typed-data.ts'
import { SIGNATURE_TYPES } from '../../vocabulary/order.ts'
import { checkedChoice, checkedObject, checkedText, refusedArgument } from '../given.ts'

/** Typed data of EIP-712, as accounts sign it. */
export type TypedData = {
  readonly domain: Readonly<Record<string, unknown>>
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

/** Account that signs typed data; the accounts of viem are such. */
export type TypedDataAccount = {
  readonly address: string
  // Method syntax: an account whose parameter is narrower, as viem's, is one too.
  signTypedData(data: TypedData): Promise<string>
}

/** Signer of messages: an account, or a smart account through the key of one of its owners. */
export type MessageSigner =
  | { readonly kind: 'eoa'; readonly account: TypedDataAccount }
  | { readonly kind: 'erc1271'; readonly account: TypedDataAccount; readonly wallet: Hex }
  | {
      readonly kind: 'erc1271_erc7739'
      readonly account: TypedDataAccount
      readonly wallet: Hex
      readonly wallet_domain: WalletDomain
    }

/** EIP-712 domain of the smart account, from its eip712Domain(). */
type WalletDomain = {
  readonly name: string
  readonly version: string
  readonly chain_id: number
  readonly salt?: Hex
}

export const keccakText: KeccakOfText = (text) => keccak256(stringToHex(text))

/** Returns a signer that can sign. @throws {TidemarkError} VALIDATION_USAGE_INVALID */
export function checkedSigner(signer: MessageSigner): MessageSigner {
  const { kind, account } = checkedObject(signer, 'signer')
  checkedChoice(kind, 'signer.kind', SIGNATURE_TYPES)
  checkedText(checkedObject(account, 'signer.account').address, 'signer.account.address')
  if (typeof account.signTypedData !== 'function')
    throw refusedArgument('signer.account.signTypedData', account.signTypedData, 'a function')
  if (signer.kind !== 'eoa') checkedText(signer.wallet, 'signer.wallet')
  if (signer.kind === 'erc1271_erc7739') checkWalletDomain(signer.wallet_domain)
  return signer
}

function checkWalletDomain(domain: WalletDomain): void {
  const { name, version, chain_id } = checkedObject(domain, 'signer.wallet_domain')
  checkedText(name, 'signer.wallet_domain.name')
  checkedText(version, 'signer.wallet_domain.version')
  if (!Number.isSafeInteger(chain_id))
    throw refusedArgument('signer.wallet_domain.chain_id', chain_id, 'a whole number')
}

/** Returns the address that messages name as signer. */
export function signerAddress(signer: MessageSigner): Hex {
  return (signer.kind === 'eoa' ? signer.account.address : signer.wallet).toLowerCase() as Hex
}

/** Signs a message of one of our types for an environment. @returns hex with 0x: 65 bytes, or more of a nested signature */
export async function signTyped(
  type: MessageType,
  message: TypedMessage,
  environment: string,
  signer: MessageSigner,
): Promise<Hex> {
  const domain = typedDomain(type.name, environment, keccakText)
  const types = { [type.name]: type.fields }
  if (signer.kind !== 'erc1271_erc7739')
    return (await signer.account.signTypedData({ domain, types, primaryType: type.name, message })) as Hex
  const signature = await signNested(type, message, domain, signer)
  const contents_hash = hashStruct({ data: message, types, primaryType: type.name })
  const separator = hashDomain({ domain, types: { EIP712Domain: [...DOMAIN_FIELDS] } })
  const description = stringToHex(encodedType(type))
  return encodePacked(
    ['bytes', 'bytes32', 'bytes32', 'bytes', 'uint16'],
    [signature, separator, contents_hash, description, (description.length - 2) / 2],
  )
}

/** Signs our message nested in a TypedDataSign of an ERC-7739 wallet, in our domain; that is what its owner sees. */
function signNested(
  type: MessageType,
  contents: TypedMessage,
  domain: ReturnType<typeof typedDomain>,
  signer: Extract<MessageSigner, { kind: 'erc1271_erc7739' }>,
): Promise<Hex> {
  const { name, version, chain_id, salt } = signer.wallet_domain
  const types = {
    [type.name]: type.fields,
    TypedDataSign: [
      { name: 'contents', type: type.name },
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
      { name: 'salt', type: 'bytes32' },
    ],
  }
  const message = {
    contents,
    name,
    version,
    chainId: BigInt(chain_id),
    verifyingContract: signer.wallet,
    salt: salt ?? NO_SALT,
  }
  return signer.account.signTypedData({ domain, types, primaryType: 'TypedDataSign', message }) as Promise<Hex>
}

const NO_SALT: Hex = `0x${'0'.repeat(64)}`
