import { expect, test } from 'vitest'
import { FrameReader, FrameWriter } from '../../../trading/service/frames.ts'

function openSocket() {
  const writes: Buffer[] = []
  const socket = { destroyed: false, write: (bytes: Buffer) => writes.push(bytes) > 0 }
  return { socket, writes, writer: new FrameWriter(socket as never) }
}
const turn = () => new Promise((next) => setImmediate(next))
const MESSAGES = [{ kind: 'submit', id: 1 }, { text: 'für 5 €' }, { list: [1, 2, 3] }]

test('what is sent within one turn is one write, and reads as what was sent however it is cut', async () => {
  const { writes, writer } = openSocket()
  for (const message of MESSAGES) writer.send(message)
  await Promise.resolve().then(() => writer.send({ id: 4 }))
  await turn()
  writer.send({ id: 5 })
  await turn()
  expect(writes.length).toBe(2)
  const sent = Buffer.concat(writes)
  const reader = new FrameReader()
  const read = Array.from(sent, (_, at) => reader.push(sent.subarray(at, at + 1))).flat()
  expect(read).toEqual([...MESSAGES, { id: 4 }, { id: 5 }])
})

test('a message that is too long is refused alone: what was sent beside it arrives', async () => {
  const { writes, writer } = openSocket()
  writer.send({ id: 1 })
  expect(() => writer.send({ id: 2, data: 'ü'.repeat(3 * 1024 * 1024) })).toThrow(/at most 4194304 bytes/)
  writer.send({ id: 3, data: 'u'.repeat(3 * 1024 * 1024) })
  await turn()
  expect(new FrameReader().push(Buffer.concat(writes))).toMatchObject([{ id: 1 }, { id: 3 }])
})

test('nothing is written to a socket that is gone', async () => {
  const { socket, writes, writer } = openSocket()
  writer.send({ id: 1 })
  socket.destroyed = true
  await turn()
  expect(writes).toEqual([])
})
