/** Node of a syntax tree, as `json_serialize_sql` writes it. */
export type Node = { readonly [field: string]: unknown }

/** Common table expressions at one place of a statement, by their names in lower case. */
export type CteScope = {
  readonly visible: ReadonlySet<string>
  /** Names of an enclosing WITH that mean nothing yet at this place. */
  readonly later: ReadonlySet<string>
}

export const NO_CTES: CteScope = { visible: new Set(), later: new Set() }

/** Returns the names that a node defines for its children. */
export function definedNames(node: Node): string[] {
  const named = typeof node.cte_name === 'string' ? [node.cte_name] : []
  return [...entriesOf(node).map(({ key }) => key), ...named]
}

/**
 * Returns the children of a node, each with the expressions that DuckDB finds there. One of a WITH sees the ones before it. It sees
 * itself only in the second part of a recursion; elsewhere its name means the view, or an outer expression.
 */
export function childrenInScope(node: Node, outer: CteScope): (readonly [child: unknown, scope: CteScope])[] {
  const names = entriesOf(node).map(({ key }) => key.toLowerCase())
  const definitions = entriesOf(node).map(({ value }, n) => [value, scopeWith(outer, names, n)] as const)
  const body = scopeWith(outer, names, names.length)
  const recursion = scopeWith(body, definedNames({ cte_name: node.cte_name }), 1)
  const own = scopeWith(body, definedNames({ cte_name: node.cte_name }), 0)
  const fields = Object.entries(node).filter(([field]) => field !== 'cte_map')
  const others = fields.map(([field, child]) => [child, DEFINING.has(field) ? own : recursion] as const)
  return [...definitions, ...others]
}

/** Fields of a node with `cte_name` in which that name is not defined yet. */
const DEFINING = new Set(['left', 'query'])

function entriesOf(node: Node): readonly { readonly key: string; readonly value: unknown }[] {
  return (node.cte_map as { map?: { key: string; value: unknown }[] } | undefined)?.map ?? []
}

/** Adds the first `count` names of one WITH; the others come later. */
function scopeWith(outer: CteScope, names: readonly string[], count: number): CteScope {
  if (names.length === 0) return outer
  const lower = names.map((name) => name.toLowerCase())
  return {
    visible: new Set([...outer.visible, ...lower.slice(0, count)]),
    later: new Set([...outer.later, ...lower.slice(count)]),
  }
}
