import { rename, rm, writeFile } from 'node:fs/promises'
import type { ServerAddress } from '../../workflows/server/server-file.ts'

/** What a script needs to know of a service that is ready. */
export type Ready = {
  readonly base_url: string
  readonly stream_url: string
  readonly environment: string
  /** The Temporal server; null where none serves, or none is used. */
  readonly temporal: ServerAddress | null
  readonly sandbox_accounts: readonly never[]
}

/** Writes the file at once, readable by its owner alone: whoever sees it sees all of it. */
export async function writeReadyFile(file: string, ready: Ready): Promise<void> {
  const unfinished = `${file}.${process.pid}`
  await rm(unfinished, { force: true })
  await writeFile(unfinished, `${JSON.stringify(ready, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(unfinished, file)
}
