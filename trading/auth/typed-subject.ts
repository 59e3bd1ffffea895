import type { ErrorCode } from '../../primitives/errors.ts'
import type { Hex, MessageType, TypedMessage } from '../../protocol/signing/typed-data.ts'
import type { SignatureOutcome, SignatureParts } from './signature-verifier.ts'
import type { TypedHasher } from './typed-hasher.ts'

/** A message, who must have signed it, and what a refusal is called. */
export type TypedSubject<M extends TypedMessage = TypedMessage> = {
  readonly type: MessageType
  readonly hasher: TypedHasher<M>
  readonly message: M
  readonly signer: Hex
  /** Of the message, as it says itself. */
  readonly version: string
  /** The field of the body that holds the signature. */
  readonly field: string
  readonly mismatch: ErrorCode
  /** Values that the message must have, whoever signed it. */
  readonly required?: Readonly<Record<string, string>>
  readonly parts: SignatureParts
}

/** What was found of it. */
export type Found = Pick<SignatureOutcome, 'verdict' | 'contract_call'>
