import { notAllowed } from '../../primitives/errors.ts'
import { didYouMean } from '../../primitives/nearest-word.ts'
import { typedInstant } from '../../primitives/typed-time.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { VIEW_MEANINGS } from '../../vocabulary/meanings/view-meanings.ts'
import { SHELL_MODES, type ShellPorts, type ShellState } from './shell-state.ts'

type DotCommand = {
  readonly usage: string
  readonly meaning: string
  readonly run: (argument: string, state: ShellState, ports: ShellPorts) => Promise<void>
}

/** Commands of the shell that are not SQL; each is one line. */
export const DOT_COMMANDS: Readonly<Record<string, DotCommand>> = {
  '.tables': { usage: '.tables', meaning: 'list the views', run: listViews },
  '.schema': { usage: '.schema VIEW', meaning: 'print the columns of a view', run: printSchema },
  '.as_of': {
    usage: '.as_of T',
    meaning: 'answer as known at T, such as 2026-01-17 or 2h; now: the newest',
    run: setAsOf,
  },
  '.mode': { usage: '.mode M', meaning: `print rows as ${SHELL_MODES.join(', ')}`, run: setMode },
  '.help': { usage: '.help', meaning: 'print this list', run: printHelp },
  '.quit': { usage: '.quit', meaning: 'leave, as Ctrl-D does', run: async () => undefined },
}

/**
 * Runs one line that begins with a dot.
 * @returns false: the shell ends
 * @throws {ServiceError} VALIDATION_USAGE_INVALID names an unknown command or value and what is accepted
 */
export async function runDotCommand(line: string, state: ShellState, ports: ShellPorts): Promise<boolean> {
  const [name = '', ...words] = line.trim().split(/\s+/)
  const command = DOT_COMMANDS[name]
  if (command === undefined) {
    const names = Object.keys(DOT_COMMANDS)
    const seen = `${JSON.stringify(name)}${didYouMean(name, names)}`
    throw notAllowed('VALIDATION_USAGE_INVALID', 'command', seen, names.join(', '))
  }
  await command.run(words.join(' ').replace(/;$/, ''), state, ports)
  return name !== '.quit'
}

async function listViews(_argument: string, _state: ShellState, { output }: ShellPorts): Promise<void> {
  await output.table(
    ['view', 'one row is'],
    Object.entries(VIEW_MEANINGS).map(([view, { row }]) => [view, row]),
  )
  await output.line('each also as <view>_history, with every revision')
}

async function printSchema(argument: string, state: ShellState, { execute }: ShellPorts): Promise<void> {
  const { signal } = new AbortController()
  await execute({ kind: 'describe', subject: argument, ...state, signal })
}

async function setAsOf(argument: string, state: ShellState, { output }: ShellPorts): Promise<void> {
  state.as_of = argument === 'now' ? null : typedInstant(argument, '.as_of', wallClock(), 'past')
  await output.line(state.as_of === null ? 'answers are of now' : `answers are as known at ${state.as_of}`)
}

async function setMode(argument: string, state: ShellState): Promise<void> {
  const mode = SHELL_MODES.find((one) => one === argument)
  if (mode === undefined) {
    const seen = `${JSON.stringify(argument)}${didYouMean(argument, SHELL_MODES)}`
    throw notAllowed('VALIDATION_USAGE_INVALID', '.mode', seen, SHELL_MODES.join(', '))
  }
  state.mode = mode
}

async function printHelp(_argument: string, _state: ShellState, { output }: ShellPorts): Promise<void> {
  const rows = Object.values(DOT_COMMANDS).map(({ usage, meaning }) => [usage, meaning])
  await output.table(
    ['command', 'meaning'],
    [
      ['SELECT ...;', 'answer a statement; it may have several lines'],
      ['DESCRIBE VIEW;', 'print the columns of a view'],
      ['SUMMARIZE VIEW;', 'print the range, quartiles and gaps of its columns'],
      ['EXPLAIN SELECT ...;', 'print how a statement would be answered'],
      ...rows,
      ['Ctrl-C', 'cancel the statement that runs, or clear the one that is typed'],
    ],
  )
}
