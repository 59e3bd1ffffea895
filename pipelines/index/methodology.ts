import { contentHash } from '../../primitives/canonical-json.ts'
import { METHODOLOGY_TEXT_SHA256, SECOND_METHODOLOGY_TEXT_SHA256 } from './methodology-text.ts'
import { isOfSecondText, type ParameterTexts } from './parameters.ts'

/** Returns the hash of the normative text that a methodology is of: the text whose sheet has exactly its parameters. */
export function methodologyTextOf(texts: ParameterTexts): string {
  return isOfSecondText(texts) ? SECOND_METHODOLOGY_TEXT_SHA256 : METHODOLOGY_TEXT_SHA256
}

/** Returns content_hash: SHA-256 of the RFC 8785 form of {parameters, text_sha256} (methodology index-1 §18). */
export function methodologyHash(
  texts: ParameterTexts,
  text_sha256: string = methodologyTextOf(texts),
): `sha256:${string}` {
  return contentHash({ parameters: texts, text_sha256 })
}
