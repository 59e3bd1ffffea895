import type { Environment } from '../configuration.ts'
import { superviseProcess } from './supervise-process.ts'

export type ApiProcessOptions = {
  readonly warehouse: string
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly environment: Environment
  readonly on_problem: (error: unknown) => void
  /** Receives each line of its standard error. */
  readonly on_note: (line: string) => void
}

export type ApiProcess = {
  readonly base_url: string
  readonly stream_url: string
  /** Stops it within a few seconds. */
  close(): Promise<void>
}

type Ready = { readonly base_url: string; readonly stream_url: string }

/**
 * Starts `tidemark api` as a separate process, so that publication never delays an answer. It is restarted on the same port if it exits, and
 * exits with this process.
 * @throws {ServiceError} its error if it does not start
 */
export async function startApiProcess(options: ApiProcessOptions): Promise<ApiProcess> {
  const { warehouse, host, port, environment, on_problem, on_note } = options
  const argv = (ready: Ready | null) => {
    const asked = ready === null ? String(port) : new URL(ready.base_url).port
    return ['api', '--attached', '--json', '--warehouse', warehouse, '--host', host, '--port', asked]
  }
  const kept = await superviseProcess<Ready>({ name: 'API', argv, environment, on_problem, on_note })
  const { base_url, stream_url } = kept.ready
  return { base_url, stream_url, close: kept.close }
}
