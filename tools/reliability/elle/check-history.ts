/** One request of a client: when it was sent and answered, by one clock, and what its answer said. */
export type Operation = {
  readonly client: number
  readonly sent_at: number
  readonly answered_at: number
  readonly name: string
  readonly kind: 'write' | 'read'
  /** The engine_sequence in a write's answer, or the one that a read reflects (`meta.stream_cursor`). */
  readonly sequence: number
  /** Resources in a read's answer. */
  readonly seen: readonly Seen[]
}

/** A resource as it was shown: its name, its version, and all else of it. */
export type Seen = { readonly resource: string; readonly version: number; readonly text: string }

/** When a resource came to a version, by the log of the engine. */
export type Version = { readonly resource: string; readonly version: number; readonly engine_sequence: number }

/**
 * Whether what clients saw is one order of all commits, that of the engine, in which nothing is seen before it was committed and nothing
 * is missed that was answered before the request was sent (strict serializability).
 *   G-real-time  a request that is sent after another was answered is as of a later, or the same, place
 *   G-read       a read shows each resource at the version that the log has at its place
 *   G-same       a version of a resource is the same, whoever reads it
 * @returns a sentence a violation; none where it holds
 */
export function checkHistory(operations: readonly Operation[], log: readonly Version[]): string[] {
  return [...realTime(operations), ...reads(operations, log), ...sameTexts(operations)]
}

/** By the order of the answers: the greatest place that anybody was told before an instant is a lower bound for what is sent after it. */
function realTime(operations: readonly Operation[]): string[] {
  const answered = [...operations].sort((a, b) => a.answered_at - b.answered_at)
  const sent = [...operations].sort((a, b) => a.sent_at - b.sent_at)
  const found: string[] = []
  let [taken, latest]: [number, Operation | null] = [0, null]
  for (const operation of sent) {
    for (
      let next = answered[taken];
      next !== undefined && next.answered_at < operation.sent_at;
      next = answered[taken]
    ) {
      if (latest === null || next.sequence > latest.sequence) latest = next
      taken += 1
    }
    // A write may show an older state of an existing order than others were told meanwhile.
    if (operation.kind === 'read' && latest !== null && operation.sequence < latest.sequence) {
      found.push(
        `G-real-time: ${operation.name} of client ${operation.client} is as of ${operation.sequence}, sent after client ${latest.client} was told ${latest.sequence}`,
      )
    }
  }
  return found
}

function reads(operations: readonly Operation[], log: readonly Version[]): string[] {
  const by_resource = new Map<string, Version[]>()
  for (const version of [...log].sort((a, b) => a.engine_sequence - b.engine_sequence)) {
    const known = by_resource.get(version.resource)
    if (known === undefined) by_resource.set(version.resource, [version])
    else known.push(version)
  }
  const found: string[] = []
  for (const { kind, sequence, seen, name } of operations) {
    if (kind !== 'read') continue
    for (const { resource, version } of seen) {
      const expected = (by_resource.get(resource) ?? []).findLast((one) => one.engine_sequence <= sequence)?.version
      if (version !== expected) {
        found.push(`G-read: ${name} as of ${sequence} shows version ${version} of ${resource}, the log has ${expected}`)
      }
    }
  }
  return found
}

function sameTexts(operations: readonly Operation[]): string[] {
  const texts = new Map<string, string>()
  const found: string[] = []
  for (const { resource, version, text } of operations.flatMap(({ seen }) => seen)) {
    const key = `${resource} at version ${version}`
    const known = texts.get(key)
    texts.set(key, known ?? text)
    if (known !== undefined && known !== text) found.push(`G-same: ${key} was ${known} and ${text}`)
  }
  return found
}
