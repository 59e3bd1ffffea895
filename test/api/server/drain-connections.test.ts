import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { drainConnections } from '../../../api/server/drain-connections.ts'

const BODY = '{"side":"buy"}'
const WRITE = `POST /v1/orders HTTP/1.1\r\nHost: api.example\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`
/** Bound for what never comes. */
const WAIT_MS = 60_000
let servers: Server[] = []
let sockets: Socket[] = []

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** Starts a server that answers each request with its body. */
async function listening(): Promise<Server> {
  const server = createServer((request, response) => request.pipe(response))
  servers = [...servers, server]
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

function dial(server: Server): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  sockets = [...sockets, socket]
  return socket
}

/** First line of the answer, or the code of the error that came in its place. */
function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.once('data', (bytes) => resolve(bytes.toString().split('\r\n')[0]!))
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code!))
    socket.once('close', () => resolve('closed'))
  })
}

test('connections that the system holds at the end are accepted, and their writes are answered', async () => {
  const server = await listening()
  const writes = Array.from({ length: 20 }, async () => {
    const socket = dial(server)
    await once(socket, 'connect')
    return socket
  })
  const open = await Promise.all(writes)
  // In one turn: each connection is complete for its caller, and the server has accepted none of these yet.
  const late = Array.from({ length: 20 }, () => dial(server))
  const answers = [...open, ...late].map((socket) => {
    socket.write(WRITE)
    return answerOf(socket)
  })
  await new Promise((next) => setImmediate(next))
  const drained = drainConnections(server, WAIT_MS)
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200 OK']))
  for (const socket of [...open, ...late]) socket.end()
  await drained
})

test('a connection that was answered before and one that was silent may ask; new ones are refused', async () => {
  const server = await listening()
  const [answered, silent] = [dial(server), dial(server)]
  answered.write(WRITE)
  expect(await answerOf(answered)).toBe('HTTP/1.1 200 OK')
  const drained = drainConnections(server, WAIT_MS)
  while (server.listening) await new Promise((next) => setImmediate(next))
  expect(await answerOf(connect(answered.remotePort!, '127.0.0.1'))).toBe('ECONNREFUSED')
  for (const socket of [answered, silent]) {
    socket.write(WRITE)
    expect(await answerOf(socket)).toBe('HTTP/1.1 200 OK')
    socket.end()
  }
  await drained
})

test('a connection that stays silent does not hold the end; a server that does not listen is left alone', async () => {
  const server = await listening()
  const silent = dial(server)
  await once(silent, 'connect')
  await drainConnections(server, 1)
  expect(server.listening).toBe(false)
  await drainConnections(server, WAIT_MS)
})
