import { connectTemporal, type TemporalClient } from '../../workflows/client/connect.ts'
import { requireSameWarehouse } from '../../workflows/client/has-workers.ts'
import { serverError } from '../../workflows/client/server-error.ts'
import type { Settings } from '../configuration.ts'
import { requireTemporal } from './open-temporal.ts'

type Act<T> = (connected: TemporalClient) => Promise<T>

/**
 * Works with the Temporal server that runs already: the one of TEMPORAL_ADDRESS, or that of `tidemark up` in this home.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: there is none, or it did not do what was asked; VALIDATION_USAGE_INVALID: its workers
 *   have another warehouse; errors of `act`
 */
export async function onServer<T>(settings: Settings, signal: AbortSignal, act: Act<T>): Promise<T> {
  return onServerAlone(settings, signal, async (client) => {
    await requireSameWarehouse(client, settings.warehouse)
    return act(client)
  })
}

/**
 * Asks that server about its workers: autoscalers and people who replace workers need no warehouse.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: there is none, or it did not do what was asked; errors of `act`
 */
export async function onServerAlone<T>(settings: Settings, signal: AbortSignal, act: Act<T>): Promise<T> {
  const client = await connectTemporal(await requireTemporal(settings, signal))
  try {
    return await act(client)
  } catch (error) {
    throw serverError(error, client.server)
  } finally {
    await client.close()
  }
}
