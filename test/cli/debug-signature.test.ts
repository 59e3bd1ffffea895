import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { REQUEST_VECTORS } from '../support/trading/request-vectors.ts'
import { VECTOR, VECTOR_ORDER } from '../support/trading/signing-world.ts'

const folder = tempFolder()
const vector = REQUEST_VECTORS.find(({ request }) => request.target === '/v1/orders?status=open&limit=10')!
const SECRET = (vector.key as { secret: string }).secret

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** The vector's request as a curl command. */
function command(signature: string): string {
  const { request, key } = vector
  const headers = {
    Key: key.key_id,
    Timestamp: request.timestamp_ms,
    Nonce: request.nonce,
    Signature: signature,
    'Signature-Version': 'v1',
  }
  const options = Object.entries(headers).map(([name, value]) => `-H 'SVC-Access-${name}: ${value}'`)
  return `curl 'http://127.0.0.1:8080${request.target}' ${options.join(' ')}`
}

test('a request is explained from its curl command, and its secret is read from a file and never shown', async () => {
  const secret_file = file(
    'ready.json',
    JSON.stringify({
      sandbox_accounts: [
        { key_id: 'key_other', secret: 'no' },
        { key_id: vector.key_id, secret: SECRET },
      ],
    }),
  )
  const valid = await tidemark([
    'debug',
    'signature',
    file('valid.txt', command(vector.signature)),
    '--secret-file',
    secret_file,
  ])
  expect(valid).toMatchObject({ exit_code: 0, stderr: '' })
  expect(valid.stdout).toContain('request: valid')
  expect(valid.stdout).toContain(vector.canonical_request.join('\n'))
  const other = file('other.txt', command('ab'.repeat(32)))
  const refused = await tidemark(['debug', 'signature', other, '--secret-file', secret_file, '--json'])
  expect(refused.exit_code).toBe(1)
  expect(JSON.parse(refused.stdout)).toMatchObject({
    signatures: [{ verdict: 'refused', code: 'AUTH_CREDENTIALS_INVALID', findings: [{ cause: 'other_key_or_text' }] }],
  })
  const wrong = await tidemark(['debug', 'signature', other, '--secret-file', file('short', `${SECRET}00`)])
  expect(wrong).toMatchObject({ exit_code: 2, stdout: '' })
  for (const { stdout, stderr } of [valid, refused, wrong]) expect(stdout + stderr).not.toContain(SECRET)
})

test('the signed text is compared byte by byte, and the clock of the service with the timestamp', async () => {
  const sorted = vector.canonical_request.join('\n')
  const signed_text = file('signed.txt', sorted.replace('query:limit=10&status=open', 'query:status=open&limit=10'))
  const request = file('request.txt', command(vector.signature))
  const { stdout, exit_code } = await tidemark([
    'debug',
    'signature',
    request,
    '--signed-text',
    signed_text,
    '--server-time-ms',
    String(vector.request.timestamp_ms + 31_000),
  ])
  expect(exit_code).toBe(1)
  expect(stdout).toContain('byte 0: expected 6c (l), signed 73 (s)')
  expect(stdout).toContain('seen: query_not_sorted: ')
  expect(stdout).toContain('seen: clock_differs: ')
})

test('an order names the environment that it was signed for', async () => {
  const body = file('order.json', JSON.stringify({ ...VECTOR_ORDER, order_signature: VECTOR.signature }))
  const refused = await tidemark(['debug', 'signature', body, '--environment', 'production'])
  expect(refused).toMatchObject({ exit_code: 1, stderr: '' })
  expect(refused.stdout).toContain('order: refused, SIGNATURE_ORDER_MISMATCH')
  expect(refused.stdout).toContain(
    'proved: environment_differs: it was signed for another environment (expected production, signed sandbox)',
  )
  expect((await tidemark(['debug', 'signature', body])).stdout).toContain(VECTOR.digest)
})

test('without a secret the next step names the option that checks an HMAC', async () => {
  const { stdout, exit_code } = await tidemark(['debug', 'signature', file('unproven', command('0'.repeat(64)))])
  expect(exit_code).toBe(1)
  expect(stdout).toContain('give the secret of an hmac-sha256 key by --secret-file FILE')
})
