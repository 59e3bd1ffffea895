import type { Argument, Command, CommanderError, Option } from 'commander'
import { ServiceError } from '../primitives/errors.ts'
import { commandPath } from './command.ts'

/** Converts an error of commander into one sentence, with what is allowed and the usage line of the command. */
export function usageError(command: Command, error: CommanderError): ServiceError {
  const text = error.message.replace(/^error: /, '').replace(/\.$/, '')
  const usage = `${commandPath(command)} ${command.usage()}`
  return new ServiceError('VALIDATION_USAGE_INVALID', SENTENCES[error.code]?.(command, text) ?? text, { usage })
}

/** Sentences by code of commander's error; the text of the error names the value. */
const SENTENCES: Readonly<Record<string, (command: Command, text: string) => string>> = {
  'commander.help': (command) => `command is missing; allowed: ${namesOf(command)}`,
  'commander.unknownCommand': (command, text) => `command is ${seen(text)}; allowed: ${namesOf(command)}`,
  'commander.unknownOption': (command, text) => `option is ${seen(text)}; allowed: ${flagsOf(command).join(', ')}`,
  'commander.missingArgument': (command, text) => {
    const argument = command.registeredArguments.find((one) => one.name() === quoted(text))
    return `${quoted(text)} is missing; allowed: ${acceptedBy(argument)}`
  },
  'commander.missingMandatoryOptionValue': (command, text) => {
    const option = optionOf(command, text)
    return `${option?.long} is missing; allowed: ${option?.flags}: ${acceptedBy(option)}`
  },
  'commander.optionMissingArgument': (command, text) => {
    const option = optionOf(command, text)
    return `${option?.long} has no value; allowed: ${option?.flags}: ${acceptedBy(option)}`
  },
  'commander.invalidArgument': (command, text) => {
    const [, value, allowed] = /'([^']*)' is invalid[^.]*\. (?:Allowed choices are |Allowed: )?(.*)$/s.exec(text) ?? []
    const [, argument] = /is invalid for argument '([^']+)'/.exec(text) ?? []
    return `${argument ?? optionOf(command, text)?.long} is ${JSON.stringify(value)}; allowed: ${allowed}`
  },
  'commander.excessArguments': ({ args, registeredArguments }) => {
    const allowed = registeredArguments.map((argument) => argument.name()).join(', ')
    return `too many arguments: ${args.map((value) => JSON.stringify(value)).join(', ')}; allowed: ${allowed || 'none'}`
  },
  'commander.conflictingOption': (_command, text) => {
    const [one, other] = [...text.matchAll(/'(--[\w-]+)/g)].map(([, flag]) => flag)
    return `${one} is given with ${other}; allowed: one of the two`
  },
}

function quoted(text: string): string {
  return /'([^']*)'/.exec(text)?.[1] ?? ''
}

/** Returns the value that is not known, with commander's suggestion: `"improt" (did you mean import?)`. */
function seen(text: string): string {
  const [, suggestion] = /\((Did you mean .*\?)\)/s.exec(text) ?? []
  const value = JSON.stringify(quoted(text))
  return suggestion === undefined ? value : `${value} (${suggestion.replace('Did', 'did')})`
}

function namesOf(command: Command): string {
  return command.commands.map((child) => child.name()).join(', ')
}

/** Returns the long flags of a command and of the ones above it. */
function flagsOf(command: Command): string[] {
  const above = command.parent === null ? [] : flagsOf(command.parent)
  return [...command.options.flatMap(({ long, hidden }) => (long == null || hidden ? [] : [long])), ...above]
}

/** Finds the option whose flags an error quotes, in a command or above it. */
function optionOf(command: Command, text: string): Option | undefined {
  const flags = quoted(text)
  const own = command.options.find((option) => option.flags === flags)
  return own ?? (command.parent === null ? undefined : optionOf(command.parent, text))
}

function acceptedBy(target: Argument | Option | undefined): string {
  return target?.argChoices?.join(', ') ?? target?.description ?? ''
}
