import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { RequestKey } from '../../client/signing/sign-request.ts'
import { invariant } from '../../primitives/errors.ts'
import type { LoadOptions } from './load-options.ts'
import { LOAD_ENVIRONMENT, type LoadWorld } from './load-world.ts'

export type StreamKind = 'private' | 'public'

/** Requests to the process that holds the sockets. */
export type StreamsAsked =
  | {
      readonly open: {
        readonly url: string
        readonly keys: readonly RequestKey[]
        readonly market_ids: readonly string[]
      }
    }
  | { readonly measure: true }
  | { readonly report: true }

/** Number of events, and their delay from the stamp of the engine's batch to receipt; null if there were none. */
type StreamFigures = {
  readonly streams: number
  readonly messages: number
  readonly p50_ms: number | null
  readonly p99_ms: number | null
  readonly max_ms: number | null
}

/** `failures`: sockets that were refused, received a gap or were closed. */
export type StreamsMeasured = Readonly<Record<StreamKind, StreamFigures>> & { readonly failures: number }

export type LoadStreams = {
  readonly pid: number
  /** Resets the counts. */
  measure(): Promise<void>
  report(): Promise<StreamsMeasured>
  close(): Promise<void>
}

const SCRIPT = fileURLToPath(new URL('./stream-process.ts', import.meta.url))

/** Opens the requested sockets, private ones each for another account while accounts last; null if none are requested. */
export async function openStreams(
  base_url: string,
  { accounts, markets }: LoadWorld,
  { private_streams, public_streams }: LoadOptions,
): Promise<LoadStreams | null> {
  if (private_streams + public_streams === 0) return null
  const child = fork(SCRIPT, { execArgv: ['--import', 'tsx'] })
  await once(child, 'message')
  const open = {
    url: `${base_url.replace('http', 'ws')}/v1/ws`,
    keys: Array.from({ length: private_streams }, (_, place) => keyOf(accounts[place % accounts.length]!)),
    market_ids: Array.from({ length: public_streams }, (_, place) => markets[place % markets.length]!.market_id),
  }
  const { opened } = await ask<{ opened: Record<StreamKind, number> }>(child, { open })
  invariant(
    opened.private === private_streams && opened.public === public_streams,
    `all streams are open: ${JSON.stringify(opened)}`,
  )
  return {
    pid: child.pid!,
    measure: async () => void (await ask(child, { measure: true })),
    report: () => ask<StreamsMeasured>(child, { report: true }),
    close: async () => {
      const ended = once(child, 'exit')
      if (child.kill('SIGTERM')) await ended
    },
  }
}

function keyOf({ key_id, secret }: LoadWorld['accounts'][number]): RequestKey {
  return { key_id, environment: LOAD_ENVIRONMENT, algorithm: 'hmac-sha256', secret }
}

async function ask<Answer>(child: ChildProcess, asked: StreamsAsked): Promise<Answer> {
  const answered = once(child, 'message')
  child.send(asked)
  return ((await answered) as [Answer])[0]
}
