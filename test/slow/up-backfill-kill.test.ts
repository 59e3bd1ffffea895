import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { type LiveWorld, worldOptions, writeWorld } from '../../service/live/live-world.ts'
import type { Ready } from '../../service/up/ready-file.ts'
import { begin, run } from '../../tools/reliability/flows/commands.ts'
import { type Content, contentOf, differences } from '../../tools/reliability/flows/content.ts'
import { connectTemporal } from '../../workflows/client/connect.ts'
import { hasWorkers } from '../../workflows/client/has-workers.ts'
import { chunksDone } from '../support/chunks-done.ts'
import { serveVenue } from '../support/served-venue.ts'
import { type Service, startService, until } from '../support/service-process.ts'
import { tempFolder } from '../support/temp-folder.ts'

const VENUE = 'kalshi'
const HOUR: Micros = 3_600_000_000
const WAIT_MS = 240_000
const NOW = Math.floor(wallClock() / HOUR) * HOUR
/** Old enough that no session of `up` reads it back, and recent enough that the venue still lists it. */
const RANGE = { from: formatMicros(NOW - 26 * HOUR), to: formatMicros(NOW - 6 * HOUR) }
const COMMAND = ['backfill', '--venue', VENUE, '--from', RANGE.from, '--to', RANGE.to, '--json']

/** World that began a day ago; nothing of it has been read before. */
function pastWorld(): LiveWorld {
  const effective_from = formatMicros(NOW + HOUR)
  return {
    ...{ format: 1, generation: 1, seed: 'killed', start: formatMicros(NOW - 28 * HOUR), days: 14, markets: 9 },
    ...{ interval: 'PT1M', base_date: effective_from, effective_from, methodology: '1.1.0' },
  }
}

/** Records of the range in each table, and the marks of its minutes. */
function ofRange(content: Content): Content {
  const [from, to] = [toMicros(RANGE.from), toMicros(RANGE.to)]
  const isWithin = (line: string) => {
    const fields = new Map(JSON.parse(line) as [string, unknown][])
    const at = toMicros(String(fields.get('tick_at') ?? fields.get('source_at')))
    return at >= from && at < to
  }
  const tables = ['market_quote_history', 'public_trade_history', 'market_resolution_history', 'market_mark']
  return Object.fromEntries(tables.map((table) => [table, content[table]!.filter(isWithin)]))
}

/** Waits until a worker of the service takes backfills: a command before that would work itself. */
async function untilWorking({ ready_file, notes }: Service): Promise<void> {
  const server = () => (JSON.parse(readFileSync(ready_file, 'utf8')) as Ready).temporal
  await until(() => server() !== null, WAIT_MS, notes)
  const connected = await connectTemporal(server()!)
  await until(() => hasWorkers(connected, 'bulk'), WAIT_MS, notes)
  await connected.close()
}

test('`up` killed in the middle of a backfill: the same command after the next start ends it, equal to an undisturbed one', async () => {
  const [home, undisturbed] = [tempFolder(), tempFolder()]
  const world = pastWorld()
  await writeWorld(home, world)
  const at_home = { TIDEMARK_HOME: home }
  const first = await startService(home)
  await untilWorking(first)
  const waiting = begin(COMMAND, at_home)
  await until(() => chunksDone(join(home, 'warehouse')) > 0, WAIT_MS, first.notes)
  await first.stop('SIGKILL')
  expect(waiting.child.exitCode, 'the backfill had not ended').toBeNull()
  const before = chunksDone(join(home, 'warehouse'))
  expect(before).toBeGreaterThan(0)

  const second = await startService(home)
  try {
    await untilWorking(second)
    const { exit_code, stderr } = await waiting.ended
    expect([exit_code, stderr.trimEnd().split('\n').at(-1)]).toEqual([
      4,
      expect.stringMatching(
        /^error: the Temporal server at \S+ ended, and \S+ has another one at .*; allowed: the same command again/,
      ),
    ])
    const report = JSON.parse(await run(COMMAND, at_home)) as {
      state: string
      chunks_total: number
      chunks_done: number
    }
    expect(report).toMatchObject({ state: 'done', chunks_done: report.chunks_total })
    expect(before).toBeLessThan(report.chunks_total)
  } finally {
    await second.stop('SIGTERM')
  }

  const served = await serveVenue(VENUE, worldOptions(world), wallClock())
  await run([...COMMAND, '--in-process', '--base-url', served.base_url], { TIDEMARK_HOME: undisturbed })
  await served.close()
  const expected = ofRange(await contentOf(undisturbed))
  expect(expected.market_quote_history!.length).toBeGreaterThan(100)
  expect(differences(expected, ofRange(await contentOf(home)))).toEqual([])
  await run(['audit', '--warehouse', join(home, 'warehouse')])
}, 900_000)
