import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A server whose next answers are given one by one; the last one again and again. Counts what it was asked for. */
export async function serveAnswers(...answers: readonly Answer[]) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answers[Math.min(asked.length, answers.length) - 1]!(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** An answer with a status, a body and headers. */
export function answer(
  status: number,
  body: string | Buffer = '',
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return (_request, response) => void response.writeHead(status, headers).end(body)
}
