import { WebSocket } from 'ws'
import type { StreamPolicy } from './stream-policy.ts'
import type { StreamProtocol } from './stream-protocol.ts'

export type ConnectionOptions = {
  readonly url: string
  readonly protocol: StreamProtocol
  readonly names: readonly string[]
  readonly policy: StreamPolicy
  readonly headers: Readonly<Record<string, string>>
  readonly on_open: () => void
  readonly on_message: (bytes: Buffer) => void
  /** Called for the answer to a ping that watches for silence: everything that the venue sent before it has arrived. */
  readonly on_heartbeat: () => void
  /** Called for a ping or a pong. */
  readonly on_life: () => void
}

/** One connection, from its first byte to its end; it never reconnects. */
export type VenueConnection = {
  /** Resolves with the reason it ended. */
  readonly ended: Promise<string>
  /** Asks for a sign of life. @returns true when everything sent before it has arrived, false if the connection ends first */
  confirm(): Promise<boolean>
  /** Sends texts. @returns false if it is not open */
  send(texts: readonly string[]): boolean
  /** Stops reading from the socket; silence does not count meanwhile. */
  pause(): void
  resume(): void
  end(why: string): void
}

/** Connects, subscribes, and watches for silence. Redirects are not followed. */
export function connectVenue(options: ConnectionOptions): VenueConnection {
  const { url, protocol, names, policy, headers, on_open, on_message, on_heartbeat, on_life } = options
  const socket = new WebSocket(url, {
    handshakeTimeout: policy.handshake_ms,
    maxPayload: policy.message_bytes_max,
    followRedirects: false,
    perMessageDeflate: false,
    headers,
  })
  const watch = watchSilence(socket, options, (why) => end(why))
  let why = 'the venue closed the connection'
  const end = (reason: string) => {
    why = reason
    socket.terminate()
  }
  const ended = new Promise<string>((resolve) => {
    socket.once('close', (code) => resolve(code === 1006 ? why : `${why} (${code})`))
  })
  ended.then(watch.stop)
  socket.on('error', (error) => {
    why = error.message
  })
  socket.once('open', () => {
    for (const text of protocol.subscribe(names)) socket.send(text)
    watch.start()
    on_open()
  })
  socket.on('message', (data: Buffer) => {
    watch.message()
    on_message(data)
  })
  for (const sign of ['ping', 'pong'] as const) {
    socket.on(sign, () => {
      watch.life()
      on_life()
    })
  }
  socket.on('pong', (data: Buffer) => {
    if (data.length === 0) on_heartbeat()
  })
  return {
    ended,
    end,
    confirm: () => confirmed(socket, ended),
    send: (texts) => {
      if (socket.readyState !== WebSocket.OPEN) return false
      for (const text of texts) socket.send(text)
      return true
    },
    pause: () => {
      socket.pause()
      watch.suspend(true)
    },
    resume: () => {
      watch.suspend(false)
      if (socket.readyState === WebSocket.OPEN) socket.resume()
    },
  }
}

/** Content of a ping that somebody waits for; pings that watch for silence are empty. */
const CONFIRM = 'confirm'

function confirmed(socket: WebSocket, ended: Promise<string>): Promise<boolean> {
  if (socket.readyState !== WebSocket.OPEN) return Promise.resolve(false)
  const answered = new Promise<boolean>((resolve) => {
    socket.once('pong', () => resolve(true))
  })
  socket.ping(CONFIRM)
  return Promise.race([answered, ended.then(() => false)])
}

/**
 * Pings repeatedly, and ends a connection that is silent or quiet for too long. Time is counted in pings, so a process that was
 * held up does not take its own silence for the venue's.
 */
function watchSilence(socket: WebSocket, { policy, protocol }: ConnectionOptions, end: (why: string) => void) {
  const { heartbeat_ms, silence_ms, quiet_ms } = policy
  const since = { life: 0, message: 0 }
  let suspended = false
  let pings = 0
  let timer: NodeJS.Timeout | null = null
  const reset = () => {
    since.life = 0
    since.message = 0
  }
  const beat = () => {
    if (suspended) return
    if (since.life * heartbeat_ms >= silence_ms) return end(`no sign of life for ${silence_ms} ms`)
    if (quiet_ms !== null && since.message * heartbeat_ms >= quiet_ms) return end(`no message for ${quiet_ms} ms`)
    since.life += 1
    since.message += 1
    pings += 1
    socket.ping()
    const text = protocol.ping(pings)
    if (text !== null) socket.send(text)
  }
  return {
    start: () => {
      timer = setInterval(beat, heartbeat_ms)
    },
    stop: () => {
      if (timer !== null) clearInterval(timer)
    },
    life: () => {
      since.life = 0
    },
    message: reset,
    suspend: (on: boolean) => {
      suspended = on
      reset()
    },
  }
}
