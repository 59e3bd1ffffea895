import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { MetricSet } from '../../api/admin/metric-set.ts'
import { LAST_BACKUP } from '../../operations/backup/home-files.ts'
import { statedTime } from '../../pipelines/transparency/cosignature.ts'
import { parseKey, parseNote } from '../../pipelines/transparency/signed-note.ts'
import { CHECKPOINT, LOG_FOLDER, logPlace } from '../../warehouse/transparency/log-layout.ts'
import type { Settings } from '../configuration.ts'

type Place = Pick<Settings, 'home' | 'warehouse' | 'log_witness_key'>

/**
 * Adds the ages of what is kept beside the tables: checkpoint of the log, cosignature of its witness, backup. The processes that make
 * them may have ended, so the API reads their files. A file that is not there has no value.
 */
export function keepingMetrics(set: MetricSet, place: () => Place, now_ms: () => number = Date.now): void {
  const started_ms = now_ms()
  /** Newest cosignature seen of each witness, in milliseconds: a checkpoint that it did not sign has none. */
  const cosigned_ms = new Map<string, number>()
  const agesOf = (instants: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(instants).map(([label, at_ms]) => [label, Math.max(0, now_ms() - at_ms) / 1000]))

  set.labelled(
    'tidemark_log_checkpoint_age_seconds',
    'Seconds since the newest checkpoint of the log was written; it is written each minute.',
    'log',
    async () => agesOf(await checkpointOf(place())),
  )
  set.labelled(
    'tidemark_log_witness_age_seconds',
    'Seconds since the newest cosignature of each witness; of one that is configured and was not seen, since the start.',
    'witness',
    async () => {
      const { log_witness_key } = place()
      if (log_witness_key !== '' && cosigned_ms.size === 0) cosigned_ms.set(parseKey(log_witness_key).name, started_ms)
      for (const [name, at_ms] of await cosignaturesOf(place())) cosigned_ms.set(name, at_ms)
      return agesOf(Object.fromEntries(cosigned_ms))
    },
  )
  set.labelled(
    'tidemark_backup_age_seconds',
    'Seconds since the instant of the last backup of the home.',
    'folder',
    async () => agesOf(await backupOf(place().home)),
  )
}

const checkpointFile = (place: Place) => join(logPlace(place), LOG_FOLDER, CHECKPOINT)

async function checkpointOf(place: Place): Promise<Record<string, number>> {
  return orNone<Record<string, number>>(async () => ({ [LOG_FOLDER]: (await stat(checkpointFile(place))).mtimeMs }), {})
}

async function cosignaturesOf(place: Place): Promise<readonly (readonly [string, number])[]> {
  return orNone(async () => {
    const { signatures } = parseNote(await readFile(checkpointFile(place), 'utf8'))
    return signatures.flatMap((line) => {
      const time_s = statedTime(line)
      return time_s === null ? [] : [[line.name, time_s * 1000] as const]
    })
  }, [])
}

async function backupOf(home: string): Promise<Record<string, number>> {
  return orNone(async () => {
    const { folder, backed_up_through } = JSON.parse(await readFile(join(home, LAST_BACKUP), 'utf8')) as LastBackup
    return { [folder]: Date.parse(backed_up_through) }
  }, {})
}

/** Record of the last backup in the home. */
export type LastBackup = { readonly format: 1; readonly folder: string; readonly backed_up_through: string }

async function orNone<T>(read: () => Promise<T>, none: T): Promise<T> {
  return read().catch(() => none)
}
