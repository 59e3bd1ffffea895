import { join } from 'node:path'
import { ROOT } from './source-files.ts'

const LAUNCHER = join(ROOT, 'test/support/launch-child.mjs')

/** Returns the arguments with which Node runs a script of the tests as a process of its own. */
export function childArgv(script: string, ...argv: readonly string[]): string[] {
  return [LAUNCHER, script, ...argv]
}
