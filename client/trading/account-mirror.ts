import type { Adjustment, Balance, Fill, Position, Settlement } from '../contract/types.ts'
import type { AccountStream } from './stream/account-stream.ts'
import type { TopicChange } from './stream/followed-topic.ts'
import { type Resume, resourceId, type StreamedResource, VersionedResources } from './stream/topic-resources.ts'
import type { TradingClient } from './trading-client.ts'

/** Mirrored state of an account. */
export type MirroredAccount = {
  readonly positions: readonly Position[]
  readonly balances: readonly Balance[]
  /** Fills after the positions that were read first. */
  readonly fills: readonly Fill[]
  readonly adjustments: readonly Adjustment[]
  readonly settlements: readonly Settlement[]
}

/** Differences between the mirror and REST: ids by kind; empty if they are equal. */
export type Reconciliation = { readonly equal: boolean; readonly differing: readonly string[] }

export type AccountMirror = {
  /** Reads the account and follows its changes. */
  start(): Promise<void>
  state(): MirroredAccount
  /**
   * Compares with REST, also while the account moves: what differs at first must agree at that version or a later one within `wait_ms`.
   * If it does not, everything is discarded and read again. Records of another account that the stream brought are not mirrored, and differ.
   */
  reconcile(wait_ms?: number): Promise<Reconciliation>
  stop(): void
}

const TOPICS = ['account.position', 'account.balance', 'account.fill', 'account.settlement'] as const
type Topic = (typeof TOPICS)[number]
const WAIT_MS = 5_000
const LOOK_MS = 20
/** Fields left out of the comparison because they change on their own: time, marks, and settlement states of fills. */
const UNTOLD = [
  'as_of',
  'mark_price',
  'mark_observation_id',
  'pricing_method',
  'market_value',
  'unrealized_pnl',
  'settlement_state',
  'adjustment_ids',
] as const

/** State of an account in REST. */
type Account = Readonly<Record<'positions' | 'balances' | 'fills' | 'adjustments' | 'settlements', Read>> & {
  readonly fills_after: number
}
type Read = { readonly rows: readonly StreamedResource[]; readonly cursor: Resume }

/**
 * Mirrors positions, balances, fills, adjustments and settlements of an account by the procedure of docs/private-stream.md: read the state from REST,
 * then later records, then follow the stream from the cursor of the first answer, applying only increasing versions.
 */
export function createAccountMirror(client: TradingClient, stream: AccountStream): AccountMirror {
  return new Mirror(client, stream)
}

class Mirror implements AccountMirror {
  readonly #client: TradingClient
  readonly #stream: AccountStream
  readonly #resources = new Map<Topic, VersionedResources>(TOPICS.map((topic) => [topic, new VersionedResources()]))
  #leave: (() => unknown)[] = []
  #fills_after = 0
  /** Ids of records of another account, since the account was read. */
  readonly #foreign = new Set<string>()
  /** Versions kept during a reconciliation; null: none runs. */
  #versions: Versions | null = null

  constructor(client: TradingClient, stream: AccountStream) {
    this.#client = client
    this.#stream = stream
  }

  async start(): Promise<void> {
    this.stop()
    const { positions, balances, fills, adjustments, settlements, fills_after } = await this.#read(null)
    this.#fills_after = fills_after
    for (const [topic, { rows }] of [
      ['account.position', positions],
      ['account.balance', balances],
      ['account.fill', fills],
      ['account.fill', adjustments],
      ['account.settlement', settlements],
    ] as const)
      for (const row of rows) this.#put(topic, row, versionOf(row))
    this.#leave = TOPICS.map((topic) =>
      this.#stream.follow(topic, (change) => this.#take(topic, change), { resume: positions.cursor }),
    )
  }

  stop(): void {
    for (const leave of this.#leave.splice(0)) leave()
    for (const resources of this.#resources.values()) resources.clear()
    this.#foreign.clear()
  }

  state(): MirroredAccount {
    const of = <T>(topic: Topic) => this.#resources.get(topic)!.values() as unknown as readonly T[]
    const fills = of<Fill | Adjustment>('account.fill')
    return {
      positions: of<Position>('account.position'),
      balances: of<Balance>('account.balance'),
      fills: fills.filter((one): one is Fill => !('adjustment_id' in one)),
      adjustments: fills.filter((one): one is Adjustment => 'adjustment_id' in one),
      settlements: of<Settlement>('account.settlement'),
    }
  }

  async reconcile(wait_ms = WAIT_MS): Promise<Reconciliation> {
    const begun = Date.now()
    const streamed = this.#recordVersions()
    const served: Versions = new Map()
    try {
      // An account that moves all the time never equals one read: each difference of the first read has to agree at some version.
      for (let owed: ReadonlyMap<string, number> | null = null; ; ) {
        const now = await this.#read(this.#fills_after)
        for (const [topic, rows] of rowsByTopic(now)) for (const row of rows) note(served, topic, row, versionOf(row))
        owed ??= new Map(this.#differences(now).map((id) => [id, newestOf(served, id)]))
        const moved = [...owed].flatMap(([id, version]) => (agree(streamed, served, id, version) ? [] : [id]))
        const differing = [...moved, ...this.#foreign]
        if (differing.length === 0) return { equal: true, differing }
        if (moved.length === 0 || Date.now() - begun >= wait_ms) {
          await this.start()
          return { equal: false, differing }
        }
        await new Promise((next) => setTimeout(next, LOOK_MS))
      }
    } finally {
      this.#versions = null
    }
  }

  /** Begins to keep every version that the mirror has, and those that the stream brings. */
  #recordVersions(): Versions {
    const versions: Versions = new Map()
    this.#versions = versions
    for (const topic of TOPICS) {
      for (const row of this.#resources.get(topic)!.values()) note(versions, topic, row, versionOf(row))
    }
    return versions
  }

  /** @param fills_after engine_sequence that fills are read after; null: that of the positions */
  async #read(fills_after: number | null): Promise<Account> {
    const positions = await this.#list('/positions')
    const balances = await this.#list('/balances')
    const sources = positions.rows.map(({ source_fill_sequence }) => source_fill_sequence as number)
    const after = fills_after ?? Math.max(0, ...sources)
    const fills = await this.#list('/fills', { engine_sequence_after: after })
    const adjustments = await this.#list('/adjustments', { engine_sequence_after: after })
    const settlements = await this.#list('/settlements')
    return { positions, balances, fills, adjustments, settlements, fills_after: after }
  }

  async #list(path: string, query: Readonly<Record<string, number>> = {}): Promise<Read> {
    const { http } = this.#client
    const rows: StreamedResource[] = []
    let resume: Resume | null = null
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const answer = await http.send<readonly StreamedResource[]>({ method: 'GET', path, query: { ...query, cursor } })
      rows.push(...answer.data)
      const { epoch, seq } = answer.meta.stream_cursor as { epoch: string; seq: number }
      resume ??= { epoch, after_seq: seq }
      cursor = answer.next_cursor
    }
    return { rows, cursor: resume! }
  }

  #take(topic: Topic, change: TopicChange): void {
    if (change.type === 'event') {
      if (change.data.account_id === this.#client.account_id) this.#put(topic, change.data, change.projection_version)
      else this.#foreign.add(resourceId(topic, change.data))
    }
    // Messages were lost: the state is unreliable.
    if (change.type === 'gap') void this.start().catch(() => undefined)
  }

  #put(topic: Topic, data: StreamedResource, version: number): void {
    this.#resources.get(topic)!.put(resourceId(topic, data), version, data)
    if (this.#versions !== null) note(this.#versions, topic, data, version)
  }

  #differences(now: Account): string[] {
    return rowsByTopic(now).flatMap(([topic, rows]) => differing(topic, this.#resources.get(topic)!.values(), rows))
  }
}

function rowsByTopic(account: Account): readonly (readonly [Topic, readonly StreamedResource[]])[] {
  return [
    ['account.position', account.positions.rows],
    ['account.balance', account.balances.rows],
    ['account.fill', [...account.fills.rows, ...account.adjustments.rows]],
    ['account.settlement', account.settlements.rows],
  ]
}

/** Contents of resources, by id and version. */
type Versions = Map<string, Map<number, string>>

function note(versions: Versions, topic: Topic, row: StreamedResource, version: number): void {
  const id = resourceId(topic, row)
  const known = versions.get(id) ?? new Map<number, string>()
  versions.set(id, known.set(version, compared(row)))
}

/** Newest version of a resource; 0: it is not known. */
function newestOf(versions: Versions, id: string): number {
  return Math.max(0, ...(versions.get(id)?.keys() ?? []))
}

/** Whether stream and REST have a version of a resource, from `version` on, with the same content. */
function agree(streamed: Versions, served: Versions, id: string, version: number): boolean {
  const [left, right] = [streamed.get(id), served.get(id)]
  if (left === undefined || right === undefined) return false
  return [...right].some(([of, content]) => of >= version && left.get(of) === content)
}

/** Returns the ids that are missing on one side or differ. */
function differing(topic: Topic, ours: readonly StreamedResource[], theirs: readonly StreamedResource[]): string[] {
  const [mine, served] = [ours, theirs].map(
    (rows) => new Map(rows.map((row) => [resourceId(topic, row), compared(row)])),
  )
  const ids = new Set([...mine!.keys(), ...served!.keys()])
  return [...ids].filter((id) => mine!.get(id) !== served!.get(id))
}

/** Immutable records have no version. */
function versionOf(row: StreamedResource): number {
  return typeof row.projection_version === 'number' ? row.projection_version : 1
}

function compared(row: StreamedResource): string {
  const kept = Object.entries(row).filter(([name]) => !(UNTOLD as readonly string[]).includes(name))
  return JSON.stringify(kept.sort(([a], [b]) => (a < b ? -1 : 1)))
}
