import { TABLE_FORMS } from '../../api/transparency/record-forms.ts'
import { CHECKPOINT_EVERY_MS, runLog } from '../../operations/transparency/run-log.ts'
import { parseKey } from '../../pipelines/transparency/signed-note.ts'
import { logPlace } from '../../warehouse/transparency/log-layout.ts'
import { type LogWriter, openLogWriter } from '../../warehouse/transparency/log-writer.ts'
import { readWarehouseId, type Warehouse } from '../../warehouse/warehouse.ts'
import type { Settings } from '../configuration.ts'
import { askWitness } from './ask-witness.ts'
import { openLogKey } from './note-key-file.ts'

/** Settings of the log. */
export type LogSettings = Pick<
  Settings,
  'home' | 'environment' | 'log_key_file' | 'log_origin' | 'log_witness_url' | 'log_witness_key'
>

/**
 * Opens the log of a warehouse for writing, with the key of the settings.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID, WAREHOUSE_BUSY, LOG_CORRUPT
 */
export async function openLog(warehouse: Warehouse, settings: LogSettings): Promise<LogWriter> {
  const signer = await openLogKey(settings.log_key_file, await originOf(warehouse, settings))
  return openLogWriter({ warehouse, place: placeOf(warehouse, settings), forms: TABLE_FORMS, signer })
}

const placeOf = ({ root }: Warehouse, { home }: LogSettings) => logPlace({ home, warehouse: root })

/** A new warehouse is a new log: its origin has the warehouse's id, unless the settings name one. */
export async function originOf(
  { root }: Pick<Warehouse, 'root'>,
  { environment, log_origin }: LogSettings,
): Promise<string> {
  return log_origin === '' ? `tidemark/${environment}/${await readWarehouseId(root)}` : log_origin
}

export type KeepLogOptions = {
  readonly warehouse: Warehouse
  readonly settings: LogSettings
  readonly signal: AbortSignal
  readonly on_problem: (error: unknown) => void
  /** Called once, when the first checkpoint is signed, with the entries that the log has. */
  readonly on_ready?: (size: number) => void | Promise<void>
}

/** Keeps the log of a warehouse up to date until the signal is aborted; has each checkpoint cosigned if a witness is set. */
export function keepLog({ warehouse, settings, signal, on_problem, on_ready }: KeepLogOptions): Promise<void> {
  let is_ready = false
  return runLog({
    open: () => openLog(warehouse, settings),
    afterwards: async (writer, size) => {
      if (!is_ready) await on_ready?.(size)
      is_ready = true
      await cosign(writer, warehouse, settings)
    },
    every_ms: CHECKPOINT_EVERY_MS,
    signal,
    on_problem,
  })
}

/** Has the latest checkpoint cosigned, if a witness is set. @throws {ServiceError} SERVICE_UNAVAILABLE, PROOF_INVALID */
export async function cosign(writer: LogWriter, warehouse: Warehouse, settings: LogSettings): Promise<void> {
  const { log_witness_url, log_witness_key } = settings
  if (log_witness_url === '' || log_witness_key === '') return
  const witness = parseKey(log_witness_key)
  await writer.cosign(await askWitness({ place: placeOf(warehouse, settings), url: log_witness_url, witness }))
}
