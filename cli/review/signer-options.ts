import { readFile } from 'node:fs/promises'
import { Option } from 'commander'
import type { Signer } from '../../operations/review/signing.ts'
import { ServiceError } from '../../primitives/errors.ts'

/** Options that name the key of an act: a file, or a program that holds it. */
export type SignerOptions = { readonly key?: string; readonly passphraseFile?: string; readonly signer?: string }

export const keyOption = () => new Option('--key <file>', 'your Ed25519 private key (PEM), which signs the act')

export const passphraseOption = () =>
  new Option('--passphrase-file <file>', 'file whose first line is the passphrase of the key')

export const signerOption = () =>
  new Option('--signer <program>', 'program that holds the key: answers `public-key` and `sign`').conflicts('key')

/**
 * Reads the key of an act, or asks the program that holds it.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID, VALIDATION_INPUT_UNREADABLE
 */
export async function loadSigner({ key, passphraseFile, signer }: SignerOptions): Promise<Signer> {
  if (signer !== undefined) {
    const { externalSigner } = await import('../../operations/review/external-signer.ts')
    return externalSigner(signer)
  }
  if (key === undefined)
    throw new ServiceError('VALIDATION_USAGE_INVALID', 'key is missing; allowed: --key FILE, or --signer PROGRAM')
  const { parseSigner } = await import('../../operations/review/signing.ts')
  return parseSigner(await readText(key, 'key'), key, await readPassphrase(passphraseFile))
}

/** Returns the first line of a passphrase file; null: none is named. */
export async function readPassphrase(file: string | undefined): Promise<string | null> {
  return file === undefined ? null : (await readText(file, 'passphrase file')).split(/\r?\n/)[0]!
}

async function readText(file: string, field: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ServiceError(
      'VALIDATION_INPUT_UNREADABLE',
      `${field} ${file} cannot be read (${error.code}); allowed: a readable file`,
      { field, file },
    )
  })
}
