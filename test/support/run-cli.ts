import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runCli } from '../../cli/run-cli.ts'
import type { Environment } from '../../service/configuration.ts'
import type { Stop } from '../../service/shutdown.ts'
import { ROOT } from './source-files.ts'

/** The command as installed: the file behind package.json `bin`. */
export const BIN = join(ROOT, 'cli', 'tidemark.mjs')

export type CliResult = { readonly exit_code: number; readonly stdout: string; readonly stderr: string }

const NEVER_STOPPED: Stop = {
  signal: new AbortController().signal,
  exitCode: () => null,
  overdue: new Promise(() => undefined),
}

/** Runs the command line inside this process, with nothing taken from the real environment. */
export async function tidemark(
  argv: readonly string[],
  options: { readonly environment?: Environment; readonly stop?: Stop } = {},
): Promise<CliResult> {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const read = Promise.all([text(stdout), text(stderr)])
  const { environment = {}, stop = NEVER_STOPPED } = options
  const exit_code = await runCli(argv, { stdout, stderr, environment, stop })
  stdout.end()
  stderr.end()
  const [out, err] = await read
  return { exit_code, stdout: out, stderr: err }
}

/** Runs the command line as a process of its own. */
export async function tidemarkProcess(
  argv: readonly string[],
  options: { readonly cwd?: string; readonly environment?: Record<string, string>; readonly bin?: string } = {},
): Promise<CliResult> {
  const child = spawn(process.execPath, [options.bin ?? BIN, ...argv], {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)))
  const [stdout, stderr, exit_code] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  return { exit_code, stdout, stderr }
}
