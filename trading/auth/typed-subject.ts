import type { ErrorCode } from '../../primitives/error-codes.ts'
import type { Hex, MessageType, TypedMessage } from '../../protocol/signing/typed-data.ts'
import type { SignatureType } from '../../vocabulary/order.ts'
import type { SignatureVerdict } from '../engine/submission.ts'
import type { OrderSignature } from '../order/order-intent.ts'
import type { TypedHasher } from './typed-hasher.ts'

/** A message's signature as the caller sent it. */
export type SignatureParts = {
  /** Declared, never inferred. */
  readonly signature_type: SignatureType
  /** Hex with 0x. */
  readonly signature: string
  /** The message that the caller claims to have signed: proves nothing, explains a mismatch. */
  readonly signed_message?: Readonly<Record<string, unknown>> | null
}

/** A message, its required signer, and the names that a refusal uses. */
export type TypedSubject<M extends TypedMessage = TypedMessage> = {
  readonly type: MessageType
  readonly hasher: TypedHasher<M>
  readonly message: M
  readonly signer: Hex
  /** Version that the message itself states. */
  readonly version: string
  /** Field of the body that holds the signature. */
  readonly field: string
  readonly mismatch: ErrorCode
  /** Values that the message must have, whoever signed it. */
  readonly required?: Readonly<Record<string, string>>
  readonly parts: SignatureParts
}

export type SignatureOutcome = {
  /** Lower-case hex with 0x. */
  readonly digest: Hex
  /** The required signer, in lower case. */
  readonly signer: Hex
  readonly verdict: SignatureVerdict
  readonly contract_call: OrderSignature['contract_call']
}

/** The part of an outcome that depends on the kind of signature. */
export type Found = Pick<SignatureOutcome, 'verdict' | 'contract_call'>
