import { readFile } from 'node:fs/promises'
import { Option } from 'commander'
import type { ReviewPorts } from '../../operations/review/perform-act.ts'
import type { ReviewSubject } from '../../pipelines/review/subject.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { Environment } from '../../service/configuration.ts'
import type { Invocation } from '../../service/invocation.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { temporalOption } from '../options.ts'

/** Options of every act that a person signs. */
export type SignedOptions = { readonly key: string; readonly roster?: string; readonly temporal?: true }

/** Parts of an invocation that an act needs. */
export type ActRun = Pick<Invocation<SignedOptions>, 'options' | 'settings' | 'output' | 'signal'> & {
  readonly environment: Environment
}

/** `--temporal`; conflicts with --roster because the workers use the roster of their home. */
export const throughOption = () => temporalOption().conflicts('roster')

export const keyOption = () =>
  new Option('--key <file>', 'your Ed25519 private key (PEM), which signs the act').makeOptionMandatory()

export const rosterOption = () =>
  new Option('--roster <file>', 'members and their public keys (default: roster.yaml in $TIDEMARK_HOME)')

/**
 * Returns the roster, signer and warehouse of an act.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_DEFINITION_INVALID
 */
export async function reviewPorts(run: ActRun, subject: ReviewSubject, warehouse: Warehouse): Promise<ReviewPorts> {
  const { key, roster, temporal } = run.options
  const { parseSigner } = await import('../../operations/review/signing.ts')
  const { parseRoster } = await import('../../pipelines/review/roster.ts')
  const { rosterFile } = await import('../../operations/review/read-roster.ts')
  const { scoringOfHome } = await import('../../operations/rating/load-scoring.ts')
  const roster_file = roster ?? rosterFile(run.settings.home)
  return {
    warehouse,
    roster: parseRoster(await readText(roster_file, 'roster'), roster_file),
    signer: parseSigner(await readText(key, 'key'), key),
    at: null,
    facts: scoringOfHome(run.settings.home).facts,
    ...(temporal === true && { deliver: await delivery(run, subject, warehouse) }),
  }
}

async function delivery(run: ActRun, subject: ReviewSubject, warehouse: Warehouse) {
  const { actThroughTemporal } = await import('../../service/temporal/act-through-temporal.ts')
  return actThroughTemporal(subject, warehouse, run)
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
