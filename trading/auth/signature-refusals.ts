import type { ErrorFacts } from '../../primitives/errors.ts'
import { type Difference, firstDifference } from '../../protocol/signing/first-difference.ts'
import { MESSAGE_VERSION, type TypedMessage } from '../../protocol/signing/typed-data.ts'
import type { Refusal } from '../engine/submission.ts'
import type { TypedSubject } from './typed-subject.ts'

/** Returns the refusal that holds whatever the signature is: another version, or a message about something else. null: none. */
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

/** Refuses bytes that are not a valid signature. */
export function invalidSignature(field: string, reason: string, facts: ErrorFacts): Refusal {
  return { code: 'SIGNATURE_INVALID', message: `${field} is not a valid signature: ${reason}`, facts }
}

/**
 * Refuses a signature that is not by this signer over this message.
 * With the caller's signed_message, the refusal names the first field that differs from the body.
 */
export function signatureMismatch<M extends TypedMessage>(
  { parts, type, message, mismatch: code }: TypedSubject<M>,
  sentence: string,
  facts: ErrorFacts,
): Refusal {
  if (parts.signed_message == null) return { code, message: sentence, facts }
  const difference = firstDifference(type, message, parts.signed_message)
  if (difference === null) {
    const hint = 'signed_message equals the body, so the domain or the key differs'
    return { code, message: `${sentence}; ${hint}`, facts }
  }
  const { field, rebuilt, signed } = difference
  const hint = `signed_message has ${field} ${JSON.stringify(signed)}, the body means ${JSON.stringify(rebuilt)}`
  return { code, message: `${sentence}; ${hint}`, facts: { ...facts, ...differenceFacts(difference) } }
}

function differenceFacts({ field, rebuilt, signed }: Difference): ErrorFacts {
  return { first_differing_field: field, expected_value: rebuilt, signed_value: signed }
}
