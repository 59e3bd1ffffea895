import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { readSettings } from '../../service/configuration.ts'
import { startTemporal } from '../../service/up/start-temporal.ts'
import { isServing } from '../../workflows/server/await-serving.ts'
import { watchDisk } from '../../workflows/server/server-disk.ts'
import { startDevServer } from '../../workflows/server/start-dev-server.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { eventually, temporalBinary } from '../workflows/support/temporal.ts'

/** A folder on a disk of its own, which only root can make. */
const disk = join(tempFolder(), 'temporal')
const filler = join(disk, 'filler')

beforeAll(() => {
  mkdirSync(disk, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', disk])
})

afterAll(() => {
  execFileSync('umount', ['-l', disk])
})

/** Writes until the disk is full to the last byte. */
function fill(): void {
  const file = openSync(filler, 'a')
  try {
    for (const size of [65_536, 1]) writeAll(file, Buffer.alloc(size))
  } finally {
    closeSync(file)
  }
}

function writeAll(file: number, part: Buffer): void {
  try {
    for (;;) writeSync(file, part)
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
  }
}

const FULL = `the disk of ${disk} is full, where the Temporal server keeps its database`
const RUNNING = `${FULL}; free some space there, and it goes on by itself`
const NOT_STARTED = `${FULL}; free some space there and start it again`
const isFull = (error: unknown) => error instanceof Error && error.message === RUNNING

test('a full disk under the server is one sentence with its folder; the database stays, and it goes on with space', async () => {
  const problems: unknown[] = []
  const on_problem = (error: unknown) => void problems.push(error)
  const options = { binary: await temporalBinary(), folder: disk, namespace: 'default', on_problem }
  fill()
  await expect(startDevServer(options)).rejects.toMatchObject({
    code: 'WAREHOUSE_STORE_FULL',
    message: NOT_STARTED,
  })
  rmSync(filler)
  const server = await startDevServer(options)
  try {
    fill()
    // Some servers end by themselves.
    const pid_file = join(disk, 'server.pid')
    if (existsSync(pid_file)) process.kill(Number(readFileSync(pid_file, 'utf8')), 'SIGKILL')
    const before = problems.length
    await eventually(async () => (problems.slice(before).filter(isFull).length >= 3 ? true : null))
    rmSync(filler)
    await eventually(async () => ((await isServing(server)) ? true : null))
    // Nobody tried to start it without space.
    expect(problems.filter((error) => (error as Error).message === NOT_STARTED)).toEqual([])
    expect(existsSync(join(disk, 'temporal.db.damaged'))).toBe(false)
  } finally {
    await server.close()
  }
}, 300_000)

test('a service that starts on a full disk works without the server until there is space', async () => {
  const stopping = new AbortController()
  const notes: string[] = []
  fill()
  const environment = { TIDEMARK_HOME: dirname(disk), TEMPORAL_CLI_PATH: await temporalBinary() }
  const { opened, close } = startTemporal({
    settings: readSettings({}, environment),
    environment,
    on_step: () => undefined,
    on_problem: () => undefined,
    on_note: (text) => void notes.push(text),
    signal: stopping.signal,
    after: Promise.resolve(),
  })
  try {
    await eventually(async () => notes[0] ?? null)
    expect(notes[0]).toBe(`${NOT_STARTED}; using the scheduler of this process instead`)
    rmSync(filler)
    const server = await opened
    expect(server !== null && (await isServing(server))).toBe(true)
    expect(notes).toHaveLength(1)
  } finally {
    stopping.abort()
    await close()
  }
}, 300_000)

test('a disk that runs full while the server works is reported, until the server is closed', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const problems: unknown[] = []
  const closing = new AbortController()
  watchDisk(disk, closing.signal, (error) => problems.push(error))
  vi.advanceTimersByTime(30_000)
  expect(problems).toEqual([])
  fill()
  vi.advanceTimersByTime(30_000)
  expect(problems.length).toBeGreaterThan(1)
  expect(problems.every(isFull)).toBe(true)
  const before = problems.length
  closing.abort()
  vi.advanceTimersByTime(30_000)
  expect(problems).toHaveLength(before)
})
