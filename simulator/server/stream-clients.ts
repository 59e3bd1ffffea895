import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import type { Micros } from '../../primitives/instants.ts'
import type { SimulatedVenue } from '../simulated-venue.ts'
import type { Frame, Subscription } from '../wire/venue-wire.ts'
import type { WorldBatch } from '../world/events.ts'
import { type Faults, spoiled } from './faults.ts'
import { type ClientMessage, STREAM_PROTOCOLS } from './stream-protocols.ts'

/** Close code of websockets: the service restarts. */
const RESTARTS = 1012

type Client = {
  readonly socket: WebSocket
  subscription: Subscription | null
  channels: ReadonlySet<string>
  /** Messages that wait for the end of a stall; null without one. */
  held: (string | Buffer)[] | null
}

/** The connected clients of one venue's websocket. */
export type StreamClients = {
  add(socket: WebSocket): void
  /** Sends a batch's messages to their subscribers; an outage ends all connections. */
  deliver(batch: WorldBatch): void
  closeAll(): void
}

/** Creates an empty set of clients. @param now brings the world to the current instant, and returns it */
export function createStreamClients(venue: SimulatedVenue, faults: Faults, now: () => Micros): StreamClients {
  const clients = new Set<Client>()
  const { read } = STREAM_PROTOCOLS[venue.world.venue_id]
  const closeAll = () => {
    for (const { socket } of clients) socket.close(RESTARTS)
    clients.clear()
  }
  const take = (client: Client, message: ClientMessage) => {
    if (message.kind === 'reply') return client.socket.send(message.text)
    const at = now()
    if (message.kind === 'add') {
      return sendFrames(client, client.subscription?.add(at, ordinalsOf(venue, message.names)) ?? [], faults)
    }
    client.channels = new Set(message.channels)
    client.subscription = venue.wire.subscribe(at, message.names === null ? null : ordinalsOf(venue, message.names))
    sendFrames(client, client.subscription.opening, faults)
  }
  return {
    add(socket) {
      const client: Client = { socket, subscription: null, channels: new Set(), held: null }
      clients.add(client)
      socket.on('message', (data) => take(client, read(String(data))))
      socket.on('close', () => clients.delete(client))
      socket.on('error', () => socket.terminate())
    },
    deliver(batch) {
      if (batch.down) return closeAll()
      for (const client of clients) {
        if (client.subscription !== null) sendFrames(client, client.subscription.frames(batch), faults)
      }
    },
    closeAll,
  }
}

function ordinalsOf({ wire }: SimulatedVenue, names: readonly string[]): ReadonlySet<number> {
  return new Set(names.flatMap((name) => wire.marketOf(name) ?? []))
}

function sendFrames(client: Client, frames: readonly Frame[], faults: Faults): void {
  const { socket, channels } = client
  for (const { channel, text } of frames) {
    if (!channels.has(channel)) continue
    const fault = faults.onMessage()
    if (fault?.kind === 'reset') {
      socket.terminate()
      return
    }
    if (fault?.kind === 'stall') hold(client, fault.wait_ms)
    if (fault?.kind !== 'drop') send(client, spoiled(text, fault))
  }
}

function send({ socket, held }: Client, message: string | Buffer): void {
  if (held === null) socket.send(message)
  else held.push(message)
}

/** Holds the messages of a client back for a while; they keep their order. */
function hold(client: Client, wait_ms: number): void {
  if (client.held !== null) return
  client.held = []
  const release = () => {
    const messages = client.held ?? []
    client.held = null
    for (const message of messages) client.socket.send(message)
  }
  void sleep(wait_ms, undefined, { ref: false }).then(release)
}
