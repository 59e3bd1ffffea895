import { Command, InvalidArgumentError } from 'commander'
import { EXIT } from '../../service/exit-codes.ts'

/**
 * The command line of a lane, `npm run NAME -- ...`. Wrong usage is said with what is allowed and ends with 2: a count that was taken for
 * none would find nothing, and look like a lane that passed.
 */
export function lane(name: string): Command {
  return new Command(`npm run ${name} --`)
    .allowExcessArguments(false)
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.done : EXIT.usage))
}

/** Parses a whole number of at least `least`. */
export function whole(least: 0 | 1): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : -1
    if (value >= least) return value
    throw new InvalidArgumentError(`Allowed: a whole number from ${least} to 999999999.`)
  }
}

/** Takes one of the words. */
export function oneOf(words: readonly string[]): (text: string) => string {
  return (text) => {
    if (words.includes(text)) return text
    throw new InvalidArgumentError(`Allowed: ${words.join(', ')}.`)
  }
}

/** Parses 0 for none, or a whole number of at least `least`. */
export function noneOr(least: number): (text: string) => number {
  return (text) => {
    const value = whole(0)(text)
    if (value === 0 || value >= least) return value
    throw new InvalidArgumentError(`Allowed: 0, or a whole number from ${least} to 999999999.`)
  }
}

/** Parses one of some names; used again, it adds another. */
export function anyOf(names: readonly string[]): (text: string, before: readonly string[]) => readonly string[] {
  return (text, before) => {
    if (names.includes(text)) return [...before, text]
    throw new InvalidArgumentError(`Allowed: ${names.join(', ')}.`)
  }
}

/** A seed that differs from run to run; the report says which it was. */
export function anySeed(): number {
  return Date.now() % 1_000_000_000
}
