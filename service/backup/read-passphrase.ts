import { readFile, stat } from 'node:fs/promises'
import { PASSPHRASE_CHARACTERS_MIN } from '../../operations/backup/seal-keys.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { requirePrivate } from '../trading/private-file.ts'

/**
 * Reads the passphrase of a backup's keys from a file: its first line.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the file cannot be read, others may read it, or its line is too short
 */
export async function readPassphrase(file: string): Promise<string> {
  const refuse = ({ code }: NodeJS.ErrnoException): never => {
    throw notAllowed(
      'VALIDATION_USAGE_INVALID',
      '--passphrase-file',
      `${file} (${code})`,
      'a file that this user can read',
    )
  }
  requirePrivate('--passphrase-file', file, await stat(file).catch(refuse))
  const [line = ''] = (await readFile(file, 'utf8').catch(refuse)).split('\n')
  const passphrase = line.trim()
  if (passphrase.length >= PASSPHRASE_CHARACTERS_MIN) return passphrase
  throw notAllowed(
    'VALIDATION_USAGE_INVALID',
    '--passphrase-file',
    `${file}, whose first line has ${passphrase.length} characters`,
    `at least ${PASSPHRASE_CHARACTERS_MIN}`,
  )
}
