import { afterEach, expect, test } from 'vitest'
import { streamProjections } from '../../../api/stream/projections.ts'
import { Turns } from '../../../api/stream/turns.ts'
import { FakeLog, type FakeReader, fakeReader } from './fake-reader.ts'
import { CATALOG, index, levelRow } from './small-world.ts'
import { StreamClient } from './stream-client.ts'
import { type RunningStream, startStream } from './stream-server.ts'

const INDEXES = Array.from({ length: 60 }, (_, n) => `idx_${String(n).padStart(2, '0')}`)
/** Time that building one message takes. */
const BUILD_MS = 2
/** Most messages that are built in a turn: while its 10 ms last, and the one that is begun then. */
const BUILT_MAX = 6

const ended: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end()
})

/** A stream of many indexes whose messages take long to build. */
class SlowWorld {
  readonly log = new FakeLog()
  readonly reader: FakeReader
  /** Messages built in each turn of the event loop. */
  readonly built: number[] = [0]
  onBuilt: () => void = () => undefined
  #server!: RunningStream
  #is_open = true

  constructor() {
    const { versions, markets } = CATALOG
    this.reader = fakeReader(this.log, { versions, markets, indexes: INDEXES.map((id) => index(id)) })
    this.commit(...INDEXES.map((id) => levelRow(id, 1)))
    this.#countTurns()
  }

  static async open(): Promise<SlowWorld> {
    const world = new SlowWorld()
    const project = streamProjections(world.reader)
    const indexObservation: typeof project.indexObservation = (...asked) => {
      const until = performance.now() + BUILD_MS
      while (performance.now() < until);
      world.built[world.built.length - 1]! += 1
      world.onBuilt()
      return project.indexObservation(...asked)
    }
    world.#server = await startStream(world.reader, { project: { ...project, indexObservation } })
    ended.push(async () => {
      world.#is_open = false
      await world.#server.stop()
    })
    return world
  }

  async connect(): Promise<StreamClient> {
    const client = await StreamClient.open(this.#server.url)
    ended.push(() => client.close())
    return client
  }

  commit(...rows: Parameters<FakeLog['append']>[1]): void {
    this.log.append('index_observation', rows)
    this.reader.catchUp()
  }

  #countTurns(): void {
    if (!this.#is_open) return
    this.built.push(0)
    setImmediate(() => this.#countTurns())
  }
}

test('a large snapshot is sent over several turns, and what is published meanwhile follows it', async () => {
  const world = await SlowWorld.open()
  const client = await world.connect()
  let built = 0
  world.onBuilt = () => {
    built += 1
    if (built === 20) setImmediate(() => world.commit(levelRow('idx_03', 2), levelRow('idx_59', 2)))
  }
  await client.ask({ op: 'subscribe', id: 's', topic: 'index.price' })
  await client.next(({ kind }) => kind === 'published')
  await client.ask({ op: 'ping', id: 'p' })
  const EVENTS = 2 // Built as they are committed, beside what the turn builds.
  expect(Math.max(...world.built)).toBeLessThanOrEqual(BUILT_MAX + EVENTS)
  expect(client.data().map(({ type, data }) => [type, data.index_id, data.level])).toEqual([
    ...INDEXES.map((id) => ['snapshot', id, '1.0000']),
    ['event', 'idx_03', '2.0000'],
    ['event', 'idx_59', '2.0000'],
  ])
})

test('many connections that ask at once share the turns, and each is answered in order', async () => {
  const world = await SlowWorld.open()
  const clients = await Promise.all(Array.from({ length: 12 }, () => world.connect()))
  const asked = INDEXES.slice(0, 5)
  for (const client of clients) {
    for (const id of asked) client.send({ op: 'subscribe', id, topic: 'index.price', index_id: id })
    client.send({ op: 'ping', id: 'p' })
  }
  await Promise.all(clients.map((client) => client.next(({ id }) => id === 'p')))
  expect(Math.max(...world.built)).toBeLessThanOrEqual(BUILT_MAX)
  for (const client of clients) {
    const answers = client.said
      .slice(1)
      .map(({ type, id, data }) => [type, id ?? (data as { index_id: string }).index_id])
    expect(answers).toEqual([
      ...asked.flatMap((id) => [
        ['subscribed', id],
        ['snapshot', id],
      ]),
      ['pong', 'p'],
    ])
  }
})

test('a subscription that ends while its snapshot is sent gets no more of it', async () => {
  const world = await SlowWorld.open()
  const client = await world.connect()
  client.send({ op: 'subscribe', id: 's', topic: 'index.price' })
  client.send({ op: 'unsubscribe', id: 'u', sid: 'index.price' })
  client.send({ op: 'subscribe', id: 't', topic: 'index.price', index_id: 'idx_07' })
  await client.next(({ kind, sid }) => kind === 'snapshot' && sid === 'index.price:idx_07')
  const after = client.said.slice(client.said.findIndex(({ type }) => type === 'unsubscribed'))
  expect(after.map(({ type }) => type)).toEqual(['unsubscribed', 'subscribed', 'snapshot'])
})

test('a job that does not end makes a step a turn, and others go on between its steps', async () => {
  const turns = new Turns()
  const steps: string[] = []
  const busy = () => {
    const until = performance.now() + 12
    while (performance.now() < until);
    steps.push('busy')
    return steps.length > 6
  }
  turns.run(busy)
  turns.run(() => {
    steps.push('quick')
    return true
  })
  expect(steps).toEqual(['busy'])
  while (steps.length < 3) await new Promise((resolve) => setImmediate(resolve))
  expect(steps.slice(0, 3)).toEqual(['busy', 'busy', 'quick'])
})
