import { ServiceError } from '../../primitives/errors.ts'
import { fetchLogFile } from '../transparency/fetch-log-file.ts'
import { baseUrl } from './base-url.ts'

/** Files of the log of a deployment (c2sp.org/tlog-tiles). Each call throws LOG_NOT_FOUND if there is no such file. */
export type LogFiles = {
  /** Newest checkpoint, signed. */
  getLogCheckpoint(): Promise<string>
  /** Key that signs the checkpoints; compare it by another channel before you trust it. */
  getLogVkey(): Promise<string>
  /** Up to 256 hashes of 32 bytes of one level of the tree. */
  getLogTile(tile: { readonly level: number; readonly index: string }): Promise<Uint8Array>
  /** Up to 256 entries, each after its length as a big-endian uint16. */
  getLogEntries(bundle: { readonly index: string }): Promise<Uint8Array>
}

/** Creates the reads of a log's files. @param base_url http or https, without /log */
export function createLogFiles(base_url: string, signal?: AbortSignal): LogFiles {
  const base = `${baseUrl(base_url)}/log`
  const read = async (path: string) => {
    const file = await fetchLogFile(`${base}/${path}`, signal)
    if (file !== null) return file
    throw new ServiceError('LOG_NOT_FOUND', `file is /log/${path}; allowed: a file of the log`, { path })
  }
  return {
    getLogCheckpoint: async () => (await read('checkpoint')).toString(),
    getLogVkey: async () => (await read('vkey')).toString(),
    getLogTile: ({ level, index }) => read(`tile/${level}/${index}`),
    getLogEntries: ({ index }) => read(`tile/entries/${index}`),
  }
}
