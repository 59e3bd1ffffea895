import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './source-files.ts'

/**
 * Path of the Python that has the packages of a requirements file of tools/python, made where it is not there yet, or null
 * with a printed reason. With CI=true its absence is an error.
 * @param needs  what cannot be tried without it, for the sentence
 */
export function pythonInterpreter(
  requirements: 'requirements.txt' | 'notebook.txt' | 'schemathesis.txt' | 'signing.txt',
  needs: string,
): string | null {
  const ensure = join(ROOT, 'tools/python/ensure.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [ensure, requirements], { encoding: 'utf8' })
  if (status === 0) return stdout.trim()
  const reason = `${needs} cannot be tried: ${stderr.trim().split('\n').at(-1)}`
  if (process.env.CI === 'true') throw new Error(reason)
  console.warn(reason)
  return null
}
