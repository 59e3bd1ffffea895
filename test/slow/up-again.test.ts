import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tidemarkProcess } from '../support/run-cli.ts'
import { descendants, isAlive, latestLevel, startService, until } from '../support/service-process.ts'
import { tempFolder } from '../support/temp-folder.ts'

const INDEX = 'idx_live_current'
const commandOf = (pid: number) => `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`
const LEVEL_MS = 200_000

test('killed, it leaves no process; the next start goes on with the same world, tick by tick', async () => {
  const home = tempFolder()
  const first = await startService(home)
  await until(async () => (await latestLevel(first.ready, INDEX)) !== null, LEVEL_MS, first.notes)
  const world = readFileSync(join(home, 'live', 'world.json'), 'utf8')
  const last = (await latestLevel(first.ready, INDEX))!.tick_at
  const below = descendants(first.child.pid!)
  expect(below.length).toBeGreaterThan(0)
  await first.stop('SIGKILL')
  await until(
    () => !below.some(isAlive),
    10_000,
    () => below.filter(isAlive).map(commandOf).join('; '),
  )

  const second = await startService(home)
  await until(
    async () => Date.parse((await latestLevel(second.ready, INDEX))?.tick_at ?? last) > Date.parse(last) + 60_000,
    LEVEL_MS,
    second.notes,
  )
  expect(readFileSync(join(home, 'live', 'world.json'), 'utf8')).toBe(world)
  expect(await second.stop('SIGTERM')).toEqual([143, null])

  // Until something is known of an index, ticks that only repeat that make no record.
  const statement = `with tick as (
      select index_id, tick_at, count(*) as n, count(level) as levels
      from index_observation_history where index_id like 'idx_live%' group by all
    ), begun as (
      select *, min(tick_at) filter (where levels > 0) over (partition by index_id) as first_level from tick
    ) select n, tick_at, lead(tick_at) over (partition by index_id order by tick_at) as next
      from begun where tick_at >= first_level order by index_id, tick_at`
  const { stdout } = await tidemarkProcess(['sql', '--warehouse', join(home, 'warehouse'), '--json', statement])
  const rows = JSON.parse(stdout) as { n: number; tick_at: string; next: string | null }[]
  expect(rows.length).toBeGreaterThan(60)
  for (const { n, tick_at, next } of rows) {
    expect(n).toBe(1)
    if (next !== null) expect(Date.parse(next) - Date.parse(tick_at)).toBe(60_000)
  }
  expect((await tidemarkProcess(['audit', '--warehouse', join(home, 'warehouse')])).exit_code).toBe(0)
  expect((await tidemarkProcess(['index', 'verify', '--all', '--warehouse', join(home, 'warehouse')])).exit_code).toBe(
    0,
  )
})
