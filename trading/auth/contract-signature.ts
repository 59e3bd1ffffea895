import type { Chain } from './json-rpc.ts'
import { bytesOf } from './keccak.ts'

/** Selector of isValidSignature(bytes32,bytes), which is also what it answers for "valid" (ERC-1271). */
const SELECTOR = '1626ba7e'
const VALID = `0x${SELECTOR}${'0'.repeat(56)}`

/** A smart account's answer about a signature, to be kept with what was signed. */
export type ContractVerdict = {
  readonly valid: boolean
  readonly contract_call: { readonly block_number: string; readonly result: string }
}

/**
 * Asks a smart account whether a signature is its own, at the newest block.
 * @param signature  hex with 0x, of any length
 * @throws {ServiceError} SERVICE_UNAVAILABLE
 */
export async function askContract(
  chain: Chain,
  contract: string,
  digest: string,
  signature: string,
): Promise<ContractVerdict> {
  const block_number = await chain.blockNumber()
  const result = (await chain.call(contract, callData(digest, signature), block_number)) ?? 'reverted'
  const word = result.slice(0, 66)
  return { valid: word === VALID, contract_call: { block_number, result: word } }
}

/** The selector, the digest, the place of the bytes, their length, and they filled up to whole words. */
function callData(digest: string, signature: string): string {
  const bytes = bytesOf(signature)
  const length = bytes.length.toString(16).padStart(64, '0')
  const filled = bytes.toString('hex').padEnd(Math.ceil(bytes.length / 32) * 64, '0')
  return `0x${SELECTOR}${digest.slice(2)}${'40'.padStart(64, '0')}${length}${filled}`
}
