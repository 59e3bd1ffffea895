import type { Market } from '../../protocol/resources/market.ts'
import type { Credentials } from '../trading/credentials.ts'
import type { OpenSocket } from '../trading/stream/stream-socket.ts'
import type { Asker } from './asker.ts'
import type { Findings } from './findings.ts'
import type { Sampler } from './sample.ts'
import type { World } from './world.ts'

/** Line of the catalogue: A1 to A25. */
export type CheckId = `A${number}`

/** Everything a check may use. Its requests and compared values are counted under its own id. */
export type CheckContext = {
  readonly ask: Asker
  readonly world: World
  readonly sampler: Sampler
  readonly find: Findings
  /** Whether time remains for another sample. */
  more(): boolean
  /** Waits, unless the run is aborted or its budget ends first. */
  pause(ms: number): Promise<void>
  readonly base_url: string
  /** Opens the public stream; null: the caller has no websocket. */
  readonly open: OpenSocket | null
  /** Key of an account for the private checks; null: none was given. */
  readonly credentials: Credentials | null
  /** Facts of the operator's own database; null: no home was given. */
  readonly accounts: AccountsPort | null
  /** Whether a fault that only older versions made, published at an instant, counts as legacy. */
  isLegacy(published_at: string): boolean
  readonly signal: AbortSignal | undefined
}

/** Sums over the fills of all accounts of one outcome of a market listed here. */
type OutcomeFacts = {
  readonly market_id: string
  readonly outcome_id: string
  readonly trades: number
  readonly volume: string
}

/** A size that a market states, and the one that the fills of all accounts give at its instant. */
type SizeFacts = {
  readonly market_id: string
  readonly observed_at: string
  readonly field: string
  readonly published: string
  readonly of_fills: string
}
export type AccountFacts = {
  readonly outcomes: readonly OutcomeFacts[]
  /** Sizes of the markets that differ. */
  readonly sizes: readonly SizeFacts[]
}

/** Reads the operator's database: the fold of the fills up to an instant, and the stated sizes of markets beside theirs. */
export type AccountsPort = (as_of: string, markets: readonly Market[]) => Promise<AccountFacts>

export type Check = {
  readonly id: CheckId
  readonly title: string
  /** The two ways of asking that are compared. */
  readonly compares: string
  /** Share of the remaining budget, relative to the other checks. */
  readonly share: number
  /** true: waits for messages, so it runs beside the others. */
  readonly waits?: true
  run(context: CheckContext): Promise<void>
}

/** Ends a check whose time is over. */
export class TimeOver extends Error {}

/** Thrown by a check whose surface the deployment does not have. */
export class NotOffered extends Error {}
