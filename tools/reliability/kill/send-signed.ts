import { type Agent, request } from 'node:http'
import { type RequestKey, signRequest } from '../../../client/signing/sign-request.ts'

/** An answer as it came over the wire. */
export type WireAnswer = {
  readonly status: number
  readonly code: string | null
  /** The bytes of the field `data`; null: it has none. */
  readonly data: string | null
  readonly replayed: boolean
}

const TIMEOUT_MS = 15_000

/** Sends a write, signed now with a nonce of its own. @throws Error with a `code` where no whole answer comes */
export function sendSigned(
  agent: Agent,
  base_url: string,
  key: RequestKey,
  write: { readonly path: string; readonly body: string; readonly idempotency_key: string },
): Promise<WireAnswer> {
  const { path, body, idempotency_key } = write
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Idempotency-Key': idempotency_key,
    ...signRequest({ method: 'POST', target: path, body }, key),
  }
  return new Promise((resolve, reject) => {
    const sending = request(
      `${base_url}${path}`,
      { method: 'POST', agent, headers, timeout: TIMEOUT_MS },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('error', reject)
        response.on('end', () => {
          const replayed = response.headers['svc-idempotent-replay'] === 'true'
          resolve({ status: response.statusCode!, code: codeOf(text), data: dataOf(text), replayed })
        })
      },
    )
    sending.on('timeout', () => sending.destroy())
    sending.on('error', reject)
    sending.end(body)
  })
}

/** As it stands in the text, byte for byte: quotes inside of values are escaped, so no value looks like the field. */
function dataOf(text: string): string | null {
  const [from, to] = [text.indexOf('"data":'), text.lastIndexOf(',"meta":')]
  return from < 0 || to < from ? null : text.slice(from + '"data":'.length, to)
}

function codeOf(text: string): string | null {
  return text.startsWith('{"error"') ? (/"code":"([A-Z_]+)"/.exec(text)?.[1] ?? null) : null
}
