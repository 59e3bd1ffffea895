import { plainText } from './plain-text.ts'

/** Levels of log lines, the gravest first. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export const LOG_FORMATS = ['text', 'json'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

/** Facts of a log line beside its message. */
export type LogFacts = {
  readonly code?: string | undefined
  readonly request_id?: string | undefined
  readonly operation?: string | undefined
  /** Account of a refused request. */
  readonly account_id?: string | undefined
  /** Stack of an internal error; only where it is asked for. */
  readonly stack?: string | undefined
  readonly usage?: string | undefined
}

export type LogEntry = LogFacts & {
  /** RFC 3339, UTC. */
  readonly time: string
  readonly level: LogLevel
  readonly process: string
  readonly message: string
}

/** Reports whether lines of a level are written. Pure. */
export function isLogged(level: LogLevel, least: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) <= LOG_LEVELS.indexOf(least)
}

/** Renders a log line without its end: one JSON object, or text. Secrets are masked, control characters replaced. Pure. */
export function logLine({ time, level, process, ...rest }: LogEntry, format: LogFormat): string {
  const { message, stack, usage, code, request_id, operation, account_id } = rest
  const safe = { message: oneLine(message), code, request_id, operation: operation && oneLine(operation), account_id }
  if (format === 'json') {
    const more = { usage: usage && oneLine(usage), stack: stack && linesOf(stack) }
    return JSON.stringify({ time, level, process, ...safe, ...more })
  }
  const before = level === 'info' ? '' : `${level}: `
  const after = `${code === undefined ? '' : ` (${code})`}${request_id === undefined ? '' : ` [${request_id}]`}`
  const lines = [`${before}${safe.message}${after}`]
  if (usage !== undefined) lines.push(`usage: ${oneLine(usage)}`)
  if (stack !== undefined) lines.push(...linesOf(stack))
  return lines.join('\n')
}

/** Puts a text on one line, so that what others wrote cannot look like a line of its own. */
function oneLine(text: string): string {
  return plainText(maskSecrets(text).replace(/\s*\n\s*/g, ' ')).trim()
}

function linesOf(stack: string): string[] {
  return maskSecrets(stack)
    .split('\n')
    .map((line) => plainText(line.replaceAll('\t', '  ')))
}

/** A name of a secret with a value behind it that is long enough to be one. */
const NAMED =
  /((?:secret|token|password|private_key|encryption_key|api_key|signature)["']?\s*[:=]\s*["']?)[^\s"',;}]{12,}/gi

/** Masks passwords of addresses and values that are named as secrets. Pure. */
function maskSecrets(text: string): string {
  return maskPassword(text).replace(NAMED, '$1***')
}

/** Replaces the password of `scheme://user:password@host` by `***`; leaves other texts as they are. */
export function maskPassword(value: string): string {
  return value.replace(/(:\/*[^\s:/@]*:)\S+@/, '$1***@')
}
