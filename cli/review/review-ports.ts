import { Option } from 'commander'
import type { ReviewPorts } from '../../operations/review/perform-act.ts'
import type { ReviewSubject } from '../../pipelines/review/subject.ts'
import type { Environment } from '../../service/configuration.ts'
import type { Invocation } from '../../service/invocation.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { temporalOption } from '../options.ts'
import { loadSigner, type SignerOptions } from './signer-options.ts'

/** Options of every act that a person signs. */
export type SignedOptions = SignerOptions & { readonly roster?: string; readonly temporal?: true }

/** Parts of an invocation that an act needs. */
export type ActRun = Pick<Invocation<SignedOptions>, 'options' | 'settings' | 'output' | 'signal'> & {
  readonly environment: Environment
}

/** `--temporal`; conflicts with --roster because the workers use the roster of their home. */
export const throughOption = () => temporalOption().conflicts('roster')

export const rosterOption = () =>
  new Option('--roster <file>', 'members and their public keys (default: roster.yaml in $TIDEMARK_HOME)')

/**
 * Returns the roster, signer and warehouse of an act.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_DEFINITION_INVALID
 */
export async function reviewPorts(run: ActRun, subject: ReviewSubject, warehouse: Warehouse): Promise<ReviewPorts> {
  const { roster, temporal } = run.options
  const { actingRoster } = await import('../../operations/review/read-roster.ts')
  const { scoringOfHome } = await import('../../operations/rating/load-scoring.ts')
  return {
    warehouse,
    roster: await actingRoster(warehouse, run.settings.home, roster ?? null),
    signer: await loadSigner(run.options),
    at: null,
    facts: scoringOfHome(run.settings.home).facts,
    ...(temporal === true && { deliver: await delivery(run, subject, warehouse) }),
  }
}

async function delivery(run: ActRun, subject: ReviewSubject, warehouse: Warehouse) {
  const { actThroughTemporal } = await import('../../service/temporal/act-through-temporal.ts')
  return actThroughTemporal(subject, warehouse, run)
}
