import { readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLocalStore } from '../../../warehouse/store/local-store.ts'
import { tempFolder } from '../log/fixtures.ts'

const KEY = 'event/_sealed'

test('a watermark that several raise at once never falls, and is one file', async () => {
  const root = tempFolder()
  const stores = Array.from({ length: 4 }, () => openLocalStore(root))
  const reading = openLocalStore(root)
  expect(await reading.watermark(KEY)).toBe(0)
  let raised = 0
  let is_running = true
  const seen: number[] = []
  const watch = (async () => {
    while (is_running) {
      const at_least = raised
      const value = await reading.watermark(KEY)
      expect(value).toBeGreaterThanOrEqual(Math.max(at_least, seen.at(-1) ?? 0))
      seen.push(value)
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  const raise = async (turn: number) => {
    for (let n = 1; n <= 100; n++) {
      const to = 1 + ((n * 7 + turn * 13) % 400)
      await stores[turn]!.raiseWatermark(KEY, to)
      raised = Math.max(raised, to)
    }
  }
  await Promise.all(stores.map((_, turn) => raise(turn)))
  is_running = false
  await watch
  expect(new Set(seen).size).toBeGreaterThan(3)
  expect(readdirSync(join(root, KEY))).toEqual([String(raised)])
  expect(readdirSync(join(root, '.unfinished'))).toEqual([])
})

test('a folder without its file is damaged, not a watermark of 0', async () => {
  const root = tempFolder()
  await mkdir(join(root, KEY), { recursive: true })
  await expect(openLocalStore(root).watermark(KEY)).rejects.toMatchObject({ code: 'WAREHOUSE_CORRUPT' })
})
