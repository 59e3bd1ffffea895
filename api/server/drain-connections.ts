import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'

/** Turns of the event loop without a new connection, after which none waits: the first one may already be under way. */
const QUIET_TURNS = 2
/** Most turns, for a process that is sent connections without a pause; the system holds 511 at most. */
const TURNS_MAX = 1_000

/**
 * Stops accepting connections and leaves those that exist open, so that requests that are on their way are still read.
 * `http.Server.close` would end idle connections at once, whose next request may have been sent by then.
 * @param wait_ms longest wait for the end of all connections
 */
export async function drainConnections(server: Server, wait_ms: number): Promise<void> {
  if (!server.listening) return
  await acceptWaiting(server)
  const waiting = new AbortController()
  const ended = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
  await Promise.race([ended, sleep(wait_ms, undefined, { signal: waiting.signal }).catch(() => undefined)])
  waiting.abort()
}

/**
 * Accepts connections that the system holds for this process. One is accepted a turn, and closing the socket resets the others:
 * a proxy that has sent a write to such a connection does not send it again.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0
  const count = () => {
    accepted += 1
  }
  server.on('connection', count)
  for (let quiet = 0, turns = 0; quiet < QUIET_TURNS && turns < TURNS_MAX; turns += 1) {
    const before = accepted
    await turn()
    quiet = accepted === before ? quiet + 1 : 0
  }
  server.off('connection', count)
}
