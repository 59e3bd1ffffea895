import { timingSafeEqual } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { internalError } from './batch-failure.ts'
import type { EngineClient } from './engine-client.ts'
import { FrameReader, FrameWriter } from './frames.ts'
import type { FromEngine, ToEngine } from './socket-messages.ts'

export type SubmissionServer = {
  /** host:port. */
  readonly address: string
  close(): Promise<void>
}

const HELLO_MS = 5_000
const STATUS_MS = 1_000
/** Addresses that only processes of this machine reach. */
const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/i

/**
 * Accepts submissions from other processes of this deployment. A caller presents the token of the lease's row: a process that can
 * read that row may trade anyway.
 * @param address host:port; port 0: a free one
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: not host:port of this machine's loopback; SERVICE_UNAVAILABLE: it cannot listen there
 */
export async function listenForSubmissions(
  address: string,
  token: string,
  client: EngineClient,
): Promise<SubmissionServer> {
  const { host, port } = parseAddress(address)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serve(socket, token, client)
  })
  await listen(server, host, port)
  const bound = server.address()
  const bound_port = bound !== null && typeof bound === 'object' ? bound.port : port
  return {
    address: `${host}:${bound_port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.end()
      const timer = setTimeout(() => sockets.forEach((socket) => void socket.destroy()), 500)
      await closed
      clearTimeout(timer)
    },
  }
}

/**
 * Reads the address of the engine's link, at both of its ends: orders and keys pass in the clear, so it never leaves this machine.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export function parseAddress(address: string): { host: string; port: number } {
  const match = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(address)
  const port = Number.parseInt(match?.[2] ?? '', 10)
  if (match === null || port > 65_535)
    throw new ServiceError('VALIDATION_USAGE_INVALID', `engine_address is ${address}; allowed: HOST:PORT`)
  if (!LOOPBACK.test(match[1]!)) {
    const message = `engine_address is ${address}, which others on the network can reach, and the link has no TLS; allowed: 127.0.0.1, ::1 or localhost; another machine reaches it through a tunnel`
    throw new ServiceError('VALIDATION_USAGE_INVALID', message, { field: 'engine_address', value: address })
  }
  return { host: match[1]!, port }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(new ServiceError('SERVICE_UNAVAILABLE', `the engine cannot listen at ${host}:${port}`, {}, error))
    })
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
