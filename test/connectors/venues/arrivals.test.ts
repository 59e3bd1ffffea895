import { expect, test } from 'vitest'
import type { PayloadItem } from '../../../connectors/archives/payloads/payload-item.ts'
import { arrivals } from '../../../connectors/venues/arrivals.ts'
import { batchArrivals } from '../../../connectors/venues/batch-arrivals.ts'
import { venuePayload } from '../../support/venue-payload.ts'

const item = (text: string): PayloadItem => ({ payload: venuePayload('kalshi', 'ws', text, '2026-01-05T10:00:00Z') })
const wait = (wait_ms: number) => new Promise((resolve) => setTimeout(resolve, wait_ms))

/** Texts, or waits of so many milliseconds. */
async function* source(...steps: readonly (string | number | Error)[]): AsyncGenerator<PayloadItem> {
  for (const step of steps) {
    if (step instanceof Error) throw step
    if (typeof step === 'number') await wait(step)
    else yield item(step)
  }
}

async function batchesOf(items: AsyncIterable<PayloadItem>, linger_ms: number | null, into: string[][] = []) {
  for await (const { payloads } of batchArrivals(items, { linger_ms })) into.push(payloads.map(({ text }) => text))
  return into
}

test('a batch waits no longer than it may, and loses nothing', async () => {
  expect(await batchesOf(source('a', 'b', 200, 'c'), 50)).toEqual([['a', 'b'], ['c']])
  expect(await batchesOf(source('a', 20, 'b'), null)).toEqual([['a', 'b']])
  expect(await batchesOf(source(), 50)).toEqual([])
})

test('where the source fails, what came before is a batch', async () => {
  const batches: string[][] = []
  await expect(batchesOf(source('a', 'b', new Error('gone')), null, batches)).rejects.toThrow('gone')
  expect(batches).toEqual([['a', 'b']])
})

test('several sources come in the order of arrival, until all have ended', async () => {
  const texts: string[] = []
  for await (const one of arrivals([source(40, 'late', 40, 'last'), source('first', 60, 'middle'), source()])) {
    texts.push('payload' in one ? one.payload.text : '')
  }
  expect(texts).toEqual(['first', 'late', 'middle', 'last'])
})

test('one source that fails ends all', async () => {
  const reading = (async () => {
    for await (const _item of arrivals([source(10_000, 'never'), source('a', new Error('gone'))]));
  })()
  await expect(reading).rejects.toThrow('gone')
})
