import { createInterface, type Interface } from 'node:readline'
import { describeFailure } from '../../service/exit-codes.ts'
import { COLUMN_MEANINGS } from '../../vocabulary/meanings/column-meanings.ts'
import { VIEW_MEANINGS } from '../../vocabulary/meanings/view-meanings.ts'
import { DOT_COMMANDS, runDotCommand } from './dot-commands.ts'
import type { ShellPorts, ShellState, ShellStatement } from './shell-state.ts'
import { splitStatements } from './split-statements.ts'

export type ShellRequest = ShellPorts & {
  readonly state: ShellState
  readonly input: NodeJS.ReadableStream
  readonly terminal: NodeJS.WritableStream | undefined
  /** Ends the shell. */
  readonly signal: AbortSignal
  /** Earlier lines, newest first; kept by `remember` at the end. */
  readonly history: readonly string[]
  readonly remember: (history: readonly string[]) => void
}

/** Runs typed statements and dot commands until Ctrl-D or `.quit`. A failure is reported and does not end the shell. */
export async function runShell(request: ShellRequest): Promise<void> {
  const { input, terminal, signal, output } = request
  const lines = createInterface({
    ...{ input, terminal: true, historySize: 1000, removeHistoryDuplicates: true, completer: completionsOf },
    ...(terminal === undefined ? {} : { output: terminal }),
    history: [...request.history],
  })
  const session = new ShellSession(request, lines)
  const closed = new Promise<void>((resolve) => {
    lines.on('close', () => {
      session.is_closed = true
      resolve()
    })
  })
  // Lines that are typed while a statement runs wait for it.
  let taken = output.line('Read-only SQL over the views; a statement ends with ; and .help lists the commands')
  lines.on('line', (line) => {
    taken = taken.then(() => session.take(line))
  })
  lines.on('SIGINT', () => session.interrupt())
  lines.on('history', (history: string[]) => request.remember(history))
  signal.addEventListener('abort', () => lines.close(), { once: true })
  await taken
  session.prompt()
  await closed
  await taken
}

/** Typed lines that are not a whole statement yet, and the statement that runs. */
class ShellSession {
  readonly #request: ShellRequest
  readonly #lines: Interface
  #typed = ''
  #running: AbortController | null = null
  #is_over = false
  /** The line editor has ended; statements that were typed before still run. */
  is_closed = false

  constructor(request: ShellRequest, lines: Interface) {
    this.#request = request
    this.#lines = lines
  }

  prompt(): void {
    if (this.is_closed) return
    const { as_of } = this.#request.state
    const name = as_of === null ? 'tidemark> ' : `tidemark as of ${as_of}> `
    this.#lines.setPrompt(this.#typed === '' ? name : '...> '.padStart(name.length))
    this.#lines.prompt()
  }

  /** Cancels the statement that runs; without one, forgets what was typed. */
  interrupt(): void {
    if (this.#running !== null) {
      this.#running.abort()
      return
    }
    this.#typed = ''
    this.#request.terminal?.write('^C\n')
    // Clears the line that is being edited.
    this.#lines.write(null, { ctrl: true, name: 'u' })
    this.prompt()
  }

  /** Handles one line and prompts for the next, unless the line ends the shell. */
  async take(line: string): Promise<void> {
    if (this.#is_over) return
    try {
      await this.#answer(line)
    } catch (error) {
      const { message, code } = describeFailure(error).error
      this.#request.output.log('error', message, { code })
    }
    if (this.#is_over) this.#lines.close()
    else this.prompt()
  }

  async #answer(line: string): Promise<void> {
    const { state } = this.#request
    if (this.#typed === '' && line.startsWith('.')) {
      this.#is_over = !(await runDotCommand(line, state, this.#request))
      return
    }
    const { statements, rest } = splitStatements(`${this.#typed}${line}\n`)
    this.#typed = rest
    for (const statement of statements) await this.#run(statement)
  }

  async #run(text: string): Promise<void> {
    this.#running = new AbortController()
    const { signal } = this.#running
    try {
      await this.#request.execute({ ...statementOf(text), ...this.#request.state, signal })
    } catch (error) {
      if (!signal.aborted) throw error
      await this.#request.output.line('canceled')
    } finally {
      this.#running = null
    }
  }
}

/** Returns the kind of a statement: DESCRIBE, SUMMARIZE and EXPLAIN are the shell's own. */
function statementOf(text: string): Pick<ShellStatement, 'kind' | 'subject'> {
  const [, word, subject] = /^(describe|summarize|explain)\s+([\s\S]+)$/i.exec(text) ?? []
  if (word === undefined) return { kind: 'select', subject: text }
  const kind = word.toLowerCase() as 'describe' | 'summarize' | 'explain'
  return { kind, subject: kind === 'explain' ? subject! : subject!.trim().toLowerCase() }
}

const WORDS = [
  ...Object.entries(VIEW_MEANINGS).flatMap(([view, { columns }]) => [view, `${view}_history`, ...Object.keys(columns)]),
  ...Object.keys(COLUMN_MEANINGS),
]

/** Completes the last word: a view, a column or a dot command. */
function completionsOf(line: string): [string[], string] {
  const [word = ''] = /[.\w]*$/.exec(line) ?? []
  const known = line.startsWith('.') && word === line ? Object.keys(DOT_COMMANDS) : WORDS
  return [[...new Set(known.filter((one) => word !== '' && one.startsWith(word)))].sort(), word]
}
