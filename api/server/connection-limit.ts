import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server } from 'node:http'
import { ServiceError } from '../../primitives/errors.ts'
import { CONNECTIONS } from '../../protocol/limits.ts'
import { isAddressAllowed } from '../../trading/auth/ip-allowlist.ts'
import { callerOf } from './client-address.ts'

/** Fewest connections that a server is started for. */
const CONNECTIONS_MIN = 100

/**
 * Returns how many connections a process takes that may open `files` files: each connection is one, and the rest of the process needs
 * `files_reserved` of them. null: the limit is not known.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: too few are left
 */
export function connectionLimit(files: number | null): number {
  if (files === null) return CONNECTIONS.max
  const left = files - CONNECTIONS.files_reserved
  if (left >= CONNECTIONS_MIN) return Math.min(CONNECTIONS.max, left)
  const needed = CONNECTIONS.files_reserved + CONNECTIONS_MIN
  const message = `this process may open ${files} files; allowed: at least ${needed} (ulimit -n ${needed}), better ${CONNECTIONS.files_reserved + CONNECTIONS.max}`
  throw new ServiceError('VALIDATION_USAGE_INVALID', message, { field: 'open files', value: String(files) })
}

/** Returns how many files this process may open; null: the system does not say so, or there is no bound. */
export function fileLimit(limits_file = '/proc/self/limits'): number | null {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync(limits_file, 'utf8'))
    return soft === null ? null : Number(soft[1])
  } catch {
    return null
  }
}

/** Connections of a server, for metrics. */
export type ConnectionCounts = {
  open: number
  /** Closed at once because of a limit, since the start. */
  readonly refused: Record<'max' | 'per_address_max', number>
  /** Closed later because of a limit: the headers or the rest of a request came too late, no byte moved, or no request followed. */
  readonly timed_out: Record<'headers_ms' | 'request_ms' | 'stalled_ms' | 'idle_ms', number>
}

const counts_of = new WeakMap<Server, ConnectionCounts>()

/** Returns the counts of a server; they begin with the first call. */
export function connectionCounts(server: Server): ConnectionCounts {
  const known = counts_of.get(server)
  if (known !== undefined) return known
  const counts: ConnectionCounts = {
    open: 0,
    refused: { max: 0, per_address_max: 0 },
    timed_out: { headers_ms: 0, request_ms: 0, stalled_ms: 0, idle_ms: 0 },
  }
  counts_of.set(server, counts)
  countLateRequests(server, counts)
  server.on('drop', () => {
    counts.refused.max += 1
  })
  server.on('connection', (socket) => {
    counts.open += 1
    // Between two requests the socket waits for the keep-alive time, else for the server's time-out.
    socket.on('timeout', () => {
      counts.timed_out[socket.timeout === server.timeout ? 'stalled_ms' : 'idle_ms'] += 1
    })
    socket.once('close', () => {
      counts.open -= 1
    })
  })
  return counts
}

/** Counts requests that came too late. Node reports late headers and late bodies alike: a late body has a request that is incomplete. */
function countLateRequests(server: Server, { timed_out }: ConnectionCounts): void {
  const newest_of = new WeakMap<object, IncomingMessage>()
  server.on('request', (request) => newest_of.set(request.socket, request))
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    if (code !== 'ERR_HTTP_REQUEST_TIMEOUT') return
    timed_out[newest_of.get(socket)?.complete === false ? 'request_ms' : 'headers_ms'] += 1
  })
}

/**
 * Closes a connection whose caller has `max` open ones, so that one address cannot take the connections of all.
 * @param trusted  proxies, each of which carries the connections of many clients and is not counted
 */
export function limitConnectionsOfCaller(server: Server, max: number, trusted: readonly string[]): void {
  const open = new Map<string, number>()
  const { refused } = connectionCounts(server)
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    if (trusted.length > 0 && isAddressAllowed(trusted, address)) return
    const caller = callerOf(address)
    const before = open.get(caller) ?? 0
    if (before >= max) {
      refused.per_address_max += 1
      socket.destroy()
      return
    }
    open.set(caller, before + 1)
    socket.once('close', () => {
      const left = open.get(caller)! - 1
      if (left === 0) open.delete(caller)
      else open.set(caller, left)
    })
  })
}
