import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answer on its way through the proxy; `body` is parsed JSON, null for any other text. */
export type Passing = { status: number; body: Body | null }
// biome-ignore lint/suspicious/noExplicitAny: a test alters answers of every shape.
type Body = any

/** Changes an answer in place. `path` follows /v1. */
export type Alteration = (path: string, query: URLSearchParams, answer: Passing) => void

/** A proxy in front of an API that alters some of its answers. */
export type AlteringProxy = { readonly base_url: string; close(): Promise<void> }

const PASSED = /^(svc-|content-type|retry-after)/i

export async function startAlteringProxy(target: string, alter: Alteration): Promise<AlteringProxy> {
  const server = createServer((request, response) => {
    forward(target, alter, request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function forward(target: string, alter: Alteration, request: IncomingMessage, response: ServerResponse) {
  const url = request.url ?? '/'
  const headers = Object.entries(request.headers).filter(([name]) => name.startsWith('svc-')) as [string, string][]
  const answered = await fetch(`${target}${url}`, { headers: Object.fromEntries(headers) })
  const text = await answered.text()
  const passing: Passing = { status: answered.status, body: parsed(text) }
  const { pathname, searchParams } = new URL(url, target)
  if (passing.body !== null) alter(pathname.replace(/^\/v1/, ''), searchParams, passing)
  for (const [name, value] of answered.headers) if (PASSED.test(name)) response.setHeader(name, value)
  response.writeHead(passing.status)
  response.end(passing.body === null ? text : JSON.stringify(passing.body))
}

function parsed(text: string): Body | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
