import { expect, test } from 'vitest'
import { type DebugForm, explainedForm } from '../../console/debug/model.ts'
import { REQUEST_VECTORS } from '../support/trading/request-vectors.ts'

const { request, key, canonical_request, signature } = REQUEST_VECTORS.find(({ key_id }) => key_id.includes('ed25519'))!
const sent = [
  `${request.method} ${request.target}`,
  `SVC-Access-Key: ${key.key_id}`,
  `SVC-Access-Timestamp: ${request.timestamp_ms}`,
  `SVC-Access-Nonce: ${request.nonce}`,
  `SVC-Access-Signature: ${signature}`,
  'SVC-Access-Signature-Version: v1',
  '\n',
].join('\n')
const FORM: DebugForm = {
  sent,
  environment: 'production',
  signed_text: '',
  public_key: key.public_key!,
  server_time_ms: '',
}
const codeOf = (change: Partial<DebugForm>) => explainedForm({ ...FORM, ...change }).signatures[0]

test('each entry of the form is part of the verdict', () => {
  expect(codeOf({})).toMatchObject({ verdict: 'valid', code: null })
  expect(codeOf({ public_key: '' })).toMatchObject({ verdict: 'undecided' })
  expect(codeOf({ environment: 'sandbox' })).toMatchObject({ findings: [{ cause: 'environment_differs' }] })
  expect(codeOf({ server_time_ms: String(request.timestamp_ms + 60_000) })).toMatchObject({
    code: 'AUTH_TIMESTAMP_OUT_OF_WINDOW',
  })
  const signed_text = canonical_request.join('\n').replace('method:GET', 'method:get')
  expect(codeOf({ signed_text, public_key: '' })).toMatchObject({ findings: [{ cause: 'method_lower_case' }] })
})

test.each<[string, Partial<DebugForm>]>([
  ['Server time', { server_time_ms: 'now' }],
  ['64 hex digits', { public_key: 'ab' }],
  ['curl command', { sent: 'hello' }],
])('%s is asked for where an entry cannot be read', (words, change) => {
  expect(explainedForm({ ...FORM, ...change })).toMatchObject({
    signatures: [],
    complaint: expect.stringContaining(words),
  })
})
