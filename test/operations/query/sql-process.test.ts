import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cpuSeconds } from '../../../bench/load/cpu-seconds.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { BIN } from '../../support/run-cli.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const ENDLESS = 'select count(*) from range(1000000000) a, range(1000000) b'

/** Process ids of the SQL processes of one parent, from /proc. */
function sqlProcessesOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => isSqlProcessOf(pid, parent)).map(Number)
}

function isSqlProcessOf(pid: string, parent: number): boolean {
  try {
    const ppid = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1]
    return Number(ppid) === parent && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sql-process.mjs')
  } catch {
    return false // it ended meanwhile
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Waits until `condition` holds; false after `ms`. */
async function within(ms: number, condition: () => boolean): Promise<boolean> {
  for (let waited = 0; waited < ms; waited += 50) {
    if (condition()) return true
    await setTimeout(50)
  }
  return condition()
}

test.each([
  ['SIGINT', 130],
  ['SIGKILL', null],
] as const)('the process of a statement ends with its parent: %s', { timeout: 90_000 }, async (signal, exit_code) => {
  const root = join(folder, signal)
  await (await openWarehouse({ root, create: true })).close()
  const parent = spawn(process.execPath, [BIN, 'sql', '--warehouse', root, ENDLESS], { stdio: 'ignore' })
  const closed = new Promise((resolve) => parent.on('close', resolve))
  expect(await within(60_000, () => sqlProcessesOf(parent.pid!).length > 0)).toBe(true)
  const [child] = sqlProcessesOf(parent.pid!)
  // It has begun the query, which keeps the engine's threads busy: starting alone takes half of this.
  expect(await within(60_000, () => (cpuSeconds(child!) ?? 0) > 1)).toBe(true)
  parent.kill(signal)
  expect(await closed).toBe(exit_code)
  expect(await within(30_000, () => !isAlive(child!))).toBe(true)
})
