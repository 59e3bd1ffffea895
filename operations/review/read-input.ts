import { readFile } from 'node:fs/promises'
import { ServiceError } from '../../primitives/errors.ts'

/**
 * The text of a file that a user names.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE
 */
export async function readInput(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ServiceError(
      'VALIDATION_INPUT_UNREADABLE',
      `${file} cannot be read (${error.code}); allowed: a readable file`,
      { file },
    )
  })
}
