import type { ErrorFacts } from '../../primitives/errors.ts'
import { type Difference, firstDifference } from '../../protocol/signing/first-difference.ts'
import { MESSAGE_VERSION, type TypedMessage } from '../../protocol/signing/typed-data.ts'
import type { Refusal } from '../engine/submission.ts'
import type { TypedSubject } from './typed-subject.ts'

/** What is refused whatever the signature: another version, a message that is about something else. null: nothing. */
export function refusedUnseen<M extends TypedMessage>(subject: TypedSubject<M>, facts: ErrorFacts): Refusal | null {
  const { version, required = {}, message, mismatch, type } = subject
  if (version !== MESSAGE_VERSION) {
    const sentence = `the version of ${type.name} is ${JSON.stringify(version)}; allowed: "${MESSAGE_VERSION}"`
    return { code: 'SIGNATURE_TYPE_UNSUPPORTED', message: sentence, facts }
  }
  const field = Object.keys(required).find((name) => message[name] !== required[name])
  if (field === undefined) return null
  const difference = { field, rebuilt: required[field]!, signed: String(message[field]) }
  const sentence = `${field} of the ${type.name} is ${JSON.stringify(difference.signed)}; this request needs ${JSON.stringify(difference.rebuilt)}`
  return { code: mismatch, message: sentence, facts: { ...facts, ...differenceFacts(difference) } }
}

/** The bytes are no signature. */
export function invalidSignature(field: string, reason: string, facts: ErrorFacts): Refusal {
  return { code: 'SIGNATURE_INVALID', message: `${field} is no signature: ${reason}`, facts }
}

/** It is a signature, but not of this signer over this message. With the caller's echo the refusal says where that leaves the body. */
export function signatureMismatch<M extends TypedMessage>(
  { parts, type, message, mismatch: code }: TypedSubject<M>,
  sentence: string,
  facts: ErrorFacts,
): Refusal {
  if (parts.signed_message == null) return { code, message: sentence, facts }
  const difference = firstDifference(type, message, parts.signed_message)
  if (difference === null) {
    const hint = 'signed_message equals the body, so the domain or the key is another'
    return { code, message: `${sentence}; ${hint}`, facts }
  }
  const { field, rebuilt, signed } = difference
  const hint = `signed_message has ${field} ${JSON.stringify(signed)}, the body stands for ${JSON.stringify(rebuilt)}`
  return { code, message: `${sentence}; ${hint}`, facts: { ...facts, ...differenceFacts(difference) } }
}

function differenceFacts({ field, rebuilt, signed }: Difference): ErrorFacts {
  return { first_differing_field: field, expected_value: rebuilt, signed_value: signed }
}
