import { connectTemporal, type TemporalClient } from '../../workflows/client/connect.ts'
import { requireSameWarehouse } from '../../workflows/client/has-workers.ts'
import type { Settings } from '../configuration.ts'
import { requireTemporal } from './open-temporal.ts'

/**
 * Works with the Temporal server that runs already: the one of TEMPORAL_ADDRESS, or that of `tidemark up` in this home.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: there is none; VALIDATION_USAGE_INVALID: its workers have another warehouse
 */
export async function onServer<T>(
  settings: Settings,
  signal: AbortSignal,
  act: (connected: TemporalClient) => Promise<T>,
): Promise<T> {
  const connected = await connectTemporal(await requireTemporal(settings, signal))
  try {
    await requireSameWarehouse(connected, settings.warehouse)
    return await act(connected)
  } finally {
    await connected.close()
  }
}
