import type { Micros } from '../../primitives/instants.ts'
import type { PrivateOperationId } from '../../protocol/endpoints/trading-endpoints.ts'
import type { Caller } from '../../trading/auth/authenticate.ts'
import type { Refusal, WriteIdentity } from '../../trading/engine/submission.ts'
import type { Head } from '../../trading/store/read/trading-reads.ts'
import type { Reader } from '../../warehouse/reader/reader.ts'
import type { CursorState, ParameterValue } from '../server/handler.ts'
import type { EndpointContext } from '../server/serve-endpoint.ts'
import type { TradingPorts } from '../trading-ports.ts'
import type { ReadTurns } from './read-turns.ts'

export type PrivateContext = EndpointContext & {
  /** null: no engine is configured. */
  readonly trading: TradingPorts | null
  readonly turns: ReadTurns
}

/** One request of a key: authenticated, in scope, within its limits, and valid in shape. */
export type PrivateRequest = {
  readonly trading: TradingPorts
  /** Published records, for an index that a body names. */
  readonly reader: Reader
  readonly environment: string
  readonly caller: Caller
  readonly parameters: Readonly<Record<string, ParameterValue>>
  /** Valid against the endpoint's schema; null: the endpoint takes no body. */
  readonly body: unknown
  /** Identity of a write; null: a read. */
  readonly identity: WriteIdentity | null
  readonly cursor: CursorState | null
  /** null: now. */
  readonly as_of: Micros | null
  readonly now: Micros
  readonly request_id: string
}

/** Answer of a private route. `data` is JSON text. */
export type PrivateAnswer = {
  readonly status: number
  /** null: an error without data. */
  readonly data: string | null
  readonly error: Refusal | null
  readonly location: string | null
  readonly replayed: boolean
  /** Collections: state of the next page's cursor; null: this is the last page. */
  readonly next?: CursorState | null
  /** Whether the page ended early at PAGE_BYTES_MAX. */
  readonly is_cut?: boolean
  /** Engine batch that the answer reflects, for meta.stream_cursor. */
  readonly head?: Head
}

export type PrivateHandler = (request: PrivateRequest) => Promise<PrivateAnswer>
/** One handler for each operation; a missing one does not compile. */
export type PrivateHandlers = Readonly<Record<PrivateOperationId, PrivateHandler>>

/** Returns the answer of a successful read. */
export function shown(data: unknown, more: Pick<PrivateAnswer, 'next' | 'head'> = {}): PrivateAnswer {
  return { ...shownText(JSON.stringify(data)), ...more }
}

/** Returns the answer of a successful read whose JSON text is there already. */
export function shownText(data: string): PrivateAnswer {
  return { status: 200, data, error: null, location: null, replayed: false }
}
