import type { Hex } from '../../protocol/signing/typed-data.ts'
import { bytesOf, hexOf } from './keccak.ts'

/** What a signature of ERC-7739's nested workflow says that it was made for. */
export type NestedSignature = {
  readonly app_domain_separator: Hex
  /** Struct hash of the message. */
  readonly contents_hash: Hex
  /** Type string of the message, followed by its name in the explicit mode. */
  readonly contents_description: string
}

/**
 * Takes apart `signature ‖ domain separator ‖ contents hash ‖ contents description ‖ length (2 bytes)`; null where it is none such.
 * @param text  hex with 0x
 */
export function nestedSignature(text: string): NestedSignature | null {
  const bytes = bytesOf(text)
  if (bytes.length < 2) return null
  const description_end = bytes.length - 2
  const description_start = description_end - bytes.readUInt16BE(description_end)
  // Something is left for the signature itself.
  if (description_start === description_end || description_start <= 64) return null
  return {
    app_domain_separator: hexOf(bytes.subarray(description_start - 64, description_start - 32)),
    contents_hash: hexOf(bytes.subarray(description_start - 32, description_start)),
    contents_description: bytes.subarray(description_start, description_end).toString('utf8'),
  }
}
