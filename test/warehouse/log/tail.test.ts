import { expect, test } from 'vitest'
import { toMicros } from '../../../primitives/instants.ts'
import type { TailedVersion } from '../../../warehouse/warehouse.ts'
import { linkRow, linkRows, recorded, startChild, step, testWarehouse } from './fixtures.ts'

test('a tail gives every version once and in order: new rows with their files, seals and compactions without', async () => {
  const warehouse = await testWarehouse()
  const log = warehouse.log('index_link')
  for (const [i, day] of ['15', '16'].entries()) {
    await warehouse.append('index_link', linkRows(2, day), step(i + 1, recorded(`2026-01-${day}T00:00:00Z`)))
    await warehouse.append('index_link', linkRows(1, day), step(i + 1, recorded(`2026-01-${day}T01:00:00Z`), 'other'))
  }
  const seen: TailedVersion[] = []
  const stop = new AbortController()
  const follow = (async () => {
    for await (const next of log.tail({ after_version: 2, interval_ms: 5, signal: stop.signal })) {
      seen.push(next)
      if (seen.length === 5) stop.abort()
    }
  })()
  await log.seal(toMicros('2026-01-17T00:00:00Z'))
  await log.compact({ published_date: '2026-01-15' })
  await warehouse.append('index_link', [linkRow('last')], step(3, recorded('2026-01-18T00:00:00Z')))
  await follow
  expect(seen.map(({ version, operation, files }) => [version, operation, files.map((file) => file.rows)])).toEqual([
    [3, 'TEST', [2]],
    [4, 'TEST', [1]],
    [5, 'SEAL', []],
    [6, 'OPTIMIZE', []],
    [7, 'TEST', [1]],
  ])
})

test('rows that another process commits are seen within a second of its acknowledgement', async () => {
  const warehouse = await testWarehouse()
  const seen: [string, number][] = []
  const stop = new AbortController()
  const follow = (async () => {
    for await (const { files, version } of warehouse.log('index_link').tail({ signal: stop.signal })) {
      if (files.length > 0) seen.push([`ack ${version}`, Date.now()])
    }
  })()
  const child = startChild('append-writer.ts', {
    root: warehouse.root,
    app_id: 'child',
    first_sequence: 1,
    steps: 10,
    pause_ms: 150,
  })
  expect(await child.ended).toBe(0)
  await expect.poll(() => seen.length).toBeGreaterThanOrEqual(child.lines.length)
  stop.abort()
  await follow
  const acknowledged = child.lines.map(
    (line) => JSON.parse(line) as { sequence: number; version: number; at_ms: number },
  )
  expect(seen.map(([name]) => name)).toEqual(acknowledged.map(({ version }) => `ack ${version}`))
  // Of most: the system may let either process wait for longer now and then.
  const delays = acknowledged.map(({ at_ms }, i) => seen[i]![1] - at_ms).toSorted((a, b) => a - b)
  expect(delays[delays.length >> 1]).toBeLessThan(1_000)
})
