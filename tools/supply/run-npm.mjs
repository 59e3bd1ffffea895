import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TIME_MS = 120_000

/** Runs npm in the checkout. @returns its exit code and output */
export function runNpm(argv) {
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28, timeout: TIME_MS }
  const { status, stdout, stderr, error } = spawnSync('npm', argv, options)
  return { status, stdout: stdout ?? '', stderr: error?.message ?? stderr ?? '' }
}
