import type { Command, Option } from 'commander'

/** Completions of the last word; the caller looks up index ids, which need the warehouse. */
export type Completion = { readonly candidates: readonly string[]; readonly wants_index_ids: boolean }

/**
 * Completes a command line without running anything.
 * @param words  the words after `tidemark`; the last one is completed and may be ''
 */
export function complete(program: Command, words: readonly string[]): Completion {
  const partial = words.at(-1) ?? ''
  const { command, rest } = descend(program, words.slice(0, -1))
  const options = optionsOf(command)
  const open = options.find((option) => takesValue(option) && isNamed(option, rest.at(-1)))
  if (open !== undefined)
    return { candidates: matching(open.argChoices ?? [], partial), wants_index_ids: open.long === '--index' }
  if (partial.startsWith('-'))
    return { candidates: matching(unusedOptions(options, words.slice(0, -1)), partial), wants_index_ids: false }
  if (command.commands.length > 0) return { candidates: matching(namesOf(command), partial), wants_index_ids: false }
  const argument =
    command.registeredArguments[Math.min(operands(rest, options), command.registeredArguments.length - 1)]
  return {
    candidates: matching(argument?.argChoices ?? [], partial),
    wants_index_ids: argument?.name().startsWith('index') ?? false,
  }
}

/** Returns the deepest command that the words name, and the words after it. */
function descend(program: Command, words: readonly string[]): { command: Command; rest: readonly string[] } {
  let command = program
  let rest = words
  for (const [ordinal, word] of words.entries()) {
    const child = command.commands.find((candidate) => candidate.name() === word)
    if (child === undefined) continue
    command = child
    rest = words.slice(ordinal + 1)
  }
  return { command, rest }
}

function optionsOf(command: Command): Option[] {
  const own = command.createHelp().visibleOptions(command)
  const above = command.parent === null ? [] : command.createHelp().visibleGlobalOptions(command)
  return [...own, ...above]
}

function unusedOptions(options: readonly Option[], used: readonly string[]): string[] {
  return options.flatMap((option) => (option.long && !used.includes(option.long) ? [option.long] : []))
}

function namesOf(command: Command): string[] {
  return command.commands.map((child) => child.name()).filter((name) => !name.startsWith('_'))
}

/** Counts the operands in `rest`: words that are neither options nor their values. */
function operands(rest: readonly string[], options: readonly Option[]): number {
  let found = 0
  for (const [ordinal, word] of rest.entries()) {
    const before = options.find((option) => isNamed(option, rest[ordinal - 1]))
    if (!word.startsWith('-') && (before === undefined || !takesValue(before))) found += 1
  }
  return found
}

function isNamed(option: Option, word: string | undefined): boolean {
  return word !== undefined && (word === option.long || word === option.short)
}

function takesValue(option: Option): boolean {
  return option.required || option.optional
}

function matching(candidates: readonly string[], partial: string): string[] {
  return candidates.filter((candidate) => candidate.startsWith(partial))
}
