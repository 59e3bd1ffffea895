import { spawn } from 'node:child_process'
import { InvariantError } from '../../primitives/errors.ts'

/**
 * Runs a script in a process of its own, so that time and memory are its alone. @returns its output, one JSON document
 * @throws {InvariantError} it exited with a code other than 0
 */
export function runScript<T>(script: string, args: readonly string[]): Promise<T> {
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(output) as T)
      else reject(new InvariantError(`${script} ended with ${code}`))
    })
  })
}
