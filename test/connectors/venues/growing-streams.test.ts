import { afterEach, expect, test } from 'vitest'
import type { PayloadItem } from '../../../connectors/archives/payloads/payload-item.ts'
import type { VenueConnector } from '../../../connectors/venues/venue-connector.ts'
import type { VenueStream } from '../../../connectors/ws/venue-stream.ts'
import { MICROS_PER_DAY } from '../../../primitives/instants.ts'
import { MINUTE, START } from '../../simulator/support/small-world.ts'
import { type ServedVenue, serveVenue } from '../../support/served-venue.ts'
import { until } from './served-world.ts'

const WORLD = { seed: 'growing', start: START, days: 2, markets: 12, interval: 10 * MINUTE }
const running: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
})

async function list(connector: VenueConnector): Promise<void> {
  for await (const _item of connector.read('markets', { from: START, to: null }));
}

const textsOf = (items: readonly PayloadItem[]) => items.map((item) => ('payload' in item ? item.payload.text : ''))

/** Moves the clock until something has been told of a market; gives all that came. */
async function untilTold(served: ServedVenue, stream: VenueStream, name: string): Promise<string[]> {
  const texts: string[] = []
  for (let at = served.clock.now(); at < START + 2 * MICROS_PER_DAY - MINUTE; ) {
    at += 10 * MINUTE
    served.clock.advanceTo(at)
    await stream.confirm()
    texts.push(...textsOf(stream.take()))
    if (texts.some((text) => text.includes(name))) return texts
  }
  throw new TypeError(`no answer is set for ${name}`)
}

test.each(['kalshi', 'polymarket'] as const)(
  '%s: a market that is listed later is told of on the stream that is open, and nothing of the others is lost',
  async (venue_id) => {
    const served = await serveVenue(venue_id, WORLD)
    const connector = served.connect({ stream: { backoff_first_ms: 1 } })
    running.push(connector, served)
    await list(connector)
    const [stream, ...more] = connector.openStreams()
    expect(more).toEqual([])
    await until(() => stream!.state === 'open')
    await stream!.confirm()
    const known = stream!.names
    // As if the list had not shown the last market before: it is asked for by name only now.
    const all = [...known]
    const late = all.at(-1)!
    await connector.close()
    running.shift()

    const second = served.connect({ stream: { backoff_first_ms: 1 } })
    running.unshift(second)
    served.faults.nextAnswer('/markets', { kind: 'status', status: 404 })
    await list(second)
    const [empty] = second.openStreams()
    expect(empty === undefined ? [] : empty.names).toEqual([])
    await list(second)
    const opened = second.extendStreams()
    const growing = empty ?? opened[0]!
    expect(growing.names).toContain(late)
    await until(() => growing.state === 'open')
    await growing.confirm()
    const texts = await untilTold(served, growing, late)
    expect(texts.length).toBeGreaterThan(0)
    expect(second.extendStreams()).toEqual([])
  },
)

test('names are added to the connection that is open: one connection, whole books of the new ones, no gap', async () => {
  const served = await serveVenue('kalshi', WORLD)
  running.push(served)
  const connector = served.connect({ stream: { backoff_first_ms: 1 } })
  running.unshift(connector)
  await list(connector)
  const [stream] = connector.openStreams()
  await until(() => stream!.state === 'open')
  await stream!.confirm()
  const names = [...stream!.names]
  const opening = textsOf(stream!.take())
  expect(opening.filter((text) => text.includes('orderbook_snapshot')).length).toBeGreaterThan(2)
  stream!.extend(names.slice(0, 1)) // known already: acknowledged, and no book of it comes again
  await stream!.confirm()
  const answered = textsOf(stream!.take())
  expect(answered.filter((text) => text.includes('"type":"ok"')).length).toBeGreaterThan(0)
  expect(answered.some((text) => text.includes('orderbook_snapshot'))).toBe(false)
  for (let n = 1; n < 30; n += 1) {
    served.clock.advanceTo(START + n * 10 * MINUTE)
    await stream!.confirm()
  }
  expect([stream!.connections, stream!.gaps]).toEqual([1, 0])
})
