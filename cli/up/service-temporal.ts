import { waitFor } from '../../operations/live/wait-for.ts'
import {
  type OpenedTemporal,
  type OpenTemporalOptions,
  openTemporal,
  withoutTemporal,
} from '../temporal/open-temporal.ts'

/** The Temporal server of a service: nothing waits for it. */
export type ServiceTemporal = {
  /** null: none is wanted, or none can be had. */
  readonly opened: Promise<OpenedTemporal | null>
  /** The server where it serves within a time, else null. */
  within(wait_ms: number): Promise<OpenedTemporal | null>
  close(): Promise<void>
}

export type ServiceTemporalOptions = OpenTemporalOptions & { readonly on_note: (text: string) => void }

/** Begins to find, make or start a server. A sentence says where none can be had. */
export function beginTemporal(options: ServiceTemporalOptions): ServiceTemporal {
  const ending = new AbortController()
  const signal = AbortSignal.any([options.signal, ending.signal])
  const opened = openTemporal({ ...options, signal }).catch((error: unknown) => {
    if (!signal.aborted) options.on_note(withoutTemporal(error))
    return null
  })
  return serviceTemporal(opened, async () => {
    ending.abort()
    await (await opened)?.close()
  })
}

/** The service without a server. */
export function noTemporal(): ServiceTemporal {
  return serviceTemporal(Promise.resolve(null), async () => undefined)
}

function serviceTemporal(opened: Promise<OpenedTemporal | null>, close: () => Promise<void>): ServiceTemporal {
  const within = async (wait_ms: number) => {
    const over = new AbortController()
    try {
      return await Promise.race([opened, waitFor(wait_ms, over.signal).then(() => null)])
    } finally {
      over.abort()
    }
  }
  return { opened, within, close }
}
