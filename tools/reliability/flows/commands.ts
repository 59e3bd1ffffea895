import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { processEnvironment } from '../../../service/configuration.ts'
import { BIN } from '../../../test/support/run-cli.ts'
import { ROOT } from '../../../test/support/source-files.ts'

/** Environment of a command beside that of this process. */
export type Variables = Readonly<Record<string, string>>

type Ended = { readonly exit_code: number | null; readonly stdout: string; readonly stderr: string }

/** A `tidemark` command as an operator runs it. */
export type Command = { readonly child: ChildProcess; readonly ended: Promise<Ended> }

/** Starts a command. */
export function begin(argv: readonly string[], variables: Variables = {}): Command {
  const env = { ...processEnvironment(), ...variables }
  const child = spawn(process.execPath, [BIN, ...argv], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = once(child, 'close') as Promise<[number | null]>
  const ended = Promise.all([text(child.stdout), text(child.stderr), closed]).then(([stdout, stderr, [exit_code]]) => {
    return { exit_code, stdout, stderr }
  })
  return { child, ended }
}

/** Runs a command to its end. @throws {Error} with what it printed, unless it ends with 0 */
export async function run(argv: readonly string[], variables: Variables = {}): Promise<string> {
  const { exit_code, stdout, stderr } = await begin(argv, variables).ended
  if (exit_code !== 0) throw new Error(`tidemark ${argv.join(' ')} ended with ${exit_code}: ${stderr}`)
  return stdout
}

/** Reads rows of a warehouse. */
export async function rowsOf<Row>(home: string, statement: string): Promise<Row[]> {
  return JSON.parse(await run(['sql', '--json', statement], { TIDEMARK_HOME: home })) as Row[]
}

/** Ends a process by signal 9, and waits for it. */
export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
