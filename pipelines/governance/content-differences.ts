import { canonicalJson, isObject } from '../../primitives/canonical-json.ts'

/** One place where two contents differ; null: it is absent from that side. Values are RFC 8785. */
export type ContentDifference = {
  /** Path of fields and ids, such as `/definition/versions/2026.2/constituents/con_a/target_weight`. */
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** Fields by which the members of a list are named, so that one that moved does not differ. */
const NAMES = ['constituent_id', 'actor_id', 'public_key', 'tick_at'] as const

/** Returns where two contents differ, sorted by path. @param before null: there is nothing before */
export function contentDifferences(before: unknown, after: unknown): readonly ContentDifference[] {
  const [left, right] = [leavesOf(before), leavesOf(after)]
  const paths = [...new Set([...left.keys(), ...right.keys()])].sort()
  return paths.flatMap((path) => {
    const difference = { path, before: left.get(path) ?? null, after: right.get(path) ?? null }
    return difference.before === difference.after ? [] : [difference]
  })
}

/** Differences that a sentence shows. */
const SHOWN_MAX = 12

/** Returns the first differences as one sentence part. */
export function describeDifferences(differences: readonly ContentDifference[]): string {
  const shown = differences.slice(0, SHOWN_MAX).map(({ path, before, after }) => `${path}: ${before} -> ${after}`)
  const rest = differences.length - shown.length
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')
}

function leavesOf(value: unknown): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>()
  if (value !== null && value !== undefined) addLeaves(leaves, value, '')
  return leaves
}

function addLeaves(leaves: Map<string, string>, value: unknown, path: string): void {
  const members = membersOf(value)
  if (members === null || members.length === 0) leaves.set(path || '/', canonicalJson(value))
  else for (const [name, member] of members) if (member !== undefined) addLeaves(leaves, member, `${path}/${name}`)
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] | null {
  if (Array.isArray(value)) return value.map((member, i) => [nameOf(member) ?? String(i), member] as const)
  return isObject(value) ? Object.entries(value) : null
}

function nameOf(member: unknown): string | null {
  if (!isObject(member)) return null
  const named = NAMES.map((name) => (member as Record<string, unknown>)[name]).find((name) => typeof name === 'string')
  return named === undefined ? null : String(named)
}
