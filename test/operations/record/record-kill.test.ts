import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { importArchive } from '../../../operations/import/import-archive.ts'
import { MICROS_PER_DAY } from '../../../primitives/instants.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { MINUTE, START } from '../../simulator/support/small-world.ts'
import { BIN } from '../../support/run-cli.ts'
import { type ServedVenue, serveVenue } from '../../support/served-venue.ts'
import { ROOT } from '../../support/source-files.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { allRows } from './support.ts'

const folder = tempFolder()
const running: { close(): Promise<void> }[] = []
const WORLD = { seed: 'record-kill', start: START, days: 2, markets: 4, interval: 10 * MINUTE }

afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
})

function recorder(served: ServedVenue, dir: string, ...options: readonly string[]): ChildProcess {
  const argv = ['record', 'kalshi', '--out', dir, '--base-url', served.base_url, ...options]
  const environment = { ...process.env, TIDEMARK_HOME: join(folder, 'home') }
  const child = spawn(process.execPath, [BIN, ...argv], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  running.push({
    close: async () => {
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await once(child, 'exit')
    },
  })
  return child
}

const filesOf = (dir: string) => (existsSync(dir) ? readdirSync(dir) : []).filter((name) => name.endsWith('.gz')).sort()
/** What the files hold; nothing of one whose end is torn and not yet repaired. */
const textOf = (dir: string) =>
  filesOf(dir)
    .map((name) => unpacked(join(dir, name)))
    .join('')
function unpacked(path: string): string {
  try {
    return gunzipSync(readFileSync(path)).toString()
  } catch {
    return ''
  }
}
const journalOf = (dir: string) =>
  readFileSync(join(dir, 'recording.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)

/** Moves the world until the recording has a message of the stream that it did not have before. */
async function untilStreamed(served: ServedVenue, dir: string): Promise<void> {
  const countOf = () => textOf(dir).split('"ws trade"').length
  while (!existsSync(join(dir, 'recording.jsonl')) || textOf(dir) === '') await sleep(100)
  const before = countOf()
  for (let tries = 0; tries < 200 && countOf() <= before; tries += 1) {
    served.clock.advanceTo(served.clock.now() + 10 * MINUTE)
    await sleep(300)
  }
  // Written to its files, and so nothing of it is still under way.
  for (const listed = [...(await tradesOf(served))]; listed.some((id) => !textOf(dir).includes(id)); ) await sleep(100)
}

/** Ids of the trades that the venue lists. */
async function tradesOf(served: ServedVenue): Promise<Set<string>> {
  const response = await fetch(`${served.base_url}/trade-api/v2/markets/trades?limit=1000&min_ts=0`)
  const { trades } = (await response.json()) as { trades: readonly { trade_id: string }[] }
  return new Set(trades.map(({ trade_id }) => trade_id))
}

async function storedOf(dir: string, name: string) {
  const warehouse = await openWarehouse({ root: join(folder, name), create: true })
  try {
    const report = await importArchive({ archive: 'kalshi', dir, clock: 'wall', warehouse })
    return { report, rows: await allRows(warehouse) }
  } finally {
    await warehouse.close()
  }
}

test('a recorder that is killed leaves files that can be read, goes on, and ends on SIGTERM with nothing missing', async () => {
  const served = await serveVenue('kalshi', WORLD, START + 60 * MINUTE, { remembers: 10 * MICROS_PER_DAY })
  running.push(served)
  const dir = join(folder, 'recording')
  const first = recorder(served, dir)
  await untilStreamed(served, dir)
  first.kill('SIGKILL')
  await once(first, 'exit')
  const after_kill = await storedOf(dir, 'after-kill')
  expect(after_kill.report.quarantine).toEqual([])
  expect(after_kill.rows.public_trade!.length).toBeGreaterThan(0)
  const torn = gzipSync('{"venue_id":"kalshi"').subarray(0, 19)
  appendFileSync(join(dir, filesOf(dir).at(-1)!), torn)

  const second = recorder(served, dir, '--file-size', '2kB')
  await untilStreamed(served, dir)
  const third = recorder(served, dir) // the folder is held
  expect((await once(third, 'exit'))[0]).toBe(4)
  second.kill('SIGTERM')
  expect(await once(second, 'exit')).toEqual([143, null])

  const journal = journalOf(dir)
  expect(journal.find(({ event }) => event === 'repaired')).toMatchObject({ bytes_removed: torn.length })
  expect(journal.filter(({ event, missing }) => event === 'gap' && missing === 'recorder')).toHaveLength(2)
  expect(journal.at(-1)).toMatchObject({ event: 'stopped' })
  const sums = filesOf(dir).map((name) => {
    return `${createHash('sha256')
      .update(readFileSync(join(dir, name)))
      .digest('hex')}  ${name}\n`
  })
  expect(sums.length).toBeGreaterThan(1) // one of each run at least
  expect(readFileSync(join(dir, 'SHA256SUMS'), 'utf8')).toBe(sums.join(''))
  expect(journal.filter(({ event }) => event === 'sealed').map(({ file }) => file)).toEqual(filesOf(dir))

  const { report, rows } = await storedOf(dir, 'whole')
  expect(report.quarantine).toEqual([])
  const listed = await tradesOf(served)
  const stored = new Set(rows.public_trade!.map(({ source_trade_id }) => String(source_trade_id)))
  expect(listed.size).toBeGreaterThanOrEqual(2) // one of each run, for which untilStreamed waits
  expect(stored).toEqual(listed)
}, 180_000)
