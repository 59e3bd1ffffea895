import { clientError } from '../tidemark-error.ts'
import { fetchLogFile } from '../transparency/fetch-log-file.ts'
import { baseUrl } from './base-url.ts'
import { type Call, eitherSignal } from './call.ts'
import type { Transport } from './transport.ts'

/** Files of the log of a deployment (c2sp.org/tlog-tiles). Each call throws LOG_NOT_FOUND if there is no such file. */
export type LogFiles = {
  /** Newest checkpoint, signed. */
  getLogCheckpoint(call?: Call): Promise<string>
  /** Key that signs the checkpoints; compare it by another channel before you trust it. */
  getLogVkey(call?: Call): Promise<string>
  /** Up to 256 hashes of 32 bytes of one level of the tree. */
  getLogTile(tile: { readonly level: number; readonly index: string }, call?: Call): Promise<Uint8Array>
  /** Up to 256 entries, each after its length as a big-endian uint16. */
  getLogEntries(bundle: { readonly index: string }, call?: Call): Promise<Uint8Array>
}

/** Creates the reads of a log's files. @param base_url http or https, without /log */
export function createLogFiles(base_url: string, means: Transport & { readonly signal?: AbortSignal } = {}): LogFiles {
  const base = `${baseUrl(base_url)}/log`
  const read = async (path: string, call: Call = {}) => {
    const file = await fetchLogFile(`${base}/${path}`, eitherSignal(means.signal, call.signal), means)
    if (file !== null) return file
    throw clientError('LOG_NOT_FOUND', `file is /log/${path}; allowed: a file of the log`, false)
  }
  const text = async (path: string, call?: Call) => new TextDecoder().decode(await read(path, call))
  return {
    getLogCheckpoint: (call) => text('checkpoint', call),
    getLogVkey: (call) => text('vkey', call),
    getLogTile: ({ level, index }, call) => read(`tile/${level}/${index}`, call),
    getLogEntries: ({ index }, call) => read(`tile/entries/${index}`, call),
  }
}
