import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { isHomeServed } from '../../../service/up/lock-home.ts'
import type { Ready } from '../../../service/up/ready-file.ts'
import { tidemark, tidemarkProcess } from '../../support/run-cli.ts'
import { commandOf, descendants, isAlive, killIfAlive, latestLevel, until } from '../../support/service-process.ts'
import { sized } from '../../support/sized.ts'
import type { Running } from './running.ts'

const INDEX = 'idx_live_current'
const START_MS = 150_000
/** Levels that are seen to come, a minute apart. */
const TICKS = sized(2, 3)

/** Ticks of the clock, with and without Temporal, a port that is taken, and a folder in which another service runs. */
export function clockTests({ home, service }: Running): void {
  test('writes a ready file for its owner alone, and serves the page', async () => {
    const { ready, ready_file } = service()
    expect(ready.environment).toBe('sandbox')
    expect(ready.stream_url).toBe(ready.base_url.replace('http', 'ws'))
    expect(statSync(ready_file).mode & 0o777).toBe(0o600)
    expect((await fetch(ready.base_url)).status).toBe(200)
  })

  test('a worker that is killed while it starts is started again', async () => {
    const isWorker = (pid: number) => {
      const words = commandOf(pid)
      return words.some((word, at) => word.endsWith('tidemark.mjs') && words[at + 1] === 'worker')
    }
    const worker = () => descendants(service().child.pid!).filter(isAlive).find(isWorker)
    await until(() => worker() !== undefined, START_MS, service().notes)
    const first = worker()!
    killIfAlive(first)
    await until(() => ![undefined, first].includes(worker()), START_MS, service().notes)
  }, 320_000)

  test('levels move with the clock, and a stream is told', async () => {
    const { ready } = service()
    await until(async () => (await latestLevel(ready, INDEX)) !== null, START_MS, service().notes)
    const socket = new WebSocket(`${ready.stream_url}/v1/ws`)
    await once(socket, 'open')
    const told: string[] = []
    socket.on('message', (data) => told.push(String(data)))
    socket.send(JSON.stringify({ op: 'subscribe', id: '1', topic: 'index.price', index_id: INDEX }))
    const seen = new Set<string>()
    await until(
      async () => {
        const level = await latestLevel(ready, INDEX)
        if (level !== null) seen.add(level.tick_at)
        return seen.size >= TICKS
      },
      START_MS,
      service().notes,
    )
    const [last, former, first] = [...seen].map((tick_at) => Date.parse(tick_at)).reverse()
    expect((last! - former!) % 60_000).toBe(0)
    // Between the first two a service that was just started may have been behind.
    if (first !== undefined) expect(last! - former!).toBe(60_000)
    await until(() => told.some((text) => text.includes([...seen].at(-1)!)), 60_000)
    socket.terminate()
  }, 300_000)

  test('what happens with the clock goes through Temporal, whose address the ready file has', async () => {
    const told = () => (JSON.parse(readFileSync(service().ready_file, 'utf8')) as Ready).temporal
    await until(() => told() !== null, START_MS, service().notes)
    const { address, ui_url, namespace } = told()!
    expect({ address, ui_url, namespace }).toEqual({
      address: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      ui_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      namespace: 'default',
    })
    await until(() => service().notes().includes(`working through Temporal at ${address}`), START_MS, service().notes)
    const { exit_code, stdout } = await tidemark(['schedules', '--home', home, '--json'])
    const schedules = JSON.parse(stdout) as { schedule_id: string; paused: boolean }[]
    expect(exit_code).toBe(0)
    expect(schedules.map(({ schedule_id }) => schedule_id)).toContain('publish-tick')
  }, 300_000)

  test('a port that is taken is told in one sentence, which names the way out, before anything is deleted', async () => {
    const port = new URL(service().ready.base_url).port
    const other = join(home, 'other')
    mkdirSync(join(other, 'sample'), { recursive: true })
    writeFileSync(join(other, 'sample', 'kept'), '')
    const { exit_code, stderr, stdout } = await tidemarkProcess(['up', '--home', other, '--fresh', '--port', port])
    expect(existsSync(join(other, 'sample', 'kept'))).toBe(true)
    expect({ exit_code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({
      exit_code: 2,
      stdout: '',
      lines: 1,
    })
    expect(stderr).toMatch(/^error: port is \d+ at 127\.0\.0\.1: another process listens there; .*--port 0 finds one/)
  })

  test('another one in the same folder is refused, and told which runs there', async () => {
    expect(await isHomeServed(home)).toBe(true)
    const { exit_code, stderr, stdout } = await tidemarkProcess(['up', '--home', home, '--port', '0', '--fresh'])
    expect({ exit_code, stdout }).toEqual({ exit_code: 2, stdout: '' })
    expect(stderr).toBe(
      `error: home is ${home}, where another \`tidemark up\` (process ${service().child.pid}) runs; allowed: another --home, or stop that process first (VALIDATION_USAGE_INVALID)\n`,
    )
  }, 120_000)
}
