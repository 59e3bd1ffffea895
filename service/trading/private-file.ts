import type { Stats } from 'node:fs'
import { ServiceError } from '../../primitives/errors.ts'

/**
 * Refuses a file that others may read or write: its key would not be a secret. Windows has no such modes.
 * @param setting name of what the file is, for the error
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export function requirePrivate(setting: string, file: string, { mode }: Pick<Stats, 'mode'>): void {
  const of_others = mode & 0o077
  if (of_others === 0 || process.platform === 'win32') return
  const seen = (mode & 0o777).toString(8).padStart(4, '0')
  const message = `${setting} is ${file}, whose mode is ${seen}; allowed: a file of its owner alone (chmod 600 ${file})`
  throw new ServiceError('VALIDATION_USAGE_INVALID', message, { file, value: seen })
}
