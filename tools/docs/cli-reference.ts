import type { Argument, Command, Option } from 'commander'
import { type CommandContext, commandPath, examplesOf } from '../../cli/command.ts'
import { buildProgram } from '../../cli/program.ts'
import { createOutput } from '../../service/output.ts'

const HEAD = `# Command line

Made from the program itself by \`npm run docs\`; \`npm run check\` says when it is out of date.

Every command takes \`--home <dir>\`, \`--warehouse <dir>\` and \`--json\` before or after its name. A home named there brings
its own warehouse. Results go to standard output, progress and errors to standard error. On a terminal, tables fit its
width. Exit codes: 0 done, 1 the answer is "no", 2 wrong usage or input, 3 not found, 4 a service is unavailable
([errors](errors.md)); 130 and 143 after Ctrl-C and SIGTERM, which stop cleanly: nothing is half-published and the next run
resumes. Ranges are half-open [from, to).

In JSON decimals are strings, and integers are numbers with all their digits. Some readers round one beyond 2^53, such as
JavaScript's: cast it to a text. \`summarize --json\` has every value as a text, whatever the type of its column.

## Instants and durations
| you type | it means |
|---|---|
| \`2026-01-17T09:30:00Z\` | the instant, RFC 3339 in UTC with Z |
| \`2026-01-17\` | midnight UTC of that day |
| \`now\` | the present |
| \`2h\`, \`1d12h\`, \`"2h ago"\` | that long ago; in options about the future, such as \`--expires-at\`, that long from now |
| \`90s\`, \`10m\`, \`2h\`, \`1d\`, \`1w\`, \`1d12h\` | a duration; a day has 24 hours |
| \`PT10M\`, \`P2D\` | a duration in ISO 8601, without years and months |

Answers have RFC 3339 instants and ISO 8601 durations, whatever was typed.

## The SQL shell
\`tidemark sql\` without a statement opens a shell on a terminal. Elsewhere it reads one statement from standard input, as
\`tidemark sql -\` does everywhere. In the shell a statement may have several lines and ends with \`;\`.

| you type | it does |
|---|---|
| \`SELECT ...;\` | answers the statement |
| \`DESCRIBE view;\`, \`SUMMARIZE view;\`, \`EXPLAIN SELECT ...;\` | as the commands [describe](#tidemark-describe), [summarize](#tidemark-summarize) and [explain](#tidemark-explain) |
| \`.tables\` | lists the views |
| \`.schema view\` | prints the columns of a view |
| \`.as_of T\` | answers from now on as known at T; \`.as_of now\` ends that |
| \`.mode M\` | prints rows as \`table\`, \`json\`, \`ndjson\`, \`csv\` or \`csv-exact\` |
| \`.help\`, \`.quit\` | prints this list; leaves |
| Ctrl-C | cancels the statement that runs, or clears the one that is typed |
| Ctrl-D | leaves |
| Tab | completes views, columns and dot commands |

A common table expression may have the name of a view. The name means the view before that expression, and within it.
PIVOT needs its values: \`PIVOT view ON column IN ('a', 'b')\`. It is refused without them, because DuckDB then runs
several statements.

Typed lines are kept in \`sql-history\` in the cache folder, readable by you alone. [Views](views.md) lists all columns.
`

/** docs/cli.md: one section a command, with its arguments, options and examples. */
export async function renderCliReference(): Promise<string> {
  const program = await buildProgram(silentContext(), process)
  return [HEAD, contents(program.commands), ...program.commands.flatMap(sectionsOf)].join('\n')
}

/** Renders one line of links per top-level command. */
function contents(commands: readonly Command[]): string {
  const links = commands.map((command) => `- ${documented(command).map(linkTo).join(' · ')}`)
  return `## Contents\n\n${links.join('\n')}\n`
}

function linkTo(command: Command): string {
  const path = commandPath(command)
  return `[${path.replace(/^tidemark /, '')}](#${path.replaceAll(' ', '-')})`
}

/** Returns the commands with a section: each one without subcommands, and a group that does something by itself. */
function documented(command: Command): Command[] {
  const acts = command.commands.length === 0 || examplesOf(command).some((line) => isOf(command, line))
  return [...(acts ? [command] : []), ...command.commands.flatMap(documented)]
}

/** Whether a line calls a group itself, and none of its subcommands. */
function isOf(command: Command, line: string): boolean {
  const path = commandPath(command)
  const next = line.slice(path.length).trim().split(' ')[0]
  return line.startsWith(path) && command.commands.every((child) => child.name() !== next)
}

function sectionsOf(command: Command): string[] {
  return documented(command).flatMap(sectionOf)
}

function sectionOf(command: Command): string[] {
  const path = commandPath(command)
  const options = command.options.filter((option) => !option.hidden)
  const parts = [
    `## ${path}\n`,
    `${sentence(command.description())}\n`,
    `\`\`\`\n${path} ${command.usage()}\n\`\`\`\n`,
    table('argument', command.registeredArguments.map(argumentRow)),
    table('option', options.map(optionRow)),
    examplesBlock(examplesOf(command)),
  ]
  return parts.filter((part) => part !== '')
}

function argumentRow(argument: Argument): [string, string] {
  const name = argument.variadic ? `${argument.name()}...` : argument.name()
  return [argument.required ? `<${name}>` : `[${name}]`, withChoices(argument.description, argument.argChoices)]
}

function optionRow(option: Option): [string, string] {
  const notes = [
    option.mandatory ? 'required' : '',
    option.defaultValue === undefined
      ? ''
      : `default \`${option.defaultValueDescription ?? String(option.defaultValue)}\``,
  ].filter((note) => note !== '')
  const suffix = notes.length > 0 ? ` (${notes.join(', ')})` : ''
  return [option.flags, `${withChoices(option.description, option.argChoices)}${suffix}`]
}

function withChoices(description: string, choices: readonly string[] | undefined): string {
  return choices === undefined ? description : `${description}: ${choices.map((choice) => `\`${choice}\``).join(', ')}`
}

function table(kind: string, rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return ''
  const lines = rows.map(([name, meaning]) => `| \`${name}\` | ${meaning.replaceAll('|', '\\|')} |`)
  return `| ${kind} | meaning |\n|---|---|\n${lines.join('\n')}\n`
}

function examplesBlock(examples: readonly string[]): string {
  return examples.length === 0 ? '' : `\`\`\`sh\n${examples.join('\n')}\n\`\`\`\n`
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function silentContext(): CommandContext {
  const { signal } = new AbortController()
  return { output: createOutput(process, false), environment: {}, signal, finish: () => undefined }
}
