import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '../../primitives/errors.ts'
import { cachedBinaryPath, isExecutable, TEMPORAL_CLI_VERSION } from './binary.ts'
import { isRunning } from './server-file.ts'

const MODULE = fileURLToPath(new URL('../../tools/temporal', import.meta.url))
const PACKAGE = 'github.com/temporalio/cli/cmd/temporal'
/** Sets the version, which Go does not set for tools. */
const LINK_VERSION = `-X github.com/temporalio/cli/temporalcli.Version=${TEMPORAL_CLI_VERSION}`
const REPORT_EVERY_MS = 10_000
const POLL_MS = 500

export type BuildOptions = {
  readonly cache: string
  /** Receives the progress as sentences. */
  readonly on_step: (step: string) => void
  readonly signal?: AbortSignal | undefined
}

/** Returns true if Go is installed. */
export async function hasGo(): Promise<boolean> {
  const child = spawn('go', ['version'], { stdio: 'ignore' })
  return once(child, 'close').then(
    ([code]) => code === 0,
    () => false,
  )
}

/**
 * Builds the Temporal server with Go, once, into the cache: three to five minutes on two cores. If another process is building,
 * waits for it. The file appears atomically.
 * @returns its path
 * @throws {ServiceError} SERVICE_UNAVAILABLE: the build failed
 */
export async function buildServerBinary(options: BuildOptions): Promise<string> {
  const target = cachedBinaryPath(options.cache)
  const lock = `${target}.building`
  await mkdir(dirname(target), { recursive: true })
  let reported = false
  while (!(await isExecutable(target))) {
    if (await takeLock(lock)) {
      try {
        if (!(await isExecutable(target))) await build(target, options)
      } finally {
        await rm(lock, { force: true })
      }
      continue
    }
    if (!reported) options.on_step('another process is building the Temporal server; waiting for it')
    reported = true
    await delay(POLL_MS, undefined, options.signal && { signal: options.signal })
  }
  return target
}

/** Takes the lock if it is free; removes a lock whose holder has ended. */
async function takeLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const holder = Number(await readFile(lock, 'utf8').catch(() => ''))
  if (holder > 0 && !isRunning(holder)) await rm(lock, { force: true })
  return false
}

async function build(target: string, { on_step, signal }: BuildOptions): Promise<void> {
  on_step('building the Temporal server with Go, once: some minutes')
  const unfinished = `${target}.${process.pid}`
  const argv = ['build', '-C', MODULE, '-v', `-ldflags=${LINK_VERSION}`, '-o', unfinished, PACKAGE]
  const child = spawn('go', argv, { stdio: ['ignore', 'ignore', 'pipe'], ...(signal && { signal }) })
  const closed = once(child, 'close')
  const watch = watchPackages(child.stderr, on_step)
  try {
    const [code] = await closed
    if (code !== 0) throw buildError(watch.last())
    await chmod(unfinished, 0o755)
    await rename(unfinished, target)
  } finally {
    watch.end()
    await rm(unfinished, { force: true })
  }
}

/** Counts the packages that Go lists as compiled. */
function watchPackages(stderr: NodeJS.ReadableStream, on_step: (step: string) => void) {
  const started = Date.now()
  let packages = 0
  let last = ''
  createInterface({ input: stderr }).on('line', (line) => {
    packages += 1
    last = line
  })
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1_000)
    on_step(`building the Temporal server: ${packages} packages compiled, ${seconds} s`)
  }, REPORT_EVERY_MS)
  return { last: () => last, end: () => clearInterval(timer) }
}

function buildError(last_line: string): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', `the Temporal server could not be built with Go: ${last_line}`)
}
