import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Micros } from '../../primitives/instants.ts'
import type { SimulatedVenue } from '../simulated-venue.ts'
import { type Fault, type Faults, spoiled } from './faults.ts'
import type { createRateLimiter } from './rate-limits.ts'

export type HttpPorts = {
  readonly venue: SimulatedVenue
  readonly faults: Faults
  readonly limiter: ReturnType<typeof createRateLimiter>
  readonly now: () => Micros
}

/** Prefix of Kalshi's paths that its documentation omits. */
const PREFIX = /^\/trade-api\/v2(?=\/)/

/** Answers one HTTP request with the venue's current body, or with an injected fault. */
export async function answerRequest(
  ports: HttpPorts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '/').replace(PREFIX, '')
  const fault = ports.faults.onAnswer(path)
  if (fault?.kind === 'reset') return void request.socket.destroy()
  if (fault?.kind === 'stall') await sleep(fault.wait_ms)
  const refused = refusalOf(ports, request, path, fault)
  if (refused !== null) return send(response, refused.status, refused.body, refused.headers)
  const { status, body } = ports.venue.wire.respond(path, ports.now())
  send(response, status, spoiled(body, fault))
}

type Refusal = { readonly status: number; readonly body: string; readonly headers: Readonly<Record<string, string>> }

function refusalOf(
  { venue, limiter, now }: HttpPorts,
  request: IncomingMessage,
  path: string,
  fault: Fault | null,
): Refusal | null {
  const refuse = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) => {
    return { status, body: JSON.stringify({ error: message }), headers }
  }
  if (request.method !== 'GET') return refuse(405, 'method not allowed', { allow: 'GET' })
  if (fault?.kind === 'status') return refuse(fault.status, 'simulated')
  if (venue.world.isDown(now())) return refuse(503, 'service unavailable')
  const wait = fault?.kind === 'rate_limit' ? fault.retry_after_seconds : limiter.take(path, now())
  return wait === null ? null : refuse(429, 'too many requests', { 'retry-after': String(wait) })
}

function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  const length = Buffer.byteLength(body)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': length,
    ...headers,
  })
  response.end(body)
}
