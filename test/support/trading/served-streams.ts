import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { authenticatorOf } from '../../../api/private/authenticator-of.ts'
import { attachStream } from '../../../api/stream/attach-stream.ts'
import { PrivateStream } from '../../../api/stream/private/private-stream.ts'
import { streamProjections } from '../../../api/stream/projections.ts'
import type { StreamLimits } from '../../../api/stream/stream-limits.ts'
import type { TradingFeed } from '../../../api/trading-feed.ts'
import type { Reader } from '../../../warehouse/reader/reader.ts'
import { fakeReader } from '../fake-reader.ts'
import { ENVIRONMENT, type ServedAccounts } from './served-accounts.ts'

/** A stream of accounts at a port of its own, beside the API of `served`. */
export type ServedStream = {
  readonly url: string
  readonly base_url: string
  readonly feed: TradingFeed
  readonly failures: unknown[]
  stop(): Promise<void>
}

export type ServeStreamOptions = {
  /** Served beside REST at this server's address, which is listened at; left out: at one of its own. */
  readonly app?: FastifyInstance
  /** Public data; left out: an empty warehouse. */
  readonly reader?: Reader
  readonly limits?: Partial<StreamLimits>
  readonly trusted_proxies?: readonly string[]
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

export async function serveStream(
  { trading }: Pick<ServedAccounts, 'trading'>,
  { app, reader = fakeReader({}), limits = {}, now = Date.now, trusted_proxies = [] }: ServeStreamOptions = {},
): Promise<ServedStream> {
  const failures: unknown[] = []
  const onFailure = (error: unknown) => failures.push(error)
  const feed = trading.openFeed({ onFailure, poll_ms: 200 })
  const authenticate = authenticatorOf(trading, ENVIRONMENT, () => now() * 1000)
  const accounts = new PrivateStream({ trading, authenticate, feed, reads: trading.stream_reads, now, onFailure })
  const http_server = app?.server ?? createServer((_request, response) => response.writeHead(404).end())
  const stream = attachStream({
    http_server,
    reader,
    project: streamProjections(reader),
    accounts,
    onFailure,
    now,
    trusted_proxies,
    limits: { closing_ms: 0, flush_ms: 1, ...limits },
  })
  if (app !== undefined) await app.listen({ host: '127.0.0.1', port: 0 })
  else await new Promise<void>((resolve) => http_server.listen(0, '127.0.0.1', resolve))
  while (feed.head() === null) await new Promise((resolve) => setTimeout(resolve, 5))
  const { port } = http_server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}/v1/ws`,
    base_url: `http://127.0.0.1:${port}`,
    feed,
    failures,
    async stop() {
      await stream.close()
      await feed.close()
      http_server.closeAllConnections()
      if (app === undefined) await new Promise((resolve) => http_server.close(resolve))
    },
  }
}
