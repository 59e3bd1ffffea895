/** Resource of a message, as JSON. */
export type StreamedResource = Readonly<Record<string, unknown>>

/** Id fields of the resources of each topic; the first present one counts. */
const ID_FIELDS = {
  'account.order': ['order_id'],
  'account.fill': ['adjustment_id', 'fill_id'],
  'account.position': ['position_id'],
  'account.balance': ['balance_id'],
  'account.settlement': ['settlement_id'],
  'account.risk': ['account_id'],
  'account.protection': ['market_id'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Topics of an account. */
export type PrivateTopicName = keyof typeof ID_FIELDS
export const PRIVATE_TOPICS = Object.keys(ID_FIELDS) as readonly PrivateTopicName[]

/** Event from which a topic continues. */
export type Resume = { readonly epoch: string; readonly after_seq: number }

/** Returns the id of a resource of a topic. */
export function resourceId(topic: PrivateTopicName, data: StreamedResource): string {
  const field = ID_FIELDS[topic].find((name) => typeof data[name] === 'string')
  return field === undefined ? '' : String(data[field])
}

/** Resources by id; only newer versions replace older ones. */
export class VersionedResources {
  readonly #resources = new Map<string, { readonly version: number; readonly data: StreamedResource }>()

  /** Adds a resource. @returns whether it was newer than the known one */
  put(id: string, version: number, data: StreamedResource): boolean {
    const before = this.#resources.get(id)
    if (before !== undefined && before.version >= version) return false
    this.#resources.set(id, { version, data })
    return true
  }

  clear(): void {
    this.#resources.clear()
  }

  values(): StreamedResource[] {
    return [...this.#resources.values()].map(({ data }) => data)
  }
}
