import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SANDBOX_INDEX_ID } from '../../service/sandbox/sandbox-index.ts'
import type { Ready } from '../../service/up/ready-file.ts'
import { answerOf } from './keep-process.ts'
import { tidemark } from './programs.ts'

const LOOK_MS = 100
const ACCOUNTS = '2'

/** File with the accounts of a home that `makeHome` has made. */
export const readyFileOf = (home: string) => join(home, 'ready.json')

/**
 * Makes a home with accounts, markets and an index by `tidemark up`, unless it is there.
 * @param environment variables of a process of the topology, which name the warehouse
 */
export async function makeHome(home: string, environment: Readonly<Record<string, string>>, folder: string) {
  const file = readyFileOf(home)
  if (existsSync(file)) return
  const unfinished = `${file}.new`
  const flags = ['--no-sample-data', '--no-temporal', '--sandbox-accounts', ACCOUNTS, '--ready-file', file]
  const argv = ['up', '--host', '127.0.0.1', '--port', '0', ...flags.map((flag) => (flag === file ? unfinished : flag))]
  const { TIDEMARK_TRUSTED_PROXIES: _, ...given } = environment
  const program = tidemark({ argv, environment: { ...given, TIDEMARK_METRICS_HOST: '127.0.0.1' } })
  const log = openSync(join(folder, 'up.log'), 'a')
  const child = spawn(program.file, program.argv, {
    cwd: folder,
    env: program.environment,
    stdio: ['ignore', log, log],
  })
  const ended = once(child, 'close')
  try {
    while (!existsSync(unfinished)) {
      if (child.exitCode !== null) throw new Error(`tidemark up ended with ${child.exitCode}; see ${folder}/up.log`)
      await sleep(LOOK_MS)
    }
    const { base_url } = JSON.parse(readFileSync(unfinished, 'utf8')) as Ready
    await answerOf(`${base_url}/v1/indexes/${SANDBOX_INDEX_ID}`)
  } finally {
    child.kill('SIGTERM')
    await ended
    closeSync(log)
  }
  // Complete only now: an interrupted start is continued by the next one.
  renameSync(unfinished, file)
}
