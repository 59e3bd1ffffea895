import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { ServiceError } from '../../primitives/errors.ts'
import { UNSENT_BYTES } from '../../protocol/limits.ts'
import { isAddressAllowed } from '../../trading/auth/ip-allowlist.ts'
import { callerOf } from './client-address.ts'

export type UnsentLimits = { readonly [name in keyof typeof UNSENT_BYTES]: number }

/** State of the unsent bytes, for metrics. */
export type UnsentStats = {
  readonly bytes: number
  /** Refused requests of an address, and connections closed for the process, since the start. */
  readonly limited: Readonly<Record<keyof typeof UNSENT_BYTES, number>>
}

/** Bytes of answers that wait in memory for clients to take them, by address and for the process. */
export type UnsentBytes = {
  /** Refuses a request whose address leaves too much unread. @throws {ServiceError} RATE_LIMIT_EXCEEDED */
  requireRoom(socket: Socket): void
  /** Counts bytes of a connection until the returned function is called or the connection ends. */
  hold(socket: Socket, bytes: number): () => void
  /** Counts an answer that was written, until its last byte is handed to the system. */
  track(socket: Socket, response: ServerResponse, bytes: number): void
  stats(): UnsentStats
}

/** Time in which a client of usual speed takes a good part of what waits for it. */
const RETRY_AFTER_MS = 1000

type Answer = { readonly socket: Socket; readonly caller: string | null; readonly bytes: number }

/**
 * Creates the count of one server.
 * @param trusted  proxies: they carry the answers of many clients, so they are counted for the process only
 */
export function createUnsentBytes(limits: UnsentLimits = UNSENT_BYTES, trusted: readonly string[] = []): UnsentBytes {
  /** Oldest first. */
  const answers = new Set<Answer>()
  const of_socket = new WeakMap<Socket, Set<Answer>>()
  const of_caller = new Map<string, number>()
  const limited = { per_address_max: 0, max: 0 }
  let total = 0
  const add = (caller: string | null, bytes: number): void => {
    total += bytes
    if (caller === null) return
    const sum = (of_caller.get(caller) ?? 0) + bytes
    if (sum === 0) of_caller.delete(caller)
    else of_caller.set(caller, sum)
  }
  const remove = (answer: Answer): void => {
    if (!answers.delete(answer)) return
    of_socket.get(answer.socket)?.delete(answer)
    add(answer.caller, -answer.bytes)
  }
  const removeAll = (socket: Socket): void => {
    for (const answer of of_socket.get(socket) ?? []) remove(answer)
  }
  const answersOf = (socket: Socket): Set<Answer> => {
    const known = of_socket.get(socket)
    if (known !== undefined) return known
    const fresh = new Set<Answer>()
    of_socket.set(socket, fresh)
    // An answer that waits behind another one on its connection is not told that the connection ended.
    socket.once('close', () => removeAll(socket))
    return fresh
  }
  const isWaiting = (socket: Socket): boolean => (of_socket.get(socket)?.size ?? 0) > 0
  const closeOldest = (): void => {
    for (const { socket } of answers) {
      if (total <= limits.max) return
      limited.max += 1
      removeAll(socket)
      socket.destroy()
    }
  }
  const hold = (socket: Socket, bytes: number): (() => void) => {
    // A request that came over the stream has no socket of its own: its answer waits in the outbox, which has limits.
    if (!(socket instanceof Socket) || socket.destroyed) return () => undefined
    const answer = { socket, caller: countedAs(socket, trusted), bytes }
    answers.add(answer)
    answersOf(socket).add(answer)
    add(answer.caller, bytes)
    closeOldest()
    return () => remove(answer)
  }
  return {
    requireRoom: (socket) => {
      if (of_caller.size === 0) return
      const caller = countedAs(socket, trusted)
      const bytes = caller === null ? 0 : (of_caller.get(caller) ?? 0)
      if (bytes < limits.per_address_max) return
      limited.per_address_max += 1
      throw unread(bytes, limits)
    },
    hold,
    track: (socket, response, bytes) => {
      // Most answers are with the system at once.
      if (!(socket instanceof Socket) || response.writableFinished || response.socket?.writableLength === 0) return
      const release = hold(socket, bytes)
      // Bytes that arrive meanwhile would count as life of a connection that takes none. The end of the request resumes it first.
      setImmediate(() => {
        if (isWaiting(socket)) socket.pause()
      })
      const end = (): void => {
        release()
        if (!isWaiting(socket)) socket.resume()
      }
      response.once('finish', end)
      response.once('close', end)
    },
    stats: () => ({ bytes: total, limited }),
  }
}

/** Returns the address that a connection is counted for; null: a trusted proxy's. */
function countedAs({ remoteAddress = '' }: Socket, trusted: readonly string[]): string | null {
  return trusted.length > 0 && isAddressAllowed(trusted, remoteAddress) ? null : callerOf(remoteAddress)
}

function unread(bytes: number, { per_address_max }: UnsentLimits): ServiceError {
  const message = `${bytes} bytes of answers wait for this address to read them; allowed: fewer than ${per_address_max} before a further request`
  return new ServiceError('RATE_LIMIT_EXCEEDED', message, { retry_after_ms: String(RETRY_AFTER_MS) })
}
