import { expect, test } from 'vitest'
import { verifyReceipt } from '../../../pipelines/transparency/receipt.ts'
import { parseKey } from '../../../pipelines/transparency/signed-note.ts'
import { makeVectors } from '../../support/log/make-vectors.ts'

const key = parseKey(makeVectors().keys.log!)

test('an error that was saved in place of an answer is named by its code', () => {
  const saved = { error: { code: 'VALIDATION_AS_OF_IN_FUTURE', message: 'as_of is in the future', retryable: false } }
  const message =
    'answer is "the error VALIDATION_AS_OF_IN_FUTURE"; allowed: an answer that was asked for with receipt=true'
  expect(() => verifyReceipt(saved, key)).toThrow(expect.objectContaining({ code: 'PROOF_INVALID', message }))
})

test('an answer without a receipt is named as such', () => {
  const saved = { data: { level: '1' }, meta: { as_of: '2026-01-17T00:00:00Z' } }
  expect(() => verifyReceipt(saved, key)).toThrow('receipt is "absent"')
})
