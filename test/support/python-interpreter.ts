import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './source-files.ts'

/**
 * Returns the path of a Python that has the packages of a requirements file in tools/python; the first call makes it.
 * @param needs  the subject of the test, for the error
 * @throws       if Python is absent or its packages cannot be installed
 */
export function pythonInterpreter(
  requirements: `${'requirements' | 'notebook' | 'schemathesis' | 'signing' | 'package' | 'deploy' | 'spark'}.txt`,
  needs: string,
): string {
  const ensure = join(ROOT, 'tools/python/ensure.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [ensure, requirements], { encoding: 'utf8' })
  if (status === 0) return stdout.trim()
  throw new Error(`${needs} cannot be tested: ${stderr.trim().split('\n').at(-1)}`)
}
