import { parseKey } from '../../pipelines/transparency/signed-note.ts'
import { tilePath } from '../../pipelines/transparency/tiles.ts'
import { type VerifiedLog, verifyLog } from '../../pipelines/transparency/verify-log.ts'
import type { TreeHead } from '../../pipelines/transparency/verify-tree.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { baseUrl } from '../http/base-url.ts'
import { fetchFailure } from '../http/fetch-failure.ts'

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
  const base = `${baseUrl(base_url)}/log`
  const read = (path: string) => fetchBytes(`${base}/${path}`, signal)
  return verifyLog({
    source: {
      checkpoint: async () => (await read('checkpoint'))?.toString() ?? null,
      tile: (address) => read(tilePath(address)),
    },
    key: parseKey(vkey),
    seen,
  })
}

async function fetchBytes(url: string, signal?: AbortSignal): Promise<Buffer | null> {
  const response = await fetch(url, signal === undefined ? {} : { signal }).catch((error: unknown) => {
    throw new ServiceError('SERVICE_UNAVAILABLE', `${url} does not answer: ${fetchFailure(error)}`, { url }, error)
  })
  if (response.status === 404) return null
  if (response.ok) return Buffer.from(await response.arrayBuffer())
  throw new ServiceError('SERVICE_UNAVAILABLE', `${url} answers with ${response.status}; allowed: 200 or 404`, { url })
}
