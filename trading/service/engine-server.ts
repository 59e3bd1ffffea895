import { timingSafeEqual } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'
import { addressRefused } from '../../primitives/address-refused.ts'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { internalError } from './batch-failure.ts'
import type { EngineClient } from './engine-client.ts'
import { FrameReader, FrameWriter } from './frames.ts'
import { type LinkPlace, placeText, readAdvertised, readPlace } from './link-address.ts'
import { type LinkSecurity, requireUsable, secureOptions, securityReason } from './link-security.ts'
import type { FromEngine, ToEngine } from './socket-messages.ts'

export type SubmissionServer = {
  /** host:port at which callers reach it. */
  readonly address: string
  close(): Promise<void>
}

const HELLO_MS = 5_000
const STATUS_MS = 1_000

/** Place of the server's end of the link. */
export type ListenOptions = {
  /** host:port to listen at; port 0: a free one. */
  readonly address: string
  /** host:port at which callers reach it; null: where it listens. */
  readonly advertised_address?: string | null
  /** Missing: no TLS, and then only on loopback. */
  readonly security?: LinkSecurity | null
  /** Receives why a caller was refused before it said anything. */
  readonly onRefused?: (message: string) => void
}

/**
 * Accepts submissions from other processes of this deployment. A caller presents the token of the lease's row: a process that can
 * read that row may trade anyway.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: an address of others without TLS, certificates that nobody could use, or one
 *   that is taken
 */
export async function listenForSubmissions(
  options: ListenOptions,
  token: string,
  client: EngineClient,
): Promise<SubmissionServer> {
  const { advertised_address = null, security = null } = options
  const bound = readPlace('TIDEMARK_ENGINE_ADDRESS', options.address, security !== null)
  const advertised = readAdvertised(advertised_address, bound, security !== null)
  if (security !== null) requireUsable(security, advertised.host)
  const sockets = new Set<Socket>()
  const server = createLinkServer(options, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serve(socket, token, client)
  })
  await listen(server, bound)
  const { port } = server.address() as { port: number }
  return {
    address: placeText(advertised_address === null ? { ...bound, port } : advertised),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.end()
      const timer = setTimeout(() => sockets.forEach((socket) => void socket.destroy()), 500)
      await closed
      clearTimeout(timer)
    },
  }
}

/** A caller is served once its certificate is accepted; the token passes after that. */
function createLinkServer({ security, onRefused }: ListenOptions, onCaller: (socket: Socket) => void): Server {
  if (!security) return createServer(onCaller)
  const server = createSecureServer({ ...secureOptions(security), handshakeTimeout: HELLO_MS }, onCaller)
  server.on('tlsClientError', (error, socket) => {
    // The error of a certificate that Node refuses is that the connection ended; its reason is here alone.
    const { authorizationError } = socket as { authorizationError?: unknown }
    const reason = securityReason({ code: `${authorizationError ?? ''}` }) ?? securityReason(error)
    const message = `a caller of the engine's link at ${socket.remoteAddress ?? 'an address that is gone'} was refused`
    if (reason !== null) onRefused?.(`${message}: its ${reason}`)
    socket.destroy()
  })
  return server
}

function listen(server: Server, { host, port }: LinkPlace): Promise<void> {
  const address = { name: 'TIDEMARK_ENGINE_ADDRESS', host, port, finds: `--address ${placeText({ host, port: 0 })}` }
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(addressRefused(address, error)))
    server.listen(port, host, resolve)
  })
}

function serve(socket: Socket, token: string, client: EngineClient): void {
  const [reader, writer] = [new FrameReader(), new FrameWriter(socket)]
  const send = (message: FromEngine) => writer.send(message)
  const sendStatus = () => send({ kind: 'status', status: client.status() })
  const strangers = setTimeout(() => socket.destroy(), HELLO_MS)
  const beat = setInterval(sendStatus, STATUS_MS)
  let is_known = false
  socket.setNoDelay(true)
  socket.on('error', () => undefined)
  socket.on('close', () => {
    clearTimeout(strangers)
    clearInterval(beat)
  })
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const message of reader.push(chunk) as ToEngine[]) {
        if (is_known && message.kind === 'submit') void answer(client, message, send)
        else if (!is_known && message.kind === 'hello' && isSame(message.token, token)) {
          is_known = true
          clearTimeout(strangers)
          sendStatus()
        } else socket.destroy()
      }
    } catch {
      socket.destroy()
    }
  })
}

async function answer(
  client: EngineClient,
  { id, submission }: Extract<ToEngine, { kind: 'submit' }>,
  send: (message: FromEngine) => void,
): Promise<void> {
  try {
    send({ kind: 'answer', id, answer: await client.submit(submission) })
  } catch (error) {
    // An answer that is too long for the link fails alone: what it answers is committed.
    const { code, message, facts } = isServiceError(error, 'VALIDATION_MESSAGE_INVALID')
      ? new ServiceError('INTERNAL_ERROR', `the request was carried out; its answer cannot be sent: ${error.message}`)
      : internalError(error)
    send({ kind: 'error', id, code, message, facts })
  }
}

function isSame(given: unknown, token: string): boolean {
  const [a, b] = [Buffer.from(String(given)), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}
