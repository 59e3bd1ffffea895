import type { Environment } from '../configuration.ts'
import type { ProcessBoard } from './process-board.ts'
import { superviseProcess } from './supervise-process.ts'

export type ApiProcessOptions = {
  readonly warehouse: string
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly environment: Environment
  readonly board: ProcessBoard
  readonly on_problem: (error: unknown) => void
  /** Receives each line of its standard error. */
  readonly on_note: (line: string) => void
}

export type ApiProcess = {
  readonly base_url: string
  readonly stream_url: string
  /** Address on this machine of the page with the state of ingest, and of /metrics. */
  readonly admin_url: string
  /** Stops it within a few seconds. */
  close(): Promise<void>
}

type Ready = { readonly base_url: string; readonly stream_url: string; readonly metrics_url: string }

/**
 * Starts `tidemark api` as a separate process, so that publication never delays an answer. It is restarted on the same ports if it exits, and
 * exits with this process.
 * @throws {ServiceError} its error if it does not start
 */
export async function startApiProcess(options: ApiProcessOptions): Promise<ApiProcess> {
  const { warehouse, host, port, environment, board, on_problem, on_note } = options
  const argv = (ready: Ready | null) => {
    const asked = ready === null ? String(port) : new URL(ready.base_url).port
    const admin = ready === null ? '0' : new URL(ready.metrics_url).port
    const ports = ['--port', asked, '--metrics-port', admin]
    return ['api', '--attached', '--json', '--warehouse', warehouse, '--host', host, ...ports]
  }
  const kept = await superviseProcess<Ready>({ name: 'API', argv, environment, board, on_problem, on_note })
  const { base_url, stream_url, metrics_url } = kept.ready
  return { base_url, stream_url, admin_url: new URL('/', metrics_url).href, close: kept.close }
}
