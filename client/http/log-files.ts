import { checkCall, checkedObject, refusedArgument } from '../given.ts'
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
    checkCall(call)
    const file = await fetchLogFile(`${base}/${path}`, eitherSignal(means.signal, call.signal), means)
    if (file !== null) return file
    throw clientError('LOG_NOT_FOUND', `file is /log/${path}; allowed: a file of the log`, false)
  }
  const text = async (path: string, call?: Call) => new TextDecoder().decode(await read(path, call))
  return {
    getLogCheckpoint: (call) => text('checkpoint', call),
    getLogVkey: (call) => text('vkey', call),
    getLogTile: async (tile, call) => {
      const { level, index } = checkedObject(tile, 'tile')
      if (!Number.isInteger(level) || level < 0) throw refusedArgument('level', level, 'a whole number from 0 on')
      return read(`tile/${level}/${checkedIndex(index)}`, call)
    },
    getLogEntries: async (bundle, call) =>
      read(`tile/entries/${checkedIndex(checkedObject(bundle, 'bundle').index)}`, call),
  }
}

/** Returns the index of a tile as its path has it, such as `x001/067` or `000.p/12`. */
function checkedIndex(index: string): string {
  if (typeof index === 'string' && /^[\w./]+$/.test(index)) return index
  throw refusedArgument('index', index, 'the index of a tile, such as x001/067 or 000.p/12')
}
