import { type Command, CommanderError } from 'commander'
import { type Environment, readSettings } from '../service/configuration.ts'
import { reportFailure } from '../service/exit-codes.ts'
import { refuseForeignHome } from '../service/foreign-home.ts'
import { logSettings } from '../service/log.ts'
import { createOutput, type Output, type OutputStreams } from '../service/output.ts'
import { reachObjectStore } from '../service/reach-object-store.ts'
import type { Stop } from '../service/shutdown.ts'
import { withWarehouse } from '../service/with-warehouse.ts'
import type { InputStream } from './command.ts'
import { complete } from './complete.ts'
import { buildProgram } from './program.ts'

/** Streams, environment and signals of a run. */
export type CliPorts = OutputStreams & {
  readonly stdin?: InputStream
  readonly environment: Environment
  readonly stop: Stop
}

/** Hidden command of the completion scripts. */
const COMPLETE = '__complete'

/**
 * Runs the command line once.
 * @param argv  arguments after `tidemark`
 * @returns     the exit code; never throws
 */
export async function runCli(argv: readonly string[], ports: CliPorts): Promise<number> {
  const output = createOutput(ports, asksForJson(argv), logSettings(ports.environment))
  let exit_code = 0
  const context = {
    output,
    get stdin() {
      return ports.stdin
    },
    stdout: ports.stdout,
    environment: ports.environment,
    signal: ports.stop.signal,
    finish: (code: number) => {
      exit_code = code
    },
  }
  try {
    const program = await buildProgram(context, ports, argv)
    const run =
      argv[0] === COMPLETE
        ? runCompletion(program, argv.slice(1), ports.environment, output)
        : program.parseAsync([...argv], { from: 'user' })
    const overdue = await Promise.race([run.then(() => null), ports.stop.overdue])
    return overdue ?? ports.stop.exitCode() ?? exit_code
  } catch (error) {
    if (error instanceof CommanderError) return 0
    const stopped = ports.stop.exitCode()
    if (stopped !== null && isAbort(error)) return stopped
    return reportFailure(error, output, ports.environment.TIDEMARK_DEBUG === '1')
  }
}

/** Whether `--json` is given; needed before parsing, so that usage errors are JSON too. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json')
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

/** Answers `tidemark __complete WORD ...`: one candidate a line, never an error. */
async function runCompletion(
  program: Command,
  words: readonly string[],
  environment: Environment,
  output: Output,
): Promise<void> {
  const { candidates, wants_index_ids } = complete(program, words)
  const ids = wants_index_ids ? await findIndexIds(words, environment).catch(() => []) : []
  const partial = words.at(-1) ?? ''
  for (const candidate of [...candidates, ...ids.filter((id) => id.startsWith(partial))]) await output.line(candidate)
}

async function findIndexIds(words: readonly string[], environment: Environment): Promise<string[]> {
  const flags = Object.fromEntries(
    (['home', 'warehouse'] as const).flatMap((name) => {
      const ordinal = words.indexOf(`--${name}`)
      return ordinal < 0 ? [] : [[name, words[ordinal + 1] ?? '']]
    }),
  )
  const { listIndexes } = await import('../operations/index/list-indexes.ts')
  const settings = readSettings(flags, environment)
  refuseForeignHome(settings, 'tidemark')
  reachObjectStore(settings)
  const indexes = await withWarehouse(settings, { create: false }, (warehouse) =>
    listIndexes({ as_of: null, warehouse }),
  )
  return indexes.map((index) => index.index_id)
}
