import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batchPayloads } from '../../../connectors/archives/payloads/batch-payloads.ts'
import { type MergeSource, mergePayloads } from '../../../connectors/archives/payloads/merge-payloads.ts'
import type { PayloadItem } from '../../../connectors/archives/payloads/payload-item.ts'
import { SEED } from '../../support/seed.ts'

const FIRST = 1_700_000_000_000_000

/** A payload received `at` microseconds after FIRST; `name` tells it apart. */
const item = (at: number, name: string, length = 1): PayloadItem => ({
  payload: {
    venue_id: 'v',
    endpoint: 'e',
    request: null,
    received_at: FIRST + at,
    file: name,
    text: 'x'.repeat(length),
  },
})

const nameOf = (one: PayloadItem) => ('payload' in one ? one.payload.file : one.quarantined.file)
const timeOf = (one: PayloadItem) => ('payload' in one ? one.payload.received_at : 0)

/** A source that gives its items in pieces. */
function source(items: readonly PayloadItem[], piece: number, on_open?: () => void): MergeSource {
  const first = items.find((one) => 'payload' in one)
  return {
    first_received_at: first === undefined ? null : timeOf(first),
    read: async function* read() {
      on_open?.()
      for (let from = 0; from < items.length; from += piece) yield items.slice(from, from + piece)
    },
  }
}

async function merged(sources: readonly MergeSource[]): Promise<PayloadItem[]> {
  const all: PayloadItem[] = []
  for await (const items of mergePayloads(sources)) all.push(...items)
  return all
}

test('of equal instants the earlier source comes first, and a file keeps its own order', async () => {
  const a = source([item(0, 'a0'), item(5, 'a5'), item(5, 'a5 again')], 1)
  const b = source([item(1, 'b1'), item(5, 'b5'), item(6, 'b6')], 3)
  expect((await merged([a, b])).map(nameOf)).toEqual(['a0', 'b1', 'a5', 'a5 again', 'b5', 'b6'])
})

test('a payload older than the one before it in its file comes right after that one', async () => {
  const a = source([item(0, 'a0'), item(9, 'a9'), item(2, 'a2'), item(10, 'a10')], 2)
  const b = source([item(5, 'b5'), item(9, 'b9')], 2)
  expect((await merged([a, b])).map(nameOf)).toEqual(['a0', 'b5', 'a9', 'a2', 'b9', 'a10'])
})

test('a file is opened when its first payload is due', async () => {
  const opened: string[] = []
  const open = (name: string) => () => opened.push(name)
  const a = source([item(0, 'a0'), item(1, 'a1')], 1, open('a'))
  const b = source([item(7, 'b7')], 1, open('b'))
  const reading = mergePayloads([a, b])
  await reading.next()
  expect(opened).toEqual(['a'])
  await reading.next()
  await reading.next()
  expect(opened).toEqual(['a', 'b'])
  await reading.return(undefined)
})

test('all payloads of sorted files come out once, sorted by receipt', async () => {
  const times = fc.array(fc.nat({ max: 40 }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.array(times, { maxLength: 5 }), fc.integer({ min: 1, max: 4 }), async (files, piece) => {
      const sources = files
        .map((file, n) =>
          source(
            file.toSorted((a, b) => a - b).map((at, i) => item(at, `${n}.${i}`)),
            piece,
          ),
        )
        .toSorted((a, b) => (a.first_received_at ?? 0) - (b.first_received_at ?? 0))
      const all = await merged(sources)
      expect(all.map(timeOf)).toEqual(all.map(timeOf).toSorted((a, b) => a - b))
      expect(new Set(all.map(nameOf)).size).toBe(files.flat().length)
    }),
    { seed: SEED },
  )
})

test('a batch ends where its text is enough, but never inside one instant unless that is twice too much', async () => {
  const cut = async (items: readonly PayloadItem[]) => {
    const batches: string[][] = []
    const limits = { text_max: 10, payloads_max: 100 }
    for await (const { payloads } of batchPayloads([items] as unknown as AsyncIterable<PayloadItem[]>, limits)) {
      batches.push(payloads.map(({ file }) => file))
    }
    return batches
  }
  expect(await cut([item(0, 'a', 6), item(1, 'b', 6), item(1, 'c', 6), item(2, 'd', 6)])).toEqual([
    ['a', 'b', 'c'],
    ['d'],
  ])
  expect(await cut(Array.from({ length: 7 }, (_, n) => item(0, `${n}`, 4)))).toEqual([
    ['0', '1', '2', '3', '4'],
    ['5', '6'],
  ])
})
