import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { decodeClientMessage } from '../../../api/stream/decode-client-message.ts'
import { verifyRecord, verifySavedReceipt } from '../../../client/transparency/verify-saved.ts'
import { verifyWebhook } from '../../../client/webhooks/verify-webhook.ts'
import { parseGovernanceAct } from '../../../pipelines/governance/acts.ts'
import { parseChange } from '../../../pipelines/governance/change-form.ts'
import { parseImpact } from '../../../pipelines/governance/impact/parse-impact.ts'
import { readDefinitionText } from '../../../pipelines/index/definition-text.ts'
import { parseNoticeAct } from '../../../pipelines/notices/notice-act.ts'
import { parseAct } from '../../../pipelines/review/signed-act.ts'
import { parseEntry } from '../../../pipelines/transparency/log-entry.ts'
import { keyText } from '../../../pipelines/transparency/signed-note.ts'
import { tlogProofText } from '../../../pipelines/transparency/tlog-proof.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import { signedWebhookText } from '../../../protocol/signing/webhook-signature.ts'
import { LOG_KEY } from '../../support/log/log-keys.ts'

/** Document with a key twice; the one value is as it should be for some parsers, the other for the rest. */
const DOUBLED = '{"level":"1","level":"2"}'

const CHANGE = '{"cessation":{"index_id":"idx_a"},"cessation":{"index_id":"idx_b"}}'

const vkey = keyText(LOG_KEY.key)
const proof = () =>
  tlogProofText({
    extra: Buffer.from('{"entry":"","entry":"eA==","record_text":""}'),
    index: 0,
    hashes: [],
    checkpoint: '',
  })

/** Every reader of a document that somebody else signed, hashed or sent to be signed. */
const READERS: readonly (readonly [name: string, code: string, key: string, read: () => unknown])[] = [
  ['act of governance', 'VALIDATION_DEFINITION_INVALID', 'level', () => parseGovernanceAct(DOUBLED)],
  ['act of review', 'VALIDATION_DEFINITION_INVALID', 'level', () => parseAct(DOUBLED)],
  ['act on a notice', 'VALIDATION_DEFINITION_INVALID', 'level', () => parseNoticeAct(DOUBLED)],
  ['impact report', 'VALIDATION_DEFINITION_INVALID', 'level', () => parseImpact(DOUBLED)],
  ['definition', 'VALIDATION_DEFINITION_INVALID', 'level', () => readDefinitionText(DOUBLED, 'index.json')],
  ['proposed change', 'VALIDATION_DEFINITION_INVALID', 'cessation', () => parseChange(CHANGE, 'change.json')],
  ['entry of the log', 'PROOF_INVALID', 'level', () => parseEntry(Buffer.from(DOUBLED))],
  ['offline proof', 'PROOF_INVALID', 'entry', () => verifyRecord(proof(), vkey)],
  ['saved answer', 'PROOF_INVALID', 'level', () => verifySavedReceipt(DOUBLED, vkey)],
  ['message of the stream', 'VALIDATION_MESSAGE_INVALID', 'level', () => decodeClientMessage(DOUBLED)],
]

describe('a document with a doubled key is refused by name', () => {
  test.each(READERS)('%s', (_name, code, key, read) => {
    try {
      read()
      expect.unreachable()
    } catch (error) {
      expect(isServiceError(error, code as 'PROOF_INVALID'), String(error)).toBe(true)
      expect((error as Error).message).toContain(`has the key "${key}" twice`)
    }
  })
})

test('a signed webhook with a doubled key is no event', () => {
  const key = Buffer.alloc(32, 7)
  const deliver = (body: string) => {
    const signature = createHmac('sha256', key)
      .update(signedWebhookText('whe_1', '1760000000', body))
      .digest('base64')
    const headers = { 'webhook-id': 'whe_1', 'webhook-timestamp': '1760000000', 'webhook-signature': `v1,${signature}` }
    return verifyWebhook({ headers, body, secret: `whsec_${key.toString('base64')}`, now_ms: 1_760_000_000_000 })
  }
  expect(deliver('{"event_id":"whe_1"}')).toMatchObject({ verified: true })
  expect(deliver('{"event_id":"whe_2","event_id":"whe_1"}')).toEqual({ verified: false, reason: 'body_malformed' })
})
