import { isJsonObject } from './json-document.ts'
import { receiveTime } from './receive-time.ts'
import type { Wrapped } from './wrapper.ts'

/** An answer or message in a browser's record of requests (HAR 1.2), with the type that its server states. */
export type HarPayload = Wrapped & { readonly mime_type: string }

type Fields = Readonly<Record<string, unknown>>
const EMPTY: Fields = {}

/**
 * Takes the answers out of a browser's record of requests, each received when its request had taken its time, and the websocket
 * messages that browsers note beside the handshake, in the order of receipt; null for any other value.
 */
export function harPayloads(value: unknown): readonly HarPayload[] | null {
  const { entries } = fieldsOf(fieldsOf(value).log)
  if (!Array.isArray(entries)) return null
  const payloads = entries.map(fieldsOf).flatMap((entry) => [answerOf(entry), ...messagesOf(entry)])
  return payloads.sort((a, b) => (a.received_at ?? 0) - (b.received_at ?? 0))
}

function answerOf({ startedDateTime, time, request, response }: Fields): HarPayload {
  const { text, encoding, mimeType } = fieldsOf(fieldsOf(response).content)
  const body = typeof text === 'string' ? text : ''
  const { url } = fieldsOf(request)
  return {
    text: encoding === 'base64' ? Buffer.from(body, 'base64').toString('utf8') : body,
    received_at: receiptOf(startedDateTime, time),
    request: typeof url === 'string' ? url : null,
    market: null,
    mime_type: typeof mimeType === 'string' ? mimeType : 'of no stated type',
  }
}

function receiptOf(started: unknown, milliseconds: unknown) {
  const began = typeof started === 'string' ? receiveTime(started) : null
  const took = typeof milliseconds === 'number' && milliseconds > 0 ? Math.ceil(milliseconds) * 1000 : 0
  return began === null ? null : began + took
}

function messagesOf({ _webSocketMessages: messages }: Fields): HarPayload[] {
  if (!Array.isArray(messages)) return []
  return messages.map((message: unknown) => {
    const { time, data } = fieldsOf(message)
    const received_at = typeof time === 'number' ? receiveTime(String(time)) : null
    return {
      text: typeof data === 'string' ? data : '',
      received_at,
      request: null,
      market: null,
      mime_type: 'websocket message',
    }
  })
}

function fieldsOf(value: unknown): Fields {
  return isJsonObject(value) ? value : EMPTY
}
