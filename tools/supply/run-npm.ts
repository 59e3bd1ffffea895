import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TIME_MS = 120_000

type NpmRun = { readonly status: number | null; readonly stdout: string; readonly stderr: string }

/** Runs npm in the checkout. @returns its exit code and output */
export function runNpm(argv: readonly string[]): NpmRun {
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28, timeout: TIME_MS } as const
  const { status, stdout, stderr, error } = spawnSync('npm', argv, options)
  return { status, stdout: stdout ?? '', stderr: error?.message ?? stderr ?? '' }
}
