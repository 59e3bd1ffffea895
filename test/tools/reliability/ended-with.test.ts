import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isAlive } from '../../../trading/store/postgres/postmaster-file.ts'
import { childArgv } from '../../support/child-argv.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const LANE = fileURLToPath(new URL('../../../tools/reliability/rel-idem.ts', import.meta.url))
const folder = tempFolder()

/** The postmaster of the lane, once its Postgres takes connections; its data may be elsewhere where the user is root. */
function postmasterOf(lane: string): number | null {
  const path = join(lane, 'postgres', 'postmaster.pid')
  if (!existsSync(path)) return null
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines[7]?.startsWith('ready') === true ? Number.parseInt(lines[0]!, 10) : null
}

const SIGNALS: readonly [NodeJS.Signals, number][] = [
  ['SIGTERM', 143],
  ['SIGINT', 130],
]

test.each(sized(SIGNALS.slice(0, 1), SIGNALS))(
  'a lane that gets %s ends its Postgres and removes its folder',
  async (signal, exit_code) => {
    const child = spawn(process.execPath, childArgv(LANE, '--requests', '1000000'), {
      env: { ...process.env, TMPDIR: folder },
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    let postmaster: number | null = null
    while (postmaster === null && child.exitCode === null) {
      await sleep(50)
      const lane = readdirSync(folder).find((name) => name.startsWith('tidemark-lane-'))
      if (lane !== undefined) postmaster = postmasterOf(join(folder, lane))
    }
    expect(postmaster).not.toBeNull()
    child.kill(signal)
    expect((await ended)[0]).toBe(exit_code)
    expect(isAlive(postmaster!)).toBe(false)
    expect(readdirSync(folder).filter((name) => name.startsWith('tidemark-lane-'))).toEqual([])
  },
  120_000,
)
