import { connect, type Socket } from 'node:net'
import { invariant } from '../../primitives/errors.ts'

/**
 * Many clients in a process of their own. On `{open: {port, count, hello}}` it opens sockets, upgrades them and sends each the text
 * `hello`; on `{expect}` it replies once every socket has read that many further messages, and with `text` includes the first one's
 * messages. Messages are counted by walking over the frames, not by parsing, to keep clients cheap.
 */
type Asked =
  | { readonly open: { readonly port: number; readonly count: number; readonly hello: string | null } }
  | { readonly expect: number; readonly text: boolean }
  | { readonly end: true }

type Client = { readonly socket: Socket; messages: number; skip: number; head: Buffer }

const ZERO_MASK = Buffer.alloc(4)
const UPGRADE =
  'GET /v1/ws HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n'

let clients: Client[] = []
let first: Buffer[] = []
let behind = 0
let target = 0
let is_text_asked = false

process.on('message', async (asked: Asked) => {
  if ('open' in asked) {
    clients = []
    for (let opened = 0; opened < asked.open.count; opened += 1) clients.push(await openClient(asked.open))
    process.send!({ opened: clients.length })
  } else if ('expect' in asked) expectMessages(asked.expect, asked.text)
  else {
    for (const { socket } of clients) socket.destroy()
    clients = []
    process.send!({ ended: true })
  }
})

async function openClient({ port, hello }: { port: number; hello: string | null }): Promise<Client> {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay()
  socket.write(UPGRADE)
  const is_first = clients.length === 0
  const client: Client = { socket, messages: 0, skip: 0, head: Buffer.alloc(0) }
  await new Promise<void>((resolve) => {
    socket.once('data', (data) => {
      const end = data.indexOf('\r\n\r\n')
      invariant(end !== -1 && data.toString('latin1', 9, 12) === '101', `upgraded: ${data.toString('latin1')}`)
      read(client, data.subarray(end + 4), false)
      socket.on('data', (bytes) => read(client, bytes, is_first))
      if (hello !== null) socket.write(maskedFrame(hello))
      resolve()
    })
  })
  return client
}

/** Counts frames of a server, which are unmasked and each a whole message. */
function read(client: Client, bytes: Buffer, keep: boolean): void {
  if (keep) first.push(bytes)
  const before = client.messages
  let at = Math.min(client.skip, bytes.length)
  client.skip -= at
  while (at < bytes.length) {
    const head = client.head.length > 0 ? Buffer.concat([client.head, bytes.subarray(at)]) : bytes.subarray(at)
    const carried = client.head.length
    const frame_length = lengthOf(head)
    if (frame_length === null) {
      client.head = Buffer.from(head)
      break
    }
    client.head = Buffer.alloc(0)
    const take = Math.min(frame_length - carried, bytes.length - at)
    at += take
    client.skip = frame_length - carried - take
    client.messages += 1
  }
  if (before < target && client.messages >= target) settle()
}

function lengthOf(head: Buffer): number | null {
  if (head.length < 2) return null
  const short = head[1]! & 0x7f
  if (short < 126) return 2 + short
  if (short === 126) return head.length < 4 ? null : 4 + head.readUInt16BE(2)
  return head.length < 10 ? null : 10 + Number(head.readBigUInt64BE(2))
}

function expectMessages(count: number, text: boolean): void {
  is_text_asked = text
  target = count
  behind = clients.filter(({ messages }) => messages < target).length
  if (behind === 0) {
    behind = 1
    settle()
  }
}

function settle(): void {
  behind -= 1
  if (behind > 0) return
  process.send!({ read: target, first: is_text_asked ? Buffer.concat(first).toString('latin1') : '' })
  for (const client of clients) client.messages -= target
  target = Number.POSITIVE_INFINITY
  first = []
}

function maskedFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const head =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length])
      : Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 0xff])
  return Buffer.concat([head, ZERO_MASK, payload])
}

process.send!({ ready: true })
