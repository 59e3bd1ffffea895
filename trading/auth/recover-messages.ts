import { EOA_SIGNATURE_BYTES } from './eoa-signature.ts'

/** A job is the bytes of its tasks, one after the other: 32 of the digest and 65 of the signature. */
export const TASK_BYTES = 32 + EOA_SIGNATURE_BYTES

/** Its answer has 21 bytes a task: 1 and the address, or 0. */
export const ANSWER_BYTES = 21
