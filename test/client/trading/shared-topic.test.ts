import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AccountStream, createAccountStream } from '../../../client/trading/stream/account-stream.ts'
import type { TopicChange } from '../../../client/trading/stream/followed-topic.ts'
import type { Resume } from '../../../client/trading/stream/topic-resources.ts'
import { sized } from '../../support/sized.ts'
import { FakeStream } from '../stream/fake-stream.ts'

const KEY = {
  ...{ key_id: 'key_0123456789abcdef', environment: 'sandbox', secret: '5e'.repeat(32) },
  algorithm: 'hmac-sha256',
} as const
const streamOf = (service: FakeStream) =>
  createAccountStream({
    base_url: 'http://service.example',
    key: KEY,
    open: service.open,
    retry_ms: { first: 0, max: 1 },
  })

/** Lets messages, answers and the next connection run. */
const turn = () => new Promise((resolve) => setTimeout(resolve))
async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await turn()
}

/** Follows fills and keeps what is heard. */
function listen(stream: AccountStream, resume?: Resume) {
  const heard: TopicChange[] = []
  const leave = stream.follow('account.fill', (change) => heard.push(change), resume === undefined ? {} : { resume })
  const seqs = () => heard.map((change) => (change.type === 'gap' ? change.to_seq : change.seq))
  return { heard, leave, resume, position: () => seqs().at(-1) ?? resume?.after_seq ?? -1 }
}
type Listening = ReturnType<typeof listen>

/** Expects a state first, unless it resumed, and then every event of the log once and in order. */
function expectWhole({ heard, resume }: Listening, log: readonly number[]): void {
  if (resume === undefined && heard.length > 0) expect(heard[0]!.type).not.toBe('event')
  let position = resume?.after_seq ?? 0
  for (const change of heard) {
    if (change.type === 'event') expect(change.seq).toBe(log.find((seq) => seq > position))
    position = change.type === 'gap' ? change.to_seq : change.seq
  }
}

test('listeners of one topic share its subscription, and each hears its state and then every event', async () => {
  const service = new FakeStream(true, true)
  const stream = streamOf(service)
  service.publish('sent')
  const first = listen(stream)
  const second = listen(stream)
  const resumed = listen(stream, { epoch: 'e1', after_seq: 0 })
  const all = [first, second, resumed]
  await until(() => all.every(({ position }) => position() === service.head))
  service.publish('sent')
  await until(() => all.every(({ position }) => position() === service.head))
  expect(all.map(({ heard }) => heard.map(({ type }) => type))).toEqual([
    ['snapshot', 'event'],
    ['snapshot', 'event'],
    ['event', 'event'],
  ])
  expect(first.leave()).toEqual({ epoch: 'e1', after_seq: service.head })
  second.leave()
  service.publish('sent')
  await until(() => resumed.position() === service.head)
  expect(first.heard).toHaveLength(2)
  resumed.leave()
  expect(service.asked.at(-1)).toMatchObject({ op: 'unsubscribe' })
  expect(service.doubled).toBe(0)
  stream.close()
})

test('a topic that is left and followed again before its answer came is heard', async () => {
  const service = new FakeStream(true, true)
  const stream = streamOf(service)
  listen(stream).leave()
  await until(() => service.asked.some(({ op }) => op === 'auth'))
  await turn()
  listen(stream).leave()
  const again = listen(stream)
  await until(() => again.heard.length === 1)
  expect([again.heard[0]!.type, service.doubled]).toEqual(['snapshot', 0])
  stream.close()
})

const ACTIONS = ['sent', 'sent', 'lost', 'repeated', 'cut', 'heartbeat', 'failed', 'forgotten', 'renumbered'] as const
const MOVES = [...ACTIONS, 'turn', 'turn', 'follow', 'resume', 'stale', 'leave'] as const

test('any listeners, coming and going, hear every event once, or a gap or state says what is missing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...MOVES), fc.nat(20)), { maxLength: 40 }), async (moves) => {
      const service = new FakeStream(true, true)
      const stream = streamOf(service)
      const all = [listen(stream)]
      const here = new Set(all)
      const join = (resume?: Resume) => here.add(all[all.push(listen(stream, resume)) - 1]!)
      for (const [move, which] of moves) {
        const one = [...here][which % Math.max(1, here.size)]
        if (move === 'turn') await turn()
        else if (move === 'follow') join()
        else if (move === 'resume') join({ epoch: service.epoch, after_seq: service.log[which] ?? service.head })
        else if (move === 'stale') join({ epoch: 'e0', after_seq: 0 })
        else if (move === 'cut') service.cut()
        else if (move === 'heartbeat') service.heartbeat()
        else if (move === 'failed') service.failSubscription()
        else if (move === 'forgotten') service.forgotten = service.log.length
        else if (move === 'renumbered') service.epoch = `e${service.log.length + 2}`
        else if (move !== 'leave') service.publish(move)
        else if (one !== undefined && here.delete(one)) one.leave()
      }
      service.publish('sent')
      await until(() => {
        service.heartbeat()
        return [...here].every(({ position }) => position() === service.head)
      })
      stream.close()
      for (const one of all) expectWhole(one, service.log)
      expect(service.doubled).toBe(0)
    }),
    { numRuns: sized(60, 1000) },
  )
})
