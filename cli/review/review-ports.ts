import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Option } from 'commander'
import type { ReviewPorts } from '../../operations/review/perform-act.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { Settings } from '../config.ts'

/** Options of every act that a person signs. */
export type SignedOptions = { readonly key: string; readonly roster?: string }

export const keyOption = () =>
  new Option('--key <file>', 'Ed25519 private key of who acts (PEM); the act is signed with it').makeOptionMandatory()

export const rosterOption = () =>
  new Option('--roster <file>', 'who may act, with their public keys (default: roster.yaml in $TIDEMARK_HOME)')

/**
 * What an act needs of the command line.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_DEFINITION_INVALID
 */
export async function reviewPorts(
  { key, roster }: SignedOptions,
  settings: Settings,
  warehouse: Warehouse,
): Promise<ReviewPorts> {
  const { parseSigner } = await import('../../operations/review/signing.ts')
  const { parseRoster } = await import('../../pipelines/review/roster.ts')
  const roster_file = roster ?? join(settings.home, 'roster.yaml')
  return {
    warehouse,
    roster: parseRoster(await readText(roster_file, 'roster'), roster_file),
    signer: parseSigner(await readText(key, 'key'), key),
    at: null,
  }
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
