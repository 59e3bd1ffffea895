import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { Batches } from '../../../api/stream/batches.ts'
import { textFrame } from '../../../api/stream/frame.ts'
import type { Message } from '../../../api/stream/message.ts'
import { Outbox } from '../../../api/stream/outbox.ts'
import { sized } from '../../support/sized.ts'

const BOUND = 4000

test.each([
  [0, '8100'],
  [125, '817d'],
  [126, '817e007e'],
  [65_535, '817effff'],
  [65_536, '817f0000000000010000'],
])('a text of %i bytes has the header %s (RFC 6455, 5.2)', (length, header) => {
  const text = 'ü'.repeat(Math.floor(length / 2)).padEnd(Math.ceil(length / 2), 'x')
  const expected = Buffer.concat([Buffer.from(header, 'hex'), Buffer.from(text)])
  expect(textFrame(text).equals(expected)).toBe(true)
  expect(textFrame(text.slice(0, 1), Buffer.from(text.slice(1))).equals(expected)).toBe(true)
})

/** A message whose bytes are its name and filling: what was written can be read back. */
function message(name: number, bytes: number, kind: 'data' | 'latest' | 'own'): Message {
  const text = `<${kind}:${name}>`.padEnd(bytes, '.')
  const latest_of = kind === 'latest' ? `key${name % 2}` : null
  return { bytes: Buffer.from(text), sid: kind === 'own' ? null : 'sid', seq: name, prev_seq: name - 1, latest_of }
}

function outboxOf(takes: () => boolean) {
  const batches = new Batches()
  const written: string[] = []
  const dropped: Message[] = []
  const ports = { batches, buffered_bytes_max: BOUND, now: () => 0, schedule: () => undefined }
  const owner = {
    onDropped: (messages: readonly Message[]) => void dropped.push(...messages),
    onStuck: () => undefined,
    onEmpty: () => undefined,
  }
  const bytes = {
    write(frame: Buffer) {
      written.push(frame.toString())
      return takes()
    },
  }
  const outbox = new Outbox(ports, owner, { websocket: { readyState: WebSocket.OPEN }, bytes })
  const names = (kind: string) =>
    [...written.join('').matchAll(new RegExp(`<${kind}:(\\d+)>`, 'g'))].map(([, name]) => Number(name))
  return { outbox, written, dropped, names }
}

const step = fc.record({
  kind: fc.constantFrom('data', 'data', 'latest', 'own'),
  bytes: fc.integer({ min: 12, max: 900 }),
  to: fc.constantFrom('first', 'second', 'both'),
  at_once: fc.boolean(),
  afterwards: fc.constantFrom('nothing', 'flush', 'unblock'),
})

test('every message is written once and in order, or given up and said; of conflated ones the newest of each key is written', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), fc.infiniteStream(fc.boolean()), (steps, takes) => {
      const sides = [0, 1].map(() => outboxOf(() => takes.next().value))
      const sent = sides.map(() => [] as Message[])
      for (const [name, { kind, bytes, to, at_once, afterwards }] of steps.entries()) {
        const made = message(name, bytes, kind as 'data')
        for (const [at, side] of sides.entries()) {
          if (to !== 'both' && to !== ['first', 'second'][at]) continue
          side.outbox.push(made, at_once)
          sent[at]!.push(made)
          if (afterwards === 'flush') side.outbox.flush()
          if (afterwards === 'unblock') side.outbox.unblock()
          expect(side.outbox.buffered_bytes).toBeLessThanOrEqual(BOUND + 900)
        }
      }
      for (const [at, { outbox, dropped, names }] of sides.entries()) {
        for (let turns = 0; outbox.buffered_bytes > 0 || outbox.conflated_count > 0; turns += 1) {
          expect(turns).toBeLessThan(200)
          outbox.unblock()
        }
        const of = (kind: string) => sent[at]!.filter(({ bytes }) => bytes.toString().startsWith(`<${kind}`))
        expect(names('own')).toEqual(of('own').map(({ seq }) => seq))
        expect([...names('data'), ...dropped.map(({ seq }) => seq)].sort((a, b) => a - b)).toEqual(
          of('data').map(({ seq }) => seq),
        )
        expect(names('data')).toEqual([...names('data')].sort((a, b) => a - b))
        for (const key of ['key0', 'key1']) {
          const newest = of('latest').findLast(({ latest_of }) => latest_of === key)
          const shown = names('latest').filter((name) => `key${name % 2}` === key)
          expect(shown.at(-1)).toBe(newest?.seq)
          expect(shown).toEqual([...new Set(shown)].sort((a, b) => a - b))
        }
      }
    }),
    { numRuns: sized(100, 300) },
  )
})

test('a run of messages is written and given up as its messages one by one are; two sockets may share its list', () => {
  const run = fc.record({
    kinds: fc.array(fc.constantFrom('data', 'latest', 'own'), { minLength: 1, maxLength: 6 }),
    bytes: fc.integer({ min: 12, max: 1500 }),
    alone: fc.boolean(),
    afterwards: fc.constantFrom('nothing', 'at_once', 'flush', 'unblock', 'forget'),
  })
  fc.assert(
    fc.property(fc.array(run, { maxLength: 40 }), fc.array(fc.boolean(), { minLength: 400 }), (runs, takes) => {
      const takesInTurn = () => {
        let turn = 0
        return () => takes[turn++ % takes.length]!
      }
      const sides = [0, 1, 2].map(() => outboxOf(takesInTurn()))
      const [by_one, ...by_run] = sides
      let seq = 0
      for (const { kinds, bytes, alone, afterwards } of runs) {
        const messages = kinds.map((kind, place) => message(seq + place + 1, bytes, kind as 'data'))
        seq += kinds.length
        const length = messages.reduce((sum, one) => sum + one.bytes.length, 0)
        for (const one of messages) by_one!.outbox.push(one)
        const at_once = afterwards === 'at_once'
        for (const { outbox } of by_run) {
          if (alone) for (const [at, one] of messages.entries()) outbox.push(one, at_once && at === kinds.length - 1)
          else outbox.pushAll(messages, length, at_once)
        }
        for (const { outbox } of sides) {
          if (at_once || afterwards === 'flush') outbox.flush()
          if (afterwards === 'unblock') outbox.unblock()
          if (afterwards === 'forget') outbox.forget('sid')
        }
        expect(messages).toHaveLength(kinds.length)
        for (const { outbox, written, dropped } of by_run) {
          expect(written).toEqual(by_one!.written)
          expect(dropped).toEqual(by_one!.dropped)
          expect([outbox.buffered_bytes, outbox.conflated_count, outbox.stalled_since]).toEqual([
            by_one!.outbox.buffered_bytes,
            by_one!.outbox.conflated_count,
            by_one!.outbox.stalled_since,
          ])
        }
      }
    }),
    { numRuns: sized(100, 300) },
  )
})
