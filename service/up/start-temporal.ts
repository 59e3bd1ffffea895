import { aborted } from '../../workflows/aborted.ts'
import type { OpenedTemporal, OpenTemporalOptions } from '../temporal/open-temporal.ts'

/** The Temporal server of a service: nothing waits for it. */
export type ServiceTemporal = {
  /** null: none is wanted, or none can be had. */
  readonly opened: Promise<OpenedTemporal | null>
  close(): Promise<void>
}

export type ServiceTemporalOptions = OpenTemporalOptions & {
  readonly on_note: (text: string) => void
  /** What comes first: a server that is downloaded or built takes a machine's time. */
  readonly after: Promise<void>
}

/** Finds, makes or starts a server when the time has come. A sentence says where none can be had. */
export function startTemporal(options: ServiceTemporalOptions): ServiceTemporal {
  const ending = new AbortController()
  const signal = AbortSignal.any([options.signal, ending.signal])
  const opened = openLater({ ...options, signal })
  return {
    opened,
    close: async () => {
      ending.abort()
      await (await opened)?.close()
    },
  }
}

async function openLater(options: ServiceTemporalOptions): Promise<OpenedTemporal | null> {
  const { after, signal, on_note } = options
  await Promise.race([after, aborted(signal)])
  if (signal.aborted) return null
  // Its packages are a fifth of what this process would load before it begins to work.
  const { openTemporal, withoutTemporal } = await import('../temporal/open-temporal.ts')
  try {
    return await openTemporal(options)
  } catch (error) {
    if (!signal.aborted) on_note(withoutTemporal(error))
    return null
  }
}

/** The service without a server. */
export function noTemporal(): ServiceTemporal {
  return { opened: Promise.resolve(null), close: async () => undefined }
}
