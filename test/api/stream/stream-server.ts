import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { attachStream, type StreamOptions, type StreamServer } from '../../../api/stream/attach-stream.ts'
import { streamProjections } from '../../../api/stream/projections.ts'

export type RunningStream = {
  readonly url: string
  readonly port: number
  readonly http_server: Server
  readonly stream: StreamServer
  readonly failures: unknown[]
  stop(): Promise<void>
}

/** A stream on a free port of the loopback address; it stops at once. */
export async function startStream(
  reader: StreamOptions['reader'],
  options: Partial<Omit<StreamOptions, 'reader'>> = {},
): Promise<RunningStream> {
  const http_server = createServer((_request, response) => response.writeHead(404).end())
  const failures: unknown[] = []
  const stream = attachStream({
    http_server,
    reader,
    project: streamProjections(reader),
    onFailure: (error) => failures.push(error),
    ...options,
    limits: { closing_ms: 0, flush_ms: 1, ...options.limits },
  })
  await new Promise<void>((resolve) => http_server.listen(0, '127.0.0.1', resolve))
  const { port } = http_server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}/v1/ws`,
    port,
    http_server,
    stream,
    failures,
    async stop() {
      await stream.close()
      http_server.closeAllConnections()
      await new Promise((resolve) => http_server.close(resolve))
    },
  }
}
