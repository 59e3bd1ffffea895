import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '../../primitives/errors.ts'
import { LIVE_VENUES, OWN_VENUE } from '../../vocabulary/venue.ts'
import { noteSimulatedVenues, readSimulatedVenues } from '../../warehouse/simulated-venues.ts'
import { hasWarehouse } from '../../warehouse/warehouse.ts'
import { sandboxAccounts, type UpRun } from './up-options.ts'

/** Returns whether an environment is one with real money: `production`, and every name that begins like it, in any case. */
function isProduction(environment: string): boolean {
  return /^\s*prod/i.test(environment)
}

/**
 * Refuses invented data in a deployment with real money: `up` serves simulated venues and a sandbox.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export function refuseProduction(environment: string): void {
  if (!isProduction(environment)) return
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `TIDEMARK_ENVIRONMENT is ${environment}, where \`tidemark up\` does not run, because its venues are simulated; ` +
      'allowed: another name, or the processes by themselves (tidemark api, engine and worker)',
    { field: 'environment', value: environment },
  )
}

/**
 * Refuses a warehouse that a sandbox filled in a deployment with real money: its prices and indexes would be served as real ones.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export async function refuseInventedData({
  environment,
  warehouse,
}: {
  readonly environment: string
  readonly warehouse: string
}): Promise<void> {
  if (!isProduction(environment)) return
  const venue_ids = [...(await readSimulatedVenues(warehouse))]
  if (venue_ids.length === 0) return
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `TIDEMARK_ENVIRONMENT is ${environment}, but warehouse ${warehouse} has data of simulated venues (${venue_ids.join(', ')}); ` +
      'allowed: a home and a warehouse of its own (TIDEMARK_HOME, TIDEMARK_WAREHOUSE)',
    { field: 'warehouse', value: warehouse },
  )
}

/**
 * Refuses a warehouse outside the home that no sandbox has filled: simulated rows in it could never be removed.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export async function refuseRealData({
  home,
  warehouse,
}: {
  readonly home: string
  readonly warehouse: string
}): Promise<void> {
  if (warehouse === join(home, 'warehouse') || existsSync(join(home, 'live', 'world.json'))) return
  if (!(await hasWarehouse(warehouse)) || (await readSimulatedVenues(warehouse)).size > 0) return
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `warehouse is ${warehouse}, which has no simulated data; \`tidemark up\` would add some, and nothing removes it; ` +
      'allowed: a place that is empty or that `tidemark up` filled, or the processes by themselves (tidemark api and worker)',
    { field: 'warehouse', value: warehouse },
  )
}

/** Notes in the warehouse which venues of a run are simulated. A place without a warehouse is left as it is. */
export async function noteInventedData(run: UpRun, root: string): Promise<void> {
  if (!(await hasWarehouse(root))) return
  await noteSimulatedVenues(root, sandboxAccounts(run) > 0 ? [...LIVE_VENUES, OWN_VENUE] : LIVE_VENUES)
}
