import type { Micros } from '../../primitives/instants.ts'
import type { PrivateOperationId } from '../../protocol/endpoints/trading-endpoints.ts'
import type { Caller } from '../../trading/auth/authenticate.ts'
import type { Refusal, WriteIdentity } from '../../trading/engine/submission.ts'
import type { Head } from '../../trading/store/read/trading-reads.ts'
import type { Reader } from '../../warehouse/reader/reader.ts'
import type { CursorState, ParameterValue } from '../server/handler.ts'
import type { EndpointContext } from '../server/serve-endpoint.ts'
import type { TradingPorts } from '../trading-ports.ts'

export type PrivateContext = EndpointContext & {
  /** null: no engine is configured. */
  readonly trading: TradingPorts | null
}

/** One request of a key: signed, in scope, within its limits, its shape checked. */
export type PrivateRequest = {
  readonly trading: TradingPorts
  /** What was published, for an index that a body names. */
  readonly reader: Reader
  readonly environment: string
  readonly caller: Caller
  readonly parameters: Readonly<Record<string, ParameterValue>>
  /** As its schema says; null: the endpoint takes none. */
  readonly body: unknown
  /** What a write is known by; null: nothing may change. */
  readonly identity: WriteIdentity | null
  readonly cursor: CursorState | null
  /** null: now. */
  readonly as_of: Micros | null
  readonly now: Micros
  readonly request_id: string
}

/** What a private route answers. `data` is JSON text. */
export type PrivateAnswer = {
  readonly status: number
  /** null: there is an error alone. */
  readonly data: string | null
  readonly error: Refusal | null
  readonly location: string | null
  readonly replayed: boolean
  /** Of a collection: where the next page begins after; null: this is the last. */
  readonly next?: CursorState | null
  /** The batch that the answer is of, for meta.stream_cursor. */
  readonly head?: Head
}

export type PrivateHandler = (request: PrivateRequest) => Promise<PrivateAnswer>
/** One handler an operation: a missing one does not compile. */
export type PrivateHandlers = Readonly<Record<PrivateOperationId, PrivateHandler>>

/** An answer that something was read. */
export function shown(data: unknown, more: Pick<PrivateAnswer, 'next' | 'head'> = {}): PrivateAnswer {
  return { status: 200, data: JSON.stringify(data), error: null, location: null, replayed: false, ...more }
}
