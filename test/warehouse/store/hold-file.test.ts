import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { holdFile } from '../../../warehouse/store/hold-file.ts'
import { ROOT } from '../../support/source-files.ts'
import { spawnScript } from '../../support/spawn-script.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const MODULE = join(ROOT, 'warehouse/store/hold-file.ts')

/** Another process that asks for a file, says what it was told and stays. */
async function otherProcess(file: string) {
  const script = `
    const { holdFile } = await import(${JSON.stringify(MODULE)})
    const { held, holder = null } = await holdFile(${JSON.stringify(file)})
    console.log(JSON.stringify({ held, holder }))
    setInterval(() => undefined, 1000)`
  const child = await spawnScript(script)
  const [line] = await once(child.stdout, 'data')
  const kill = async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return { pid: child.pid, told: JSON.parse(String(line)) as unknown, kill }
}

test('one process holds a file; the next is told which; killed, it holds nothing', async () => {
  const file = join(folder, 'one.lock')
  const first = await otherProcess(file)
  expect(first.told).toEqual({ held: true, holder: null })
  const second = await otherProcess(file)
  expect(second.told).toEqual({ held: false, holder: first.pid })
  await second.kill()
  expect(await holdFile(file)).toEqual({ held: false, holder: first.pid })
  await first.kill()
  const mine = await holdFile(file)
  expect(mine.held).toBe(true)
  const third = await otherProcess(file)
  expect(third.told).toEqual({ held: false, holder: process.pid })
  await third.kill()
  if (mine.held) mine.release()
  const last = await otherProcess(file)
  expect(last.told).toEqual({ held: true, holder: null })
  await last.kill()
}, 120_000)

test('a file whose maker was ended while it wrote it is taken over', async () => {
  for (const [name, bytes] of [
    ['empty', ''],
    ['half', 'x'.repeat(100)],
  ] as const) {
    const file = join(folder, `${name}.lock`)
    await writeFile(file, bytes)
    const lock = await holdFile(file)
    expect(lock.held).toBe(true)
    if (lock.held) lock.release()
  }
})

test('a folder that is not there is no holder', async () => {
  await expect(holdFile(join(folder, 'none', 'one.lock'))).rejects.toThrow()
})
