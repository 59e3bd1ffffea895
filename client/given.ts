import { didYouMean } from '../primitives/nearest-word.ts'
import { TIMER_MS_MAX } from './platform.ts'
import { clientError, type TidemarkError } from './tidemark-error.ts'

const SHOWN_MAX = 80

/** Creates the error of an argument: its name, the value seen, and what is accepted. Nothing was sent. */
export function refusedArgument(field: string, value: unknown, allowed: string): TidemarkError {
  const seen = value === undefined ? 'missing' : shown(value)
  return clientError('VALIDATION_USAGE_INVALID', `${field} is ${seen}; allowed: ${allowed}`, false)
}

/** Returns a short text of any value; objects are named by their kind, because they may hold secrets. */
export function shown(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > SHOWN_MAX ? `${value.slice(0, SHOWN_MAX)}...` : value)
  if (Array.isArray(value)) return 'a list'
  if (value instanceof Date) return 'a Date'
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'function'
    ? 'a function'
    : `${typeof value} ${String(value)}`.replace(/^(object|undefined) /, '')
}

/** Returns the kind of a secret, never its value. */
export function secretShown(value: unknown): string {
  return typeof value === 'string'
    ? `a text of ${value.length} characters`
    : value === undefined
      ? 'missing'
      : typeof value
}

/** Returns a text with at least one character, which an address can carry. */
export function checkedText(value: unknown, field: string): string {
  if (typeof value === 'string' && value !== '' && !LONE_SURROGATE.test(value)) return value
  throw refusedArgument(field, value, 'a text of at least one character')
}

const LONE_SURROGATE = /\p{Surrogate}/u

/** Returns an object that is no list. */
export function checkedObject<T>(value: T, field: string): T & object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw refusedArgument(field, value, 'an object')
}

/** Returns a list. */
export function checkedList<T>(value: readonly T[], field: string): readonly T[] {
  if (Array.isArray(value)) return value
  throw refusedArgument(field, value, 'a list')
}

/** Returns one of some texts. */
export function checkedChoice<T extends string>(value: T, field: string, choices: readonly T[]): T {
  if (choices.includes(value)) return value
  throw refusedArgument(field, value, choices.join(', '))
}

/** Returns a path below /v1. */
export function checkedPath(path: string): string {
  if (typeof path === 'string' && path.startsWith('/') && !/[\s#\\]|\p{Surrogate}/u.test(path) && !DOTS.test(path))
    return path
  throw refusedArgument('path', path, 'a path below /v1 that begins with /')
}

/** Parts of a path that an address leaves out, with the part before them. */
const DOTS = /(^|\/)(\.|%2e){1,2}(?=[/?]|$)/i

/** Returns one part of a path, encoded. */
export function pathPart(value: string, field: string): string {
  const part = encodeURIComponent(checkedText(value, field))
  if (!DOTS.test(part)) return part
  throw refusedArgument(field, value, 'an id')
}

/** Returns the JSON of a body. */
export function jsonText(body: unknown, field = 'body'): string {
  try {
    const text: string | undefined = JSON.stringify(body)
    if (text !== undefined) return text
  } catch {
    // A BigInt, or an object that holds itself.
  }
  throw refusedArgument(field, body, 'a value that JSON can hold: texts, numbers, booleans, null, lists and objects')
}

/** Checks the options of a client: those that are functions, its signal and its time. */
export function checkOptions(options: object, functions: readonly string[]): void {
  const given = checkedObject(options, 'options') as Readonly<Record<string, unknown>>
  for (const name of functions) {
    const value = given[name]
    if (value !== undefined && typeof value !== 'function') throw refusedArgument(name, value, 'a function')
  }
  checkCallValues(given)
}

/**
 * Refuses names that are not known: an option that is misspelled would have no effect.
 * @param what  kind of the names, such as `option`
 */
export function checkNames(given: object, known: readonly string[], what: string): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || known.includes(name)) continue
    const message = `${what} ${name} is unknown${didYouMean(name, known)}; allowed: ${known.join(', ')}`
    throw clientError('VALIDATION_USAGE_INVALID', message, false)
  }
}

/** Options of a read, and of a write. */
export const CALL_OPTIONS: readonly string[] = ['signal', 'timeout_ms']
export const ONCE_OPTIONS: readonly string[] = ['idempotency_key', ...CALL_OPTIONS]

/** Returns the options of one call; an unknown option is refused. */
export function knownOptions<T>(call: T, known: readonly string[]): T & object {
  const given = checkedObject(call, 'options of the call')
  checkNames(given, known, 'option')
  return given
}

/** Checks the options of one call: their names and values. */
export function checkCall(call: unknown, known = CALL_OPTIONS): void {
  checkCallValues(knownOptions(call, known))
}

function checkCallValues(call: unknown): void {
  const { signal, timeout_ms, idempotency_key } = checkedObject(call, 'options of the call') as {
    readonly [option in 'signal' | 'timeout_ms' | 'idempotency_key']?: unknown
  }
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw refusedArgument('signal', signal, 'an AbortSignal')
  if (timeout_ms !== undefined && !isTime(timeout_ms))
    throw refusedArgument('timeout_ms', timeout_ms, `a whole number from 1 to ${TIMER_MS_MAX}`)
  if (idempotency_key !== undefined && !isIdempotencyKey(idempotency_key))
    throw refusedArgument('idempotency_key', idempotency_key, '1 to 64 printable characters of ASCII')
}

function isTime(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= TIMER_MS_MAX
}

function isIdempotencyKey(value: unknown): boolean {
  return typeof value === 'string' && /^[!-~]([ -~]{0,62}[!-~])?$/.test(value)
}

/** Checks the parameters of a query: values that have one text, and lists of texts. */
export function checkQuery(query: object): void {
  for (const [name, value] of Object.entries(checkedObject(query, 'parameters'))) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value ?? '']
    if (values.every(isParameter)) continue
    const hint = CALL_OPTIONS.includes(name) ? '; options of a call are its second argument' : ''
    throw refusedArgument(name, value, `a text, a finite number, true, false, or a list of texts${hint}`)
  }
}

function isParameter(value: unknown): boolean {
  if (typeof value === 'string') return !LONE_SURROGATE.test(value)
  return typeof value === 'boolean' || Number.isFinite(value)
}
