import { createServer } from 'node:http'
import type { Witness } from '../../operations/transparency/witness.ts'
import { LOG } from '../../protocol/limits.ts'
import { bodyOf, type Listening, type ListenOptions, listenUntil } from '../listen-until.ts'

export type ServeWitnessOptions = ListenOptions & {
  readonly witness: Witness
  /** Text of the witness's key, served at /vkey. */
  readonly vkey: string
}

/** Longest request: it has room for 63 hashes and a checkpoint with 64 signatures. */
const BODY_BYTES_MAX = LOG.witness_body_bytes_max

/** Serves a witness until the signal is aborted. */
export async function serveWitness(options: ServeWitnessOptions): Promise<Listening> {
  const { witness, vkey } = options
  const server = createServer((request, response) => {
    const answer = async () => {
      if (request.method === 'GET' && request.url === '/vkey')
        return { status: 200, type: 'text/plain', body: `${vkey}\n` }
      if (request.method !== 'POST' || request.url !== '/add-checkpoint') {
        return { status: 404, type: 'text/plain', body: 'allowed: POST /add-checkpoint, GET /vkey\n' }
      }
      const body = await bodyOf(request, BODY_BYTES_MAX)
      if (body === null) return { status: 413, type: 'text/plain', body: `allowed: at most ${BODY_BYTES_MAX} bytes\n` }
      return witness.addCheckpoint(body.toString('utf8'))
    }
    answer().then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    )
  })
  return listenUntil(server, options)
}
