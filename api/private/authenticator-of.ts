import type { FastifyRequest } from 'fastify'
import { sha256Hex } from '../../primitives/ids.ts'
import type { Micros } from '../../primitives/instants.ts'
import { ACCESS_HEADERS, type AccessHeaders } from '../../protocol/signing/access-headers.ts'
import { type Authenticate, createAuthenticator } from '../../trading/auth/authenticate.ts'
import type { RequestParts } from '../../trading/auth/request-parts.ts'
import type { Exchange } from '../server/exchange.ts'
import type { TradingPorts } from '../trading-ports.ts'

/** Creates the check of request signatures. */
export function authenticatorOf(trading: TradingPorts, environment: string, now: () => Micros): Authenticate {
  const { keys, nonces, noteUse, sealing } = trading
  return createAuthenticator({ keys, nonces, noteUse, environment, sealing, now })
}

/** Splits a target in origin form or absolute form into path and query, as sent. */
export function targetOf({ url }: FastifyRequest['raw']): { readonly path: string; readonly query: string } {
  const target = url!.replace(/^https?:\/\/[^/?]*/i, '')
  const at = target.indexOf('?')
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) }
}

/** Returns the signed parts of a request, and its client's address. `body`: its bytes as received. */
export function requestParts({ request: { raw }, ip }: Exchange, body: Uint8Array): RequestParts {
  return {
    method: raw.method!,
    ...targetOf(raw),
    body_sha256: sha256Hex(body),
    headers: accessHeaders(raw.headers),
    ip,
  }
}

/** Reports whether a request names a key, and so is counted by it. */
export function namesKey({ raw }: FastifyRequest): boolean {
  return raw.headers[KEY_HEADER] !== undefined
}

const KEY_HEADER = ACCESS_HEADERS.key_id.toLowerCase()
const WIRE_NAMES = Object.entries(ACCESS_HEADERS).map(
  ([name, header]) => [name as keyof AccessHeaders, header.toLowerCase()] as const,
)

/** Reads the access headers. A header sent twice arrives joined by a comma, which no header's form allows. */
function accessHeaders(headers: FastifyRequest['raw']['headers']): AccessHeaders {
  const found: Partial<Record<keyof AccessHeaders, string | null>> = {}
  for (const [name, header] of WIRE_NAMES) {
    const value = headers[header]
    found[name] = (Array.isArray(value) ? value.join() : value) || null
  }
  return found as AccessHeaders
}
