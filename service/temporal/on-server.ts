import { connectTemporal, type TemporalClient } from '../../workflows/client/connect.ts'
import { requireSameWarehouse } from '../../workflows/client/has-workers.ts'
import { serverError } from '../../workflows/client/server-error.ts'
import type { Settings } from '../configuration.ts'
import { requireTemporal } from './open-temporal.ts'

type Act<T> = (connected: TemporalClient) => Promise<T>

/**
 * Works with the Temporal server that runs already: the one of TEMPORAL_ADDRESS, or that of `tidemark up` in this home.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: there is none; VALIDATION_USAGE_INVALID: its workers have another warehouse
 */
export async function onServer<T>(settings: Settings, signal: AbortSignal, act: Act<T>): Promise<T> {
  return connected(settings, signal, async (client) => {
    await requireSameWarehouse(client, settings.warehouse)
    return act(client)
  })
}

/**
 * Asks that server about its workers: autoscalers and people who replace workers need no warehouse.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: there is none, or it did not do what was asked; errors of `act`
 */
export async function onServerAlone<T>(settings: Settings, signal: AbortSignal, act: Act<T>): Promise<T> {
  return connected(settings, signal, (client) =>
    act(client).catch((error: unknown) => {
      throw serverError(error, client.server)
    }),
  )
}

async function connected<T>(settings: Settings, signal: AbortSignal, act: Act<T>): Promise<T> {
  const client = await connectTemporal(await requireTemporal(settings, signal))
  return act(client).finally(() => client.close())
}
