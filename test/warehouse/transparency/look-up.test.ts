import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { encodeBundle } from '../../../pipelines/transparency/entry-bundle.ts'
import { entryBytes } from '../../../pipelines/transparency/log-entry.ts'
import { tilePath } from '../../../pipelines/transparency/tiles.ts'
import { openLogDisk } from '../../../warehouse/transparency/log-disk.ts'
import { SEGMENT_ENTRIES, segmentPath } from '../../../warehouse/transparency/log-layout.ts'
import { openLookUp } from '../../../warehouse/transparency/look-up.ts'
import { repairSegments, writeSegments } from '../../../warehouse/transparency/look-up-segments.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = join(tempFolder(), 'log')
const disk = openLogDisk(folder)
const SIZE = SEGMENT_ENTRIES + 300
/** Every thousandth entry is about one record that was published again and again. */
const nameOf = (n: number) => ({ kind: 'rating', record_id: n % 1000 === 7 ? 'rat_often' : `rat_${n}` })

beforeAll(async () => {
  const published_at = '2026-01-17T00:00:00Z'
  for (let first = 0; first < SIZE; first += 256) {
    const width = Math.min(256, SIZE - first)
    const entries = Array.from({ length: width }, (_, n) =>
      entryBytes({ form: 'rating/1', ...nameOf(first + n), published_at, record_text: '{}' }),
    )
    await disk.write(tilePath({ level: 'entries', index: first / 256, width }), encodeBundle(entries))
  }
  await writeSegments(disk, 0, SIZE)
})

test('finds each record by its name, in a full segment on disk and in the entries after it', async () => {
  const look_up = openLookUp(disk)
  for (const n of [0, 1, 255, 256, 4711, 32_768, SEGMENT_ENTRIES - 1, SEGMENT_ENTRIES, SIZE - 1]) {
    expect(await look_up.find('rating', `rat_${n}`, SIZE), String(n)).toEqual([n])
  }
  for (let n = 0; n < SIZE; n += 997) {
    if (n % 1000 !== 7) expect(await look_up.find('rating', `rat_${n}`, SIZE), String(n)).toEqual([n])
  }
})

test('finds every entry about a record, and only below the size that is asked for', async () => {
  const all = Array.from({ length: SIZE }, (_, n) => n).filter((n) => n % 1000 === 7)
  expect(await openLookUp(disk).find('rating', 'rat_often', SIZE)).toEqual(all)
  expect(await openLookUp(disk).find('rating', 'rat_often', 5000)).toEqual(all.filter((n) => n < 5000))
})

test('finds nothing under another kind or name', async () => {
  const look_up = openLookUp(disk)
  expect(await look_up.find('severity', 'rat_1', SIZE)).toEqual([])
  expect(await look_up.find('rating', 'rat_none', SIZE)).toEqual([])
})

test('goes on as the log grows', async () => {
  const look_up = openLookUp(disk)
  expect(await look_up.find('rating', 'rat_400', 300)).toEqual([])
  expect(await look_up.find('rating', 'rat_400', 500)).toEqual([400])
  expect(await look_up.find('rating', 'rat_400', SIZE)).toEqual([400])
})

function flip(file: string, at: number): void {
  const bytes = readFileSync(file)
  bytes[at]! ^= 1
  writeFileSync(file, bytes)
}

describe('a segment', () => {
  const file = join(folder, segmentPath(0))

  test('with a bit flipped is made again from the entries, by readers in memory and by the writer on disk', async () => {
    const whole = readFileSync(file)
    flip(file, 16 * 4711 + 3)
    const look_up = openLookUp(disk)
    for (const n of [1, 4711, SEGMENT_ENTRIES - 1]) {
      expect(await look_up.find('rating', `rat_${n}`, SIZE), String(n)).toEqual([n])
    }
    await repairSegments(disk, SIZE)
    expect(readFileSync(file).equals(whole)).toBe(true)
  })

  test('that is whole is left as it is', async () => {
    const { mtimeMs } = statSync(file)
    await repairSegments(disk, SIZE)
    expect(statSync(file).mtimeMs).toBe(mtimeMs)
  })

  test('that is lost while it is in use is made again', async () => {
    const look_up = openLookUp(disk)
    expect(await look_up.find('rating', 'rat_1', SIZE)).toEqual([1])
    writeFileSync(file, readFileSync(file).subarray(0, 16 * SEGMENT_ENTRIES))
    expect(await look_up.find('rating', 'rat_2', SIZE)).toEqual([2])
    rmSync(file)
    expect(await look_up.find('rating', 'rat_65000', SIZE)).toEqual([65_000])
  })
})
