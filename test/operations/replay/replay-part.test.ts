import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PublishWorld, publishWorld } from '../../../bench/support/publish-world.ts'
import { MINUTE, YEAR_START } from '../../../bench/support/synthetic-books.ts'
import { replayIndex } from '../../../operations/replay/replay-index.ts'
import { replayPart } from '../../../operations/replay/replay-part.ts'
import { formatMicros, MICROS_PER_DAY } from '../../../primitives/instants.ts'

const DAYS = 3
const at = (days: number) => formatMicros(YEAR_START + days * MICROS_PER_DAY)

let world: PublishWorld

beforeAll(async () => {
  world = await publishWorld({ indexes: 1, constituents: 4, markets: 4 })
  await world.history(DAYS * (MICROS_PER_DAY / MINUTE))
}, 120_000)

afterAll(() => world.close())

async function part(from: number, to: number, whole = false) {
  const lines: string[] = []
  const request = { target: world.index_ids[0]!, from: at(from), to: at(to), as_of: null, warehouse: world.warehouse }
  const opened = await replayPart({ ...request, whole })
  try {
    for (const line of opened.lines()) lines.push(JSON.stringify(line))
    const { start, end } = opened.states()
    return { start, end, text: lines.join('\n') }
  } finally {
    await opened.close()
  }
}

test('parts that meet in their states give the lines of one replay', async () => {
  const lines: string[] = []
  const request = { target: world.index_ids[0]!, from: at(0), to: at(DAYS), as_of: null, warehouse: world.warehouse }
  for await (const line of replayIndex(request)) lines.push(JSON.stringify(line))
  const parts = [await part(0, 1.3), await part(1.3, 2), await part(2, DAYS)]
  expect(parts.map(({ text }) => text).join('\n')).toBe(lines.join('\n'))
  const [first, second, third] = parts
  expect(first!.start).toBeNull()
  expect([second!.start, third!.start]).toEqual([first!.end, second!.end])
  expect(first!.end).not.toBe(second!.end)
  expect(await part(2, DAYS, true)).toEqual({ ...third, start: null })
}, 120_000)
