import { Command } from 'commander'
import { type Environment, readSettings } from '../service/configuration.ts'
import { refuseForeignHome } from '../service/foreign-home.ts'
import type { GlobalOptions, Invocation } from '../service/invocation.ts'
import type { Output } from '../service/output.ts'
import { reachObjectStore } from '../service/reach-object-store.ts'

/** Standard input; absent where a caller has none. */
export type InputStream = NodeJS.ReadableStream & { readonly isTTY?: boolean }

/** Context that the process passes to every command. */
export type CommandContext = {
  readonly output: Output
  readonly stdin?: InputStream | undefined
  /** Standard output itself, for the line editor of the SQL shell. */
  readonly stdout?: NodeJS.WritableStream | undefined
  readonly environment: Environment
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal
  /** Sets the exit code of a command that ended normally. */
  readonly finish: (exit_code: number) => void
}

/** Work of a command; returns its exit code, undefined for 0. */
export type Action<Options> = (invocation: Invocation<Options>) => Promise<number | undefined>

/** Creates a command; its examples show in `--help` and docs/cli.md. */
export function defineCommand(name: string, summary: string, examples: readonly string[] = []): Command {
  const command = new Command(name).description(summary)
  if (examples.length > 0)
    command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ ${line}`).join('\n')}`)
  EXAMPLES.set(command, examples)
  return command
}

/** Returns the examples of a command created by `defineCommand`. */
export function examplesOf(command: Command): readonly string[] {
  return EXAMPLES.get(command) ?? []
}

const EXAMPLES = new WeakMap<Command, readonly string[]>()

/** Binds an action to a command: reads the settings, flattens the operands, sets the exit code. */
export function onAction<Options extends object>(
  command: Command,
  context: CommandContext,
  action: Action<Options>,
): Command {
  return command.action(async (...received: unknown[]) => {
    const args = received
      .slice(0, -2)
      .flat()
      .filter((value): value is string => typeof value === 'string')
    const options = command.optsWithGlobals<Options & GlobalOptions>()
    const settings = readSettings(options, context.environment)
    if (!isHomeless(command)) refuseForeignHome(settings, commandPath(command))
    reachObjectStore(settings)
    const { signal } = context
    const output = context.output.of(command.name())
    context.finish((await action({ args, options, settings, output, signal })) ?? 0)
  })
}

/** Commands, with those below them, that open neither home nor warehouse: the user who installs runs some of them. */
export const HOMELESS: readonly string[] = [
  'completion',
  'config',
  'debug',
  'describe',
  'log witness',
  'record',
  'simulate',
  'verify',
]

function isHomeless(command: Command): boolean {
  const path = `${commandPath(command)} `
  return HOMELESS.some((name) => path.startsWith(`tidemark ${name} `))
}

/** Returns the full name of a command, such as `tidemark index apply`. */
export function commandPath(command: Command): string {
  return command.parent === null ? command.name() : `${commandPath(command.parent)} ${command.name()}`
}
