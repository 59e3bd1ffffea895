import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Address of a service: host and port, or the path of a local socket. */
export type Place = { readonly host: string; readonly port: number } | { readonly path: string }

/** Relay of one process to one service, which can be cut as a network is: nothing passes, and connections stay open. */
export type Relay = {
  /** host:port of the relay. */
  readonly address: string
  cut(): void
  /** Lets pass what was held back. */
  heal(): void
  close(): Promise<void>
}

/** Starts a relay at a loopback host. */
export async function startRelay(host: string, place: Place): Promise<Relay> {
  const sockets = new Set<Socket>()
  let is_cut = false
  const kept = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    if (is_cut) socket.pause()
    return socket
  }
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (near) => {
    const far = kept(connect({ ...place, allowHalfOpen: true } as never))
    kept(near)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => {
        if (!to.write(bytes)) from.pause()
      })
      to.on('drain', () => is_cut || from.resume())
      from.on('end', () => to.end())
      from.on('close', () => to.destroy())
    }
    if (is_cut) for (const socket of [near, far]) socket.pause()
    else near.resume()
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `${host}:${port}`,
    cut() {
      is_cut = true
      for (const socket of sockets) socket.pause()
    },
    heal() {
      is_cut = false
      for (const socket of sockets) socket.resume()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
