import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach } from 'vitest'
import { childArgv } from '../child-argv.ts'

const CHILD = fileURLToPath(new URL('./engine-child.ts', import.meta.url))
const running = new Set<ChildProcess>()

/** An engine in a process of its own. */
export type EngineProcess = {
  readonly child: ChildProcess
  /** Resolves once it has said the word. @throws where it ends before */
  saw(word: 'started' | 'leading'): Promise<void>
  /** Its signal, once it has ended. */
  readonly ended: Promise<NodeJS.Signals | null>
}

/** Call it at the top of a test file that starts engines: what a test leaves running is ended after it. */
export function withEngineProcesses(): (url: string, holder: string, killpoint?: string) => EngineProcess {
  afterEach(async () => {
    for (const child of running) {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
    }
    running.clear()
  })
  return startEngineProcess
}

function startEngineProcess(url: string, holder: string, killpoint = ''): EngineProcess {
  const child = spawn(process.execPath, childArgv(CHILD, url, holder, killpoint), { stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  let [said, errors] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const ended = once(child, 'close').then(([, signal]) => signal as NodeJS.Signals | null)
  const saw = async (word: string) => {
    while (!said.includes(word)) {
      const end = await Promise.race([once(child.stdout, 'data').then(() => false), ended.then(() => true)])
      if (end && !said.includes(word)) throw new RangeError(`the engine ended before it was ${word}: ${errors}`)
    }
  }
  return { child, saw, ended }
}
