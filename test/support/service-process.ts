import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ready } from '../../service/up/ready-file.ts'
import { BIN } from './run-cli.ts'
import { ROOT } from './source-files.ts'

/** A started `tidemark up`. */
export type Service = {
  readonly child: ChildProcess
  readonly ready: Ready
  readonly ready_file: string
  /** Returns its standard error so far. */
  readonly notes: () => string
  /** Sends a signal and waits for its end. @returns exit code and signal @throws it noted a fault of its own, of whichever process */
  stop(signal: NodeJS.Signals): Promise<readonly [number | null, NodeJS.Signals | null]>
}

const READY_MS = 240_000
/** A question is a request or more, which costs the processor: the service that is waited for needs it too. */
const POLL_MS = 250
/** Notes that no service may make, whatever happens around it. */
const OWN_FAULTS = /INTERNAL_ERROR|Warning: /
/** Time in which a service notes why it does not answer: it may be ending, and says why when it has. */
const NOTES_MS = 20_000

/** Starts `tidemark up` in a folder, without the sample unless it is asked for, and waits until it answers. */
export async function startService(
  home: string,
  options: readonly string[] = [],
  { has_sample = false }: { readonly has_sample?: boolean } = {},
): Promise<Service> {
  const ready_file = join(home, `ready-${process.hrtime.bigint()}.json`)
  const sample = has_sample ? [] : ['--no-sample-data']
  const argv = ['up', '--port', '0', '--home', home, '--ready-file', ready_file, ...sample, ...options]
  const child = spawn(process.execPath, [BIN, ...argv], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let notes = ''
  child.stderr.on('data', (chunk: Buffer) => {
    notes += chunk.toString()
  })
  child.stdout.resume()
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const explain = () =>
    (child.exitCode ?? child.signalCode) === null ? notes : `${notes}ended: ${child.signalCode ?? child.exitCode}`
  await until(() => existsSync(ready_file) || child.exitCode !== null, READY_MS, explain)
  return {
    child,
    ready: JSON.parse(readFileSync(ready_file, 'utf8')) as Ready,
    ready_file,
    notes: explain,
    stop: async (signal) => {
      child.kill(signal)
      const ended = await closed
      if (OWN_FAULTS.test(notes)) throw new Error(`the service noted a fault of its own: ${notes}`)
      return ended
    },
  }
}

/** Every process below one, of any depth. */
export function descendants(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // It has ended meanwhile.
    }
  }
  const below = (of: number): number[] =>
    [...parents].flatMap(([child, parent]) => (parent === of ? [child, ...below(child)] : []))
  return below(pid)
}

export { isAlive } from '../../trading/store/postgres/postmaster-file.ts'

/** Kills a process, which may end by itself at any moment. */
export function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Returns the command line of a process, its words apart; empty: it has ended. */
export function commandOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

/** Waits for something outside this process; an error of the question says what `explain` knows, too. */
export async function until(
  done: () => boolean | Promise<boolean>,
  wait_ms: number,
  explain: () => string = () => '',
): Promise<void> {
  const end = Date.now() + wait_ms
  try {
    while (!(await done())) {
      if (Date.now() > end) throw new RangeError(`still waiting after ${wait_ms} ms`)
      await sleep(POLL_MS)
    }
  } catch (error) {
    for (const noted = explain(), last = Date.now() + NOTES_MS; explain() === noted && Date.now() < last; )
      await sleep(POLL_MS)
    throw new Error(`${error} ${explain()}`, { cause: error })
  }
}

export type Level = { readonly tick_at: string; readonly level: string | null; readonly revision: number }

/** The newest level of a live index; null while there is none. */
export async function latestLevel({ base_url }: Ready, index_id: string): Promise<Level | null> {
  const response = await fetch(`${base_url}/v1/indexes/${index_id}/price`)
  if (response.status !== 200) return null
  return ((await response.json()) as { data: Level }).data
}
