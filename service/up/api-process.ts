import type { Environment } from '../configuration.ts'
import { superviseProcess } from './supervise-process.ts'

export type ApiProcessOptions = {
  readonly warehouse: string
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  readonly environment: Environment
  readonly on_problem: (error: unknown) => void
  /** A line that it wrote to its standard error. */
  readonly on_note: (line: string) => void
}

export type ApiProcess = {
  readonly base_url: string
  readonly stream_url: string
  /** Ends it within a few seconds. */
  close(): Promise<void>
}

type Said = { readonly base_url: string; readonly stream_url: string }

/**
 * `tidemark api` as a process of its own, so that publication never delays an answer. One that ends is started again at the
 * same port. It ends with this process.
 * @throws {ServiceError} what it said when it did not start
 */
export async function startApiProcess(options: ApiProcessOptions): Promise<ApiProcess> {
  const { warehouse, host, port, environment, on_problem, on_note } = options
  const argv = (said: Said | null) => {
    const asked = said === null ? String(port) : new URL(said.base_url).port
    return ['api', '--attached', '--json', '--warehouse', warehouse, '--host', host, '--port', asked]
  }
  const kept = await superviseProcess<Said>({ name: 'API', argv, environment, on_problem, on_note })
  const { base_url, stream_url } = kept.said
  return { base_url, stream_url, close: kept.close }
}
