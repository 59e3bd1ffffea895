import { type ChildProcess, spawn } from 'node:child_process'

const TSX = import.meta.resolve('tsx')

/** Runs the text of a module as a process of its own, which may import TypeScript. Its errors are ours; what it prints is read. */
export function spawnScript(script: string): ChildProcess & { readonly stdout: NodeJS.ReadableStream } {
  const argv = ['--import', TSX, '--input-type=module', '-e', script]
  return spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
}
