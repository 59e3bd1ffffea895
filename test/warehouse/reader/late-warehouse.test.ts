import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { QUERY_LIMITS } from '../../../warehouse/reader/history/query-limits.ts'
import { openReader } from '../../../warehouse/reader/open-reader.ts'
import type { Reader } from '../../../warehouse/reader/reader.ts'
import { RECENT_LIMITS } from '../../../warehouse/reader/recent-commits.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { SEED } from '../../support/seed.ts'
import { until } from '../../support/service-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { caughtUp } from './caught-up.ts'
import { COMMITS, copyFirst, FIRST } from './opened-world.ts'
import { type WorldCommit, worldCommits, writeWorld } from './world.ts'

/** A warehouse that is filled beside its place and put there under a reader that waits for it. */
const [INDEXES, MARKETS] = [
  ['idx_0', 'idx_1', 'idx_2'],
  ['mkt_0', 'mkt_1', 'mkt_2'],
]
const root = join(tempFolder(), 'warehouse')
const commits: readonly WorldCommit[] = worldCommits(SEED, COMMITS)
const versions = new Map<WorldCommit, number>()
const limits = { ...QUERY_LIMITS, processes: 0 }
const opened: { close(): Promise<void> | void }[] = []
/** The world may have been written at the beginning of a long run. */
const recent = { ...RECENT_LIMITS, retention_ms: 86_400_000 }
const open = async (): Promise<Reader> => {
  const reader = await openReader({ root, interval_ms: 100, limits, recent })
  opened.push(reader)
  return reader
}

afterAll(async () => {
  for (const one of opened) await one.close()
})

test('a reader that waited keeps for resuming what came since, and answers like one that found it', async () => {
  const waiting = await open()
  expect(waiting.status().phase).toBe('starting')
  await copyFirst(`${root}.making`, commits, versions)
  await rename(`${root}.making`, root)
  await until(() => waiting.status().phase === 'ready', 30_000)
  const found = await open()
  expect(waiting.feed.recent('index_observation')).toEqual([])
  expect(found.feed.recent('index_observation')).not.toEqual([])
  expect(answers(waiting)).toEqual(answers(found))

  const warehouse: Warehouse = await openWarehouse({ root })
  opened.push(warehouse)
  await writeWorld(warehouse, commits.slice(FIRST), versions)
  // tables are followed beside each other: one that has caught up says nothing about the rest
  for (const reader of [waiting, found]) await caughtUp(reader, warehouse)
  const since = waiting.feed.recent('index_observation')
  expect(since).not.toEqual([])
  expect(found.feed.recent('index_observation').slice(-since.length)).toEqual(since)
  expect(answers(waiting)).toEqual(answers(found))
})

function answers({ latest, feed }: Reader) {
  const levels = INDEXES.map((id) => latest.observation(id))
  const quotes = MARKETS.map((id) => latest.quotes(id).toSorted((a, b) => a.seq - b.seq))
  return { levels, quotes, head: feed.head('index_observation') }
}
