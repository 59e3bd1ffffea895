import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProcessBoard } from '../../../service/up/process-board.ts'
import { superviseProcess } from '../../../service/up/supervise-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** Makes a process log before it is ready. */
const EARLY = `--import=data:text/javascript,process.stderr.write('early\\n')`

test('a process of the service is on the board with its metrics; what it logged before it was ready is passed on', async () => {
  const [notes, board] = [[] as string[], createProcessBoard()]
  const supervised = await superviseProcess<{ readonly metrics_url: string }>({
    name: 'API',
    argv: () => ['api', '--attached', '--json', '--port', '0', '--warehouse', join(tempFolder(), 'warehouse')],
    environment: { ...process.env, NODE_OPTIONS: EARLY, DATABASE_URL: '' },
    board,
    on_problem: (error) => notes.push(String(error)),
    on_note: (line) => notes.push(line),
  })
  try {
    // Its two outputs are read one after the other, in either order.
    await expect.poll(() => notes).toContain('early')
    const { host } = new URL(supervised.ready.metrics_url)
    expect(host).toMatch(/^127\.0\.0\.1:\d+$/)
    expect(board.targets('')).toEqual([{ targets: [host], labels: { process: 'api' } }])
    expect(await (await fetch(supervised.ready.metrics_url)).text()).toContain(
      'tidemark_log_lines_total{level="error"}',
    )
  } finally {
    await supervised.close()
  }
  expect(board.missing()).toEqual(['api'])
}, 180_000)

/** Makes a process log a line, then wait until a file is there. */
const slow = (file: string) => {
  const wait = `while(!existsSync(${JSON.stringify(file)}))await new Promise((go)=>setTimeout(go,50))`
  const script = `import{existsSync}from'node:fs';process.stderr.write('restarting\\n');${wait}`
  return `--import=data:text/javascript,${encodeURIComponent(script)}`
}

test('what a process says that is not ready for a while is passed on as it comes', async () => {
  const [notes, board] = [[] as string[], createProcessBoard()]
  const go = join(tempFolder(), 'go')
  let is_ready = false
  const started = superviseProcess<{ readonly metrics_url: string }>({
    name: 'API',
    argv: () => ['api', '--attached', '--json', '--port', '0', '--warehouse', join(tempFolder(), 'warehouse')],
    environment: { ...process.env, NODE_OPTIONS: slow(go), DATABASE_URL: '' },
    board,
    on_problem: (error) => notes.push(String(error)),
    on_note: (line) => notes.push(line),
  }).finally(() => {
    is_ready = true
  })
  await expect.poll(() => notes).toContain('restarting')
  expect(is_ready).toBe(false)
  writeFileSync(go, '')
  await (await started).close()
}, 180_000)
