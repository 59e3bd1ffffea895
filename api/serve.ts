import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../primitives/errors.ts'
import { openReader } from '../warehouse/reader/open-reader.ts'
import { ROUTE_HANDLERS } from './routes/handlers.ts'
import { type ApiServerOptions, createApiServer } from './server/create-api-server.ts'
import { attachStream } from './stream/attach-stream.ts'
import { streamProjections } from './stream/projections.ts'

export type ServeOptions = Pick<
  ApiServerOptions,
  'environment' | 'rate_limits' | 'cursor_secret' | 'logger' | 'extra'
> & {
  /** Folder of the warehouse; it may come later. */
  readonly warehouse_root: string
  readonly host: string
  /** 0: a free one. */
  readonly port: number
}

export type ServedApi = {
  readonly base_url: string
  readonly stream_url: string
  /** Tells streams, answers what was asked, then ends. */
  close(): Promise<void>
}

/**
 * One API process: a reader of the warehouse, the HTTP server and its stream. Several may read one warehouse.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the address is taken or may not be listened at
 */
export async function serveApi(options: ServeOptions): Promise<ServedApi> {
  const reader = await openReader({ root: options.warehouse_root })
  const app = await createApiServer({ ...options, reader, handlers: ROUTE_HANDLERS })
  const project = streamProjections(reader)
  const onFailure = (error: unknown, where: string) => options.logger?.error({ error, where }, 'stream')
  const stream = attachStream({ http_server: app.server, reader, project, onFailure })
  const close = async () => {
    await stream.close()
    await app.close()
    await reader.close()
  }
  try {
    const { base_url, stream_url } = await listen(app, options)
    return { base_url, stream_url, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function listen(app: FastifyInstance, { host, port }: ServeOptions) {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw new ServiceError(
      'VALIDATION_USAGE_INVALID',
      `port is ${port} at ${host}: ${(error as Error).message}; allowed: a free port of an address of this machine (--port 0 finds one)`,
      { host, port: String(port) },
    )
  }
  const { port: listened } = app.server.address() as AddressInfo
  const place = `${host.includes(':') ? `[${host}]` : host}:${listened}`
  return { base_url: `http://${place}`, stream_url: `ws://${place}` }
}
