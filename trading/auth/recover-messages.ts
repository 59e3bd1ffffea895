import { EOA_SIGNATURE_BYTES } from './eoa-signature.ts'

/** Bytes of one task of a job: 32 of the digest, 65 of the signature. Tasks follow each other. */
export const TASK_BYTES = 32 + EOA_SIGNATURE_BYTES

/** Bytes of one answer: 1 and the address, or 0. */
export const ANSWER_BYTES = 21
