import { type Example, type ExampleValue, isTaken, type Own } from '../../protocol/examples/example.ts'

/** Sender of an example: its own values, and what it was answered. */
export type ExampleSender = {
  readonly own: (name: Own['own']) => string
  /** Returns the parsed answer to the example of an operation. */
  readonly answerOf: (operation_id: string) => Promise<unknown>
}

/** An example with every value known. */
export type ResolvedExample = {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** null: no body. */
  readonly body: Readonly<Record<string, unknown>> | null
}

/** Fills in the values that only the sender knows. @throws what `answerOf` throws */
export async function resolveExample(example: Example, sender: ExampleSender): Promise<ResolvedExample> {
  const texts = async (values: Readonly<Record<string, ExampleValue>> = {}) => {
    const known = (await knownOf(values, sender)) as Readonly<Record<string, unknown>>
    return Object.fromEntries(Object.entries(known).map(([name, value]) => [name, String(value)]))
  }
  const body = example.body === undefined ? null : await knownOf(example.body, sender)
  return {
    path: await texts(example.path),
    query: await texts(example.query),
    body: body as Readonly<Record<string, unknown>> | null,
  }
}

/** Returns path and query of a request as they are sent. @param path  with {parameters} */
export function exampleTarget(path: string, { path: of_path, query }: Pick<ResolvedExample, 'path' | 'query'>): string {
  // A tile of the log has slashes in its path.
  const encoded = (name: string) => encodeURIComponent(of_path[name] ?? '').replaceAll('%2F', '/')
  const filled = path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => encoded(name))
  const pairs = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%3A', ':')}`,
  )
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`
}

async function knownOf(value: ExampleValue, sender: ExampleSender): Promise<unknown> {
  if (value === null || typeof value !== 'object') return value
  if (isTaken(value)) return valueAt(await sender.answerOf(value.from), value.at)
  if (isOwn(value)) return sender.own(value.own)
  if (Array.isArray(value)) return Promise.all(value.map((one: ExampleValue) => knownOf(one, sender)))
  const entries = Object.entries(value).map(async ([name, one]) => [name, await knownOf(one as ExampleValue, sender)])
  return Object.fromEntries(await Promise.all(entries))
}

function isOwn(value: object): value is Own {
  return 'own' in value
}

/** Returns what an answer has at some keys; undefined where it has nothing there. */
export function valueAt(answer: unknown, at: string): unknown {
  return at.split('.').reduce<unknown>((part, key) => {
    if (Array.isArray(part)) return part.at(Number(key))
    return (part as Record<string, unknown> | null | undefined)?.[key]
  }, answer)
}
