import { parseKey } from '../../pipelines/transparency/signed-note.ts'
import { tilePath } from '../../pipelines/transparency/tiles.ts'
import { type LogSource, type VerifiedLog, verifyLog } from '../../pipelines/transparency/verify-log.ts'
import type { TreeHead } from '../../pipelines/transparency/verify-tree.ts'
import { baseUrl } from '../http/base-url.ts'
import { fetchLogFile } from './fetch-log-file.ts'

export type VerifyLogOverHttpOptions = {
  /** Address of the service, without /log. */
  readonly base_url: string
  /** Verifier key of the log, from a source other than the service. */
  readonly vkey: string
  /** Heads seen before: the log must continue each. */
  readonly seen?: readonly TreeHead[]
  readonly signal?: AbortSignal
}

/**
 * Verifies the whole log of a service: every entry, every tile, its root, its signature, and that no seal left anything out.
 * @throws {ServiceError} PROOF_INVALID names what does not verify; SERVICE_UNAVAILABLE
 */
export async function verifyLogOverHttp(options: VerifyLogOverHttpOptions): Promise<VerifiedLog> {
  const { base_url, vkey, seen = [], signal } = options
  return verifyLog({ source: logOverHttp(base_url, signal), key: parseKey(vkey), seen })
}

/** Returns the files of the log of a service. */
export function logOverHttp(base_url: string, signal?: AbortSignal): LogSource & { vkey(): Promise<string | null> } {
  const base = `${baseUrl(base_url)}/log`
  const read = (path: string) => fetchLogFile(`${base}/${path}`, signal)
  const text = async (path: string) => {
    const file = await read(path)
    return file === null ? null : new TextDecoder().decode(file)
  }
  return {
    checkpoint: () => text('checkpoint'),
    tile: (address) => read(tilePath(address)),
    vkey: async () => (await text('vkey'))?.trim() ?? null,
  }
}
