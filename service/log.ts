import { isLogged, type LogFacts, type LogFormat, type LogLevel, logLine } from '../primitives/log-line.ts'
import { plainText } from '../primitives/plain-text.ts'
import { type Environment, readSettings } from './configuration.ts'

export type LogSettings = { readonly level: LogLevel; readonly format: LogFormat; readonly process: string }

/** The log of a process: one line each. */
export type Log = {
  log(level: LogLevel, message: string, facts?: LogFacts): void
  /** Passes on a line of a child process, which has its own level and format already. */
  relay(process: string, line: string): void
  /** Lines since the start, by level; those that the level leaves out count too. */
  logged(): Readonly<Record<LogLevel, number>>
}

export const USUAL_LOG: LogSettings = { level: 'info', format: 'text', process: 'tidemark' }

/** Reads the settings of the log. Wrong ones are reported where all settings are read; until then the usual ones hold. */
export function logSettings(environment: Environment): LogSettings {
  const { TIDEMARK_LOG_LEVEL, TIDEMARK_LOG_FORMAT } = environment
  try {
    const { log_level: level, log_format: format } = readSettings({}, { TIDEMARK_LOG_LEVEL, TIDEMARK_LOG_FORMAT })
    return { ...USUAL_LOG, level, format }
  } catch {
    return USUAL_LOG
  }
}

/** Creates the log of a process. */
export function createLog(write: (line: string) => void, { level: least, format, process }: LogSettings): Log {
  const counts = { error: 0, warn: 0, info: 0, debug: 0 }
  const line = (level: LogLevel, message: string, facts: LogFacts, of: string) =>
    write(logLine({ time: new Date().toISOString(), level, process: of, message, ...facts }, format))
  return {
    log: (level, message, facts = {}) => {
      counts[level] += 1
      if (isLogged(level, least)) line(level, message, facts, process)
    },
    relay: (of, text) => {
      if (format === 'text') write(plainText(text))
      else if (isJson(text)) write(text)
      else line('error', text, {}, of)
    },
    logged: () => counts,
  }
}

/** Whether a line is a log line of ours; anything else, such as the last words of a crashed process, is wrapped. */
function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
