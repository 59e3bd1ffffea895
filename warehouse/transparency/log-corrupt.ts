import { ServiceError } from '../../primitives/errors.ts'

/** Builds the error of a log whose files are damaged. It signs nothing until they are restored. */
export function logCorrupt(file: string, seen: string): ServiceError<'LOG_CORRUPT'> {
  const message = `${file} of the log is damaged: ${seen}; allowed: the bytes that were written; restore the file from a copy`
  return new ServiceError('LOG_CORRUPT', message, { file })
}
