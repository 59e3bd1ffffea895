import { type OwnVenueWork, openOwnVenueWork } from '../../operations/own-venue/own-venue-work.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { Output } from '../output.ts'
import { readListingFile } from './listing-policy-file.ts'
import type { WorkerTrading } from './worker-trading.ts'

/**
 * Returns the work of a process for our own exchange; null without a trading database.
 * @param listing_policy file of the policy; '': no market of another venue is listed
 * @throws {ServiceError} errors of readListingFile
 */
export async function ownVenueWork(
  trading: Pick<WorkerTrading, 'pool' | 'client'> | null,
  warehouse: Warehouse,
  listing_policy: string,
  output: Pick<Output, 'note'>,
  on_problem: (error: unknown) => void,
): Promise<OwnVenueWork | null> {
  if (trading === null) return null
  const { pool, client } = trading
  const policy = listing_policy === '' ? null : await readListingFile(listing_policy)
  return openOwnVenueWork({ warehouse, pool, client, policy, on_problem, on_note: (text) => output.note(text) })
}
