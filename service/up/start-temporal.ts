import { isServiceError } from '../../primitives/errors.ts'
import { writeFault } from '../../warehouse/store/store-error.ts'
import { aborted } from '../../workflows/aborted.ts'
import type { OpenedTemporal, OpenTemporalOptions } from '../temporal/open-temporal.ts'

/** Temporal server of a service, started in the background. */
export type ServiceTemporal = {
  /** null: not wanted or not available. */
  readonly opened: Promise<OpenedTemporal | null>
  close(): Promise<void>
}

export type ServiceTemporalOptions = OpenTemporalOptions & {
  readonly on_note: (text: string) => void
  /** Work to wait for first: downloading or building a server loads the machine. */
  readonly after: Promise<void>
}

/** Finds, builds or starts a server after `after`, in the background. Notes if none is available; a full disk is waited for. */
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
  // Loaded late: Temporal's packages are a fifth of what this process would load at its start.
  const { openTemporal, untilDiskHasSpace, withoutTemporal } = await import('../temporal/open-temporal.ts')
  for (;;) {
    try {
      return await openTemporal(options)
    } catch (error) {
      if (signal.aborted) return null
      on_note(withoutTemporal(error))
      const is_full = isServiceError(error, 'WAREHOUSE_STORE_FULL') || writeFault(error) === 'full'
      if (!is_full) return null
      await untilDiskHasSpace(options)
      if (signal.aborted) return null
    }
  }
}

/** Returns a service part without a server. */
export function noTemporal(): ServiceTemporal {
  return { opened: Promise.resolve(null), close: async () => undefined }
}
